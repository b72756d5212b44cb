import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, CsvFile, Id, Instant, orNull, Saved, text, Version, write } from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'

/** What has become of a poor rating: nobody has it, somebody has it, or it is closed. Every other rating is in none of them. */
export const followUpStates = ['open', 'taken', 'closed'] as const

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
  /** Null where nothing needs to be done and nobody has done anything. */
  followUp: z.nullable(
    z.object({
      state: z.enum(followUpStates),
      /** Null before anybody took it. */
      version: z.nullable(Version),
      ownerName: z.nullable(z.string()),
      /** How it ended. */
      note: z.nullable(z.string()),
      closedAt: z.nullable(Instant),
      closedByName: z.nullable(z.string()),
    }),
  ),
})
export type FeedbackRow = z.output<typeof FeedbackRow>

export const feedbackFilters = {
  departureId: anyOf(Id),
  bookingId: anyOf(Id),
  staffId: anyOf(Id),
  tourId: anyOf(Id),
  /** Of the parties that these people were in. */
  travelerId: anyOf(Id),
  followUp: anyOf(z.enum(followUpStates)),
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
  topics: [
    'bookings',
    'departures',
    'feedback',
    'feedback_follow_ups',
    'field_staff',
    'manifest_entries',
    'members',
    'org_settings',
    'tours',
  ],
})

export const exportFeedback = callable({
  name: 'feedback-export',
  kind: 'read',
  permission: 'reports:read',
  summary: 'The filtered feedback as CSV, with what became of it.',
  input: exportInput(feedbackFilters, feedbackSortable),
  output: CsvFile,
  topics: [],
})

/** Version of the follow-up; null before anybody took it. */
const step = { id: Id, version: orNull(Version) }

export const takeFeedback = callable({
  name: 'feedback-take',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Makes the caller the one who takes care of what a party said, also where it was closed.',
  input: write(step),
  output: Saved,
  writes: ['feedback_follow_ups'],
})

export const closeFeedback = callable({
  name: 'feedback-close',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Closes what a party said with a note of what was done.',
  input: write({ ...step, note: text(300, 'outcome_missing') }),
  output: Saved,
  writes: ['feedback_follow_ups'],
})

export const reopenFeedback = callable({
  name: 'feedback-reopen',
  kind: 'write',
  permission: 'bookings:manage',
  summary: 'Undoes the last step: what was closed is open again, with whoever closed it; what was taken is nobody’s.',
  input: write({ id: Id, version: Version }),
  output: Saved,
  writes: ['feedback_follow_ups'],
})
