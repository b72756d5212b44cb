// What other domains show of bookings. The only entry.
export { bookedToast } from './booked-toast.ts'
export { BookingLink } from './booking-link.tsx'
export { BookingSection } from './booking-section.tsx'
export { BookingStatus, isStranded } from './booking-status.tsx'
export { BookingSummary, bookProblem, createLabel } from './booking-summary.tsx'
export {
  bookingStatusLabel,
  channelLabel,
  isDue,
  paymentLabel,
  reasonLabel,
  unitsText,
  unitLabel,
} from './booking-labels.ts'
export { MoveDialog } from './move-dialog.tsx'
export { type BookingDraft, useBookingDraft } from './use-booking-draft.ts'
export { useBookingWrite } from './use-booking-write.ts'
