import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, Instant } from '../fields.ts'
import { anyOf, listInput, listOutput } from '../paging.ts'

/** What one party said of its tour. */
export const FeedbackRow = z.object({
  id: Id,
  at: Instant,
  departureId: Id,
  departureCode: z.string(),
  tourName: z.string(),
  /** Null where it is not known who said it, as in what came from a file. */
  bookingId: z.nullable(Id),
  contactName: z.nullable(z.string()),
  /** 1 to 5. */
  tourRating: z.nullable(z.int()),
  guideRating: z.nullable(z.int()),
  guideName: z.nullable(z.string()),
  /** 0 to 10: whether they would recommend us. */
  nps: z.nullable(z.int()),
  comment: z.nullable(z.string()),
})
export type FeedbackRow = z.output<typeof FeedbackRow>

export const feedbackFilters = {
  departureId: anyOf(Id),
  bookingId: anyOf(Id),
  staffId: anyOf(Id),
  tourId: anyOf(Id),
  /** Of the parties that these people were in. */
  travelerId: anyOf(Id),
}
export const feedbackSortable = ['at', 'tourRating', 'nps'] as const

export const listFeedback = callable({
  name: 'feedback-list',
  kind: 'read',
  permission: 'reports:read',
  summary: 'What guests said of their tours, the newest first; guides see what was said of their own departures.',
  input: listInput(feedbackFilters, feedbackSortable),
  output: z.object({
    ...listOutput(FeedbackRow).shape,
    /** Of all that the filters let through; null where nobody gave a rating. */
    average: z.object({ tourRating: z.nullable(z.number()), guideRating: z.nullable(z.number()), answers: Count }),
  }),
  topics: ['bookings', 'departures', 'feedback', 'field_staff', 'manifest_entries', 'tours'],
})
