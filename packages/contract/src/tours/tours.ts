import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  ById,
  ByIdAndVersion,
  Count,
  CsvFile,
  Id,
  Instant,
  Language,
  LocalDate,
  LocalTime,
  MoneyMinor,
  Named,
  optionalText,
  orNull,
  Saved,
  someOf,
  text,
  TimeZone,
  Version,
  whole,
  write,
} from '../fields.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { OptionPrices } from '../units.ts'
import { CancellationSteps } from './cancellation-steps.ts'
import { TourContent } from './tour-content.ts'
import { staffRoles, tourDifficulties, tourKinds, vehicleClasses } from './tour-terms.ts'

/** Short name used in departure codes, `GOLD`. */
export const TourCode = z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z][A-Z0-9]{1,9}$/, 'tour_code_form'))

const option = {
  name: text(80, 'option_unnamed'),
  startTimesLocal: z.array(LocalTime).check(z.minLength(1, 'start_time_missing'), z.maxLength(24)),
  language: orNull(Language),
  isPrivate: z._default(z.boolean(), false),
}
export const TourOption = z.object({ id: Id, ...option, prices: OptionPrices })

const rules = {
  defaultCapacity: whole(1, 1000),
  minPax: z._default(whole(0, 1000), 0),
  /** Seats that may be sold above capacity; zero unless somebody decides so, and audited. */
  overbookLimit: z._default(whole(0, 100), 0),
  cutoffMinutes: z._default(whole(0, 43_200), 0),
  releaseDays: z._default(whole(0, 365), 0),
  requirements: z.prefault(
    z.object({
      guideRatio: orNull(whole(1, 200)),
      roles: z._default(someOf(staffRoles), ['lead_guide']),
      skills: z._default(z.array(text(60)).check(z.maxLength(40)), []),
      vehicleClass: orNull(z.enum(vehicleClasses)),
      /** Somebody must judge the weather before it runs: readiness asks for a weather note. */
      weatherNote: z._default(z.boolean(), false),
    }),
    {},
  ),
}

const basics = {
  code: TourCode,
  name: text(120, 'tour_unnamed'),
  kind: z.enum(tourKinds),
  timeZone: TimeZone,
  category: optionalText(60),
  /** Length of a day tour; for several days the last day's. */
  durationMin: whole(15, 1440 * 60),
  durationDays: z._default(whole(1, 60), 1),
  difficulty: z._default(z.enum(tourDifficulties), 'easy'),
  languages: z._default(z.array(Language).check(z.maxLength(20)), ['en']),
  inclusions: z._default(z.array(text(200)).check(z.maxLength(40)), []),
  exclusions: z._default(z.array(text(200)).check(z.maxLength(40)), []),
  cancellationPolicy: optionalText(2000),
  cancellationSteps: z._default(CancellationSteps, []),
  color: z._default(z.string().check(z.regex(/^#[0-9A-Fa-f]{6}$/, 'color_form')), '#FF4B00'),
}

export const TourFields = z.object({ ...basics, ...rules }).check(
  z.refine((tour) => tour.minPax <= tour.defaultCapacity, {
    path: ['minPax'],
    error: 'group_above_capacity',
  }),
)

export const TourRow = z.object({
  id: Id,
  version: Version,
  code: z.string(),
  name: z.string(),
  kind: z.enum(tourKinds),
  status: z.enum(statusesOf('tours')),
  timeZone: z.string(),
  durationMin: Count,
  durationDays: Count,
  languages: z.array(z.string()),
  color: z.string(),
  revisionNumber: z.nullable(Count),
  hasDraft: z.boolean(),
  nextDeparture: z.nullable(z.object({ id: Id, startsAt: Instant })),
  departuresNext30d: Count,
  /** Seats sold over capacity, departures of the next 30 days; null without any. */
  load30d: z.nullable(z.number()),
  seatsOpen30d: Count,
  fromPriceMinor: z.nullable(MoneyMinor),
  currency: z.nullable(z.string()),
})
export type TourRow = z.output<typeof TourRow>

/** The guided path from a draft to the first sale. See docs/screens.md, "Tours". */
export const tourSteps = ['basics', 'itinerary', 'capacity', 'prices', 'crew', 'schedule', 'messages'] as const
export type TourStep = (typeof tourSteps)[number]
/** Why a draft cannot be published. */
export const publishProblems = [
  'no_stops',
  'stop_after_last_day',
  'times_go_back',
  'no_prices',
  'mixed_currencies',
] as const

/** How far the path has come, and the departures it will create at the end. Shared by everybody who works on the tour. */
export const TourWizard = z.object({
  done: z._default(someOf(tourSteps), []),
  schedule: orNull(
    z.object({
      rrule: z.string().check(z.maxLength(300)),
      from: LocalDate,
      to: LocalDate,
      startTimesLocal: z.array(LocalTime).check(z.maxLength(24)),
      exceptDates: z.array(LocalDate).check(z.maxLength(400)),
      capacity: orNull(whole(1, 1000)),
    }),
  ),
})
export type TourWizard = z.output<typeof TourWizard>

const RevisionHead = z.object({
  id: Id,
  number: Count,
  publishedAt: Instant,
  publishedByName: z.nullable(z.string()),
  note: z.nullable(z.string()),
})

export const Tour = z.object({
  id: Id,
  version: Version,
  status: z.enum(statusesOf('tours')),
  ...basics,
  ...rules,
  createdAt: Instant,
  updatedAt: Instant,
  /** What the next publication will freeze; null when nothing differs from the published revision. */
  draft: z.nullable(TourContent),
  revision: z.nullable(z.object({ ...RevisionHead.shape, content: TourContent })),
  revisions: z.array(RevisionHead),
  options: z.array(TourOption),
  /** Names and coordinates of every place that draft or revision mention. */
  places: z.array(z.object({ id: Id, name: z.string(), kind: z.string(), lat: z.number(), lng: z.number() })),
  /** What blocks the publication of this draft; empty when nothing does. */
  problems: z.array(
    z.object({
      step: z.enum(tourSteps),
      reason: z.enum(publishProblems),
      /** In English, for programs. */
      message: z.string(),
    }),
  ),
  upcomingDepartures: Count,
  wizard: TourWizard,
})
export type Tour = z.output<typeof Tour>

export const tourFilters = {
  status: anyOf(z.enum(statusesOf('tours'))),
  kind: anyOf(z.enum(tourKinds)),
  language: anyOf(Language),
}
export const tourSortable = [
  'name',
  'code',
  'kind',
  'status',
  'duration',
  'nextDeparture',
  'departures30d',
  'load30d',
] as const

export const listTours = callable({
  name: 'tours-list',
  kind: 'read',
  permission: 'tours:read',
  summary: 'The catalogue, with the next 30 days of every tour.',
  input: listInput(tourFilters, tourSortable),
  output: listOutput(TourRow),
  topics: ['departures', 'tour_revisions', 'tours'],
})

export const exportTours = callable({
  name: 'tours-export',
  kind: 'read',
  permission: 'tours:read',
  summary: 'The filtered catalogue as CSV.',
  input: exportInput(tourFilters, tourSortable),
  output: CsvFile,
  topics: [],
})

export const tourOptionsForPickers = callable({
  name: 'tours-names',
  kind: 'read',
  permission: 'tours:read',
  summary: 'All tours by code and name, for filters and pickers.',
  input: z.object({ status: anyOf(z.enum(statusesOf('tours'))) }),
  output: z.object({
    tours: z.array(
      z.object({ ...Named.shape, code: z.string(), timeZone: z.string(), status: z.enum(statusesOf('tours')) }),
    ),
  }),
  topics: ['tours'],
})

export const getTour = callable({
  name: 'tours-get',
  kind: 'read',
  permission: 'tours:read',
  summary: 'One tour with its draft, its published revision and its options.',
  input: ById,
  output: Tour,
  topics: ['departures', 'members', 'places', 'tour_options', 'tour_revisions'],
  rowTopics: ['tours'],
})

export const createTour = callable({
  name: 'tours-create',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Creates a tour as a draft.',
  input: write({
    ...TourFields.shape,
    /** Left out: what the settings give every new tour. */
    defaultCapacity: z.optional(rules.defaultCapacity),
    overbookLimit: z.optional(whole(0, 100)),
    cutoffMinutes: z.optional(whole(0, 43_200)),
    content: z.optional(TourContent),
    options: z.optional(z.array(z.object(option)).check(z.maxLength(40))),
  }),
  output: Saved,
  writes: ['tour_options', 'tour_revisions', 'tours'],
})

export const updateTour = callable({
  name: 'tours-update',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Changes basics and rules of a tour; departures that exist keep theirs.',
  input: write({ id: Id, version: Version, ...TourFields.shape }),
  output: Saved,
  writes: ['tours'],
})

export const saveTourDraft = callable({
  name: 'tours-save-draft',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Saves days, stops, routes, prices and texts for the next publication.',
  input: write({ id: Id, version: Version, content: TourContent }),
  output: Saved,
  writes: ['tour_revisions'],
})

export const saveTourWizard = callable({
  name: 'tours-save-wizard',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Saves the progress of the wizard and the schedule that it will create.',
  input: write({ id: Id, version: Version, wizard: TourWizard }),
  output: Saved,
  writes: ['tours'],
})

export const discardTourDraft = callable({
  name: 'tours-discard-draft',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Discards the draft of a published tour.',
  input: ByIdAndVersion,
  output: Saved,
  writes: ['tour_revisions'],
})

export const saveTourOptions = callable({
  name: 'tours-save-options',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Replaces the options of a tour; options that departures use stay and are only renamed.',
  input: write({
    id: Id,
    version: Version,
    options: z
      .array(
        z.object({
          id: z.optional(Id),
          ...option,
          /** Left out: as they are; of a new option those of the tour. */
          prices: z.optional(OptionPrices),
        }),
      )
      .check(z.maxLength(40)),
  }),
  output: Saved,
  writes: ['tour_options'],
})

export const publishTour = callable({
  name: 'tours-publish',
  kind: 'write',
  permission: 'tours:publish',
  summary:
    'Freezes the draft as a new revision and applies it to the chosen future departures, whose crew and vehicles follow. A conflicting assignment answers `aborted`, reason `staff_busy` or `vehicle_busy`.',
  input: write({
    id: Id,
    version: Version,
    note: optionalText(500),
    applyToDepartureIds: z._default(z.array(Id).check(z.maxLength(500)), []),
  }),
  output: z.object({ id: Id, version: Version, revisionNumber: Count, appliedTo: Count }),
  writes: [
    'assignments',
    'departure_stops',
    'departures',
    'equipment_issues',
    'manifest_entries',
    'staff_calendar_entries',
    'tour_options',
    'tour_revisions',
    'tours',
    'vehicle_calendar_entries',
  ],
})

export const archiveTour = callable({
  name: 'tours-archive',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Archives a tour; refused while future departures have guests.',
  input: ByIdAndVersion,
  output: Saved,
  writes: ['tours'],
})

export const restoreTour = callable({
  name: 'tours-restore',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Restores an archived tour as a draft.',
  input: ByIdAndVersion,
  output: Saved,
  writes: ['tour_revisions', 'tours'],
})

export const duplicateTour = callable({
  name: 'tours-duplicate',
  kind: 'write',
  permission: 'tours:manage',
  summary: 'Copies a tour with its content into a new draft.',
  input: write({ id: Id, code: TourCode, name: text(120, 'tour_unnamed') }),
  output: Saved,
  writes: ['tour_options', 'tour_revisions', 'tours'],
})
