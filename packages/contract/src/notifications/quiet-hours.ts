/** What can wait for the morning where the tour is; everything else leaves at once. See docs/domain.md, "Messages". */
export const quietKinds = [
  'booking_changed',
  'pre_tour_info',
  'pickup_reminder',
  'feedback_request',
  'guest_message',
] as const

/** What is said of a tour that is nearer than so many hours, before or after, is urgent. */
export const urgentHours = 24
/** A reminder waits only where the tour starts at least so many hours after the quiet hours: guests are picked up before that. */
export const reminderAheadHours = 4

/** As shipped, by the clocks of the tour. Equal times: none. */
export const usualQuietHours = { from: '21:00', to: '08:00' } as const
