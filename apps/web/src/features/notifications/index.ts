// What other domains show of messages. The only entry.
export { channelLabel, DeliveryStatus, kindLabel, suppressedLabel } from './outbox-labels.tsx'
export { MessageDialog, MessageGuests, useMayWrite } from './message-guests.tsx'
