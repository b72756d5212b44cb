/** Where journeys put their fake router: the only one in the server's own network that it may ask. */
export const routerPort = 18_086
