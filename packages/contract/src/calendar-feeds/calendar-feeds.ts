import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, Instant, orNull, Version, write } from '../fields.ts'

/** Whose departures a feed holds: all of the organization, or those of one person or vehicle. */
export const feedSubjects = ['organization', 'staff', 'vehicle'] as const
export type FeedSubject = (typeof feedSubjects)[number]

/** The address of a feed, below the server's. Anyone who knows the token can read the feed. */
export const calendarPath = (token: string): string => `/calendar/${token}.ics`

/** Cancelled departures stay in feeds this long, so that calendars that are read once a day learn of it. */
export const cancelledDays = 30
/** How far back and ahead feeds reach, days. */
export const feedDays = { back: 31, ahead: 366 } as const
/** Most departures of one feed: the ones that start first. */
export const maxFeedDepartures = 5000

const Subject = {
  subject: z.enum(feedSubjects),
  /** The person or the vehicle; null for the organization. */
  subjectId: orNull(Id),
}

export const CalendarFeed = z.object({
  id: Id,
  version: Version,
  issuedAt: Instant,
  issuedByName: z.nullable(z.string()),
  /** The last characters of the address, to recognize which one is in use. */
  hint: z.string(),
})
export type CalendarFeed = z.output<typeof CalendarFeed>

export const getCalendarFeed = callable({
  name: 'calendar-feeds-get',
  kind: 'read',
  permission: 'staff:read',
  summary: 'Whether a person, a vehicle or the organization has a calendar feed; never its address.',
  input: z.object(Subject),
  output: z.object({
    feed: z.nullable(CalendarFeed),
    /** Whether the caller may make a new address, and end the present one. */
    mayIssue: z.boolean(),
  }),
  topics: ['calendar_feeds', 'members', 'vehicles'],
  rowTopics: ['field_staff'],
})

export const issueCalendarFeed = callable({
  name: 'calendar-feeds-issue',
  kind: 'write',
  permission: 'staff:read',
  summary:
    'Creates the URL of a calendar feed, or a new one; the earlier URL stops working. Everybody for their own staff record, dispatchers for people and vehicles, `settings:manage` for the organization.',
  input: write(Subject),
  output: z.object({ id: Id, version: Version, url: z.string() }),
  repeated: 'same-answer-briefly',
  writes: ['calendar_feeds'],
})

export const revokeCalendarFeed = callable({
  name: 'calendar-feeds-revoke',
  kind: 'write',
  permission: 'staff:read',
  summary: 'Ends a calendar feed: its URL answers 404 from then on.',
  input: write({ id: Id, version: Version }),
  output: z.object({ id: Id }),
  writes: ['calendar_feeds'],
})
