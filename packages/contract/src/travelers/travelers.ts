import * as z from 'zod/mini'
import { bookingStatuses } from '../bookings/bookings.ts'
import { callable } from '../callable.ts'
import {
  ById,
  changedText,
  Count,
  Country,
  CsvFile,
  Email,
  Id,
  Instant,
  Language,
  LocalDate,
  MoneyMinor,
  optionalText,
  orNull,
  Phone,
  Saved,
  someOf,
  text,
  Version,
  write,
} from '../fields.ts'
import { manifestStatuses, travelerFlags } from '../bookings/manifest.ts'
import { anyOf, exportInput, listInput, listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { dietaryNeeds, mobilityNeeds } from './needs.ts'

export const documentKinds = ['passport', 'id', 'visa', 'insurance'] as const
export const genders = ['female', 'male', 'other'] as const

const name = {
  firstName: optionalText(80),
  lastName: text(80, 'last_or_only_name_missing'),
  preferredName: optionalText(80),
}

/** What a form writes. Medical note and date of birth are written only by those who may see them. */
const fields = {
  ...name,
  gender: orNull(z.enum(genders)),
  nationality: orNull(Country),
  residenceCountry: orNull(Country),
  languages: z._default(z.array(Language).check(z.maxLength(10)), []),
  email: orNull(Email),
  phone: orNull(Phone),
  dietary: z._default(someOf(dietaryNeeds), []),
  dietaryNote: optionalText(500),
  mobility: z._default(z.enum(mobilityNeeds), 'none'),
  mobilityNote: optionalText(500),
  emergencyContact: orNull(z.object({ name: text(120), relation: optionalText(60), phone: Phone })),
  tags: z._default(z.array(text(40)).check(z.maxLength(20)), []),
  marketingConsent: z._default(z.boolean(), false),
}
/** Left out: unchanged. Null: cleared. Needs `travelers_sensitive:read` when given. */
const sensitive = {
  dateOfBirth: z.optional(z.nullable(LocalDate)),
  medicalNote: changedText(2000),
}

export const TravelerFields = z.object({ ...fields, ...sensitive })

const Trip = z.object({
  departureId: Id,
  code: z.string(),
  tourName: z.string(),
  startsAt: Instant,
  endsAt: Instant,
  timeZone: z.string(),
})

export const TravelerRow = z.object({
  id: Id,
  version: Version,
  firstName: z.nullable(z.string()),
  lastName: z.string(),
  name: z.string(),
  nationality: z.nullable(z.string()),
  languages: z.array(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  flags: z.array(z.enum(travelerFlags)),
  tags: z.array(z.string()),
  /** The running departure, else the next, else the last. */
  trip: z.nullable(
    z.object({
      ...Trip.shape,
      when: z.enum(['now', 'next', 'last']),
      bookingId: Id,
      bookingRef: z.string(),
      bookingStatus: z.enum(bookingStatuses),
      departureStatus: z.enum(statusesOf('departures')),
      entryStatus: z.nullable(z.enum(manifestStatuses)),
      checkInAt: z.nullable(Instant),
      expiresAt: z.nullable(Instant),
      waitlistRank: z.nullable(Count),
    }),
  ),
  toursTaken: Count,
})
export type TravelerRow = z.output<typeof TravelerRow>

export const TravelerDocument = z.object({
  id: Id,
  version: Version,
  kind: z.enum(documentKinds),
  country: z.nullable(z.string()),
  /** Last four characters; the number itself is revealed apart. */
  numberHint: z.nullable(z.string()),
  expiresOn: z.nullable(LocalDate),
  /** Ends less than six months after the last booked tour. */
  expiring: z.boolean(),
  verifiedAt: z.nullable(Instant),
})

export const Traveler = z.object({
  id: Id,
  version: Version,
  firstName: z.nullable(z.string()),
  lastName: z.string(),
  preferredName: z.nullable(z.string()),
  gender: z.nullable(z.enum(genders)),
  nationality: z.nullable(z.string()),
  residenceCountry: z.nullable(z.string()),
  languages: z.array(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  dietary: z.array(z.enum(dietaryNeeds)),
  dietaryNote: z.nullable(z.string()),
  mobility: z.enum(mobilityNeeds),
  mobilityNote: z.nullable(z.string()),
  emergencyContact: z.nullable(z.object({ name: z.string(), relation: z.nullable(z.string()), phone: z.string() })),
  tags: z.array(z.string()),
  marketingConsent: z.boolean(),
  createdAt: Instant,
  flags: z.array(z.enum(travelerFlags)),
  hasMedicalNote: z.boolean(),
  hasDateOfBirth: z.boolean(),
  documents: z.array(TravelerDocument),
  trips: z.array(
    z.object({
      ...Trip.shape,
      when: z.enum(['now', 'next', 'before']),
      bookingId: Id,
      bookingRef: z.string(),
      bookingStatus: z.enum(bookingStatuses),
      departureStatus: z.enum(statusesOf('departures')),
      entryId: z.nullable(Id),
      entryStatus: z.nullable(z.enum(manifestStatuses)),
      checkInAt: z.nullable(Instant),
      expiresAt: z.nullable(Instant),
      pax: Count,
      /** Of a cancelled booking what was kept. */
      amountTotalMinor: MoneyMinor,
      amountPaidMinor: MoneyMinor,
      currency: z.string(),
      companions: z.array(z.object({ id: Id, name: z.string() })),
    }),
  ),
  figures: z.object({
    toursTaken: Count,
    noShows: Count,
    firstTourOn: z.nullable(LocalDate),
    paid: z.array(z.object({ currency: z.string(), amountMinor: MoneyMinor })),
  }),
})
export type Traveler = z.output<typeof Traveler>

export const travelerViews = ['all', 'on_tour', 'arriving', 'missing_data', 'duplicates'] as const

export const travelerFilters = {
  view: z.optional(z.enum(travelerViews)),
  departureId: anyOf(Id),
  importBatchId: anyOf(Id),
  nationality: anyOf(Country),
  language: anyOf(Language),
  flag: anyOf(z.enum(travelerFlags)),
  tag: anyOf(text(40)),
  tourId: anyOf(Id),
  /** Local start day of a booked departure, both included. */
  from: z.optional(LocalDate),
  to: z.optional(LocalDate),
}
export const travelerSortable = ['name', 'lastName', 'nationality', 'trip', 'toursTaken', 'createdAt'] as const

export const listTravelers = callable({
  name: 'travelers-list',
  kind: 'read',
  permission: 'travelers:read',
  summary:
    'Travelers, searched by name in any alphabet, phone, e-mail or booking reference; guides see their own guests.',
  input: listInput(travelerFilters, travelerSortable),
  output: listOutput(TravelerRow),
  topics: [
    'bookings',
    'departures',
    'manifest_entries',
    'tours',
    'traveler_documents',
    'traveler_private',
    'travelers',
  ],
})

export const exportTravelers = callable({
  name: 'travelers-export',
  kind: 'read',
  permission: 'travelers:read',
  summary: 'The filtered travelers as CSV, without sensitive columns.',
  input: exportInput(travelerFilters, travelerSortable),
  output: CsvFile,
  topics: [],
})

export const countTravelerViews = callable({
  name: 'travelers-counts',
  kind: 'read',
  permission: 'travelers:read',
  summary: 'The number of travelers in each built-in view.',
  input: z.object({}),
  output: z.object({ all: Count, on_tour: Count, arriving: Count, missing_data: Count, duplicates: Count }),
  topics: ['departures', 'manifest_entries', 'travelers'],
})

export const getTraveler = callable({
  name: 'travelers-get',
  kind: 'read',
  permission: 'travelers:read',
  summary: 'One traveler with trips and documents; sensitive fields stay hidden.',
  input: ById,
  output: Traveler,
  topics: ['bookings', 'manifest_entries', 'tours', 'traveler_documents', 'traveler_private'],
  rowTopics: ['departures', 'travelers'],
})

export const revealTraveler = callable({
  name: 'travelers-reveal',
  kind: 'write',
  permission: 'travelers_sensitive:read',
  summary: 'Shows hidden fields of a traveler; each view is recorded.',
  input: z.object({ id: Id, fields: someOf(['medical', 'date_of_birth', 'documents']).check(z.minLength(1)) }),
  output: z.object({
    medicalNote: z.nullable(z.string()),
    dateOfBirth: z.nullable(LocalDate),
    documents: z.array(z.object({ id: Id, number: z.string() })),
  }),
  repeated: 'runs-again',
  writes: [],
})

export const createTraveler = callable({
  name: 'travelers-create',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Adds a traveler.',
  input: write(TravelerFields.shape),
  output: Saved,
  writes: ['traveler_private', 'travelers'],
})

export const updateTraveler = callable({
  name: 'travelers-update',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Changes a traveler.',
  input: write({ id: Id, version: Version, ...TravelerFields.shape }),
  output: Saved,
  writes: ['traveler_private', 'travelers'],
})

/** Guests are written to about a trip for so long after its end. */
export const tripIsOverDays = 30
/** Chosen in a list at once. */
const maxTravelersChosen = 500

export const bookingsOfTravelers = callable({
  name: 'travelers-bookings',
  kind: 'read',
  permission: 'travelers:read',
  summary:
    'The bookings of the trips that travelers are on, leave for, or were on within 30 days, to write to their parties.',
  input: z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(maxTravelersChosen)) }),
  output: z.object({
    /** Each party once. */
    bookingIds: z.array(Id),
    /** Travelers without such a trip. */
    without: Count,
  }),
  topics: ['bookings', 'departures', 'manifest_entries', 'tours', 'travelers'],
})

export const tagTravelers = callable({
  name: 'travelers-tag',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Adds and removes tags on up to 500 travelers.',
  input: write({
    ids: z.array(Id).check(z.minLength(1), z.maxLength(maxTravelersChosen)),
    add: z._default(z.array(text(40)).check(z.maxLength(10)), []),
    remove: z._default(z.array(text(40)).check(z.maxLength(10)), []),
  }),
  output: z.object({ changed: Count }),
  writes: ['travelers'],
})

export const saveTravelerDocument = callable({
  name: 'travelers-save-document',
  kind: 'write',
  permission: 'travelers_sensitive:read',
  summary: 'Adds or replaces a document of a traveler.',
  input: write({
    travelerId: Id,
    id: z.optional(Id),
    kind: z.enum(documentKinds),
    number: text(60, 'document_number_missing'),
    country: orNull(Country),
    expiresOn: orNull(LocalDate),
  }),
  output: Saved,
  writes: ['traveler_documents'],
})

export const similarTravelers = callable({
  name: 'travelers-similar',
  kind: 'read',
  // It searches all guests: only people who may create a profile may call it.
  permission: 'travelers:manage',
  summary: 'People who may be the same: same phone or e-mail, or a very similar name.',
  input: z.object({
    exceptId: z.optional(Id),
    firstName: optionalText(80),
    lastName: optionalText(80),
    email: optionalText(254),
    phone: optionalText(40),
  }),
  output: z.object({
    travelers: z.array(
      z.object({
        id: Id,
        name: z.string(),
        email: z.nullable(z.string()),
        phone: z.nullable(z.string()),
        because: z.array(z.enum(['name', 'email', 'phone'])),
      }),
    ),
  }),
  topics: [],
})
