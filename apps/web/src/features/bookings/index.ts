// What other domains show of bookings. The only entry.
export { BookingMessages } from './booking-messages-later.ts'
export { BookingStatus, isStranded } from './booking-status.tsx'
export { bookingStatusLabel, isDue, paymentLabel, reasonLabel, reasonOptions, unitsText } from './booking-labels.ts'
export { FormHolds } from './form-holds.tsx'
export { MoveDialog } from './move-dialog.tsx'
export { PartyDialog } from './party-later.ts'
export { TellGuest } from './tell-guest.tsx'
export { useBookingWrite } from './use-booking-write.ts'
