/** Where journeys put the receiver of webhooks: the only one in the server's own network that may be notified. */
export const webhookPort = 18_088
