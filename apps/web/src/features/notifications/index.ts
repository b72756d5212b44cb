// What other domains show of messages. The only entry.
export { DeliveryStatus, kindLabel } from './outbox-labels.tsx'
export { MessageDialog, MessageGuests, useMayWrite } from './message-guests.tsx'
