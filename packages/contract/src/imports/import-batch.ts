import * as z from 'zod/mini'
import { Count, Id, Instant, LocalDate, Version, whole } from '../fields.ts'
import { statusesOf } from '../state-machines.ts'
import { dayNumberReadings, importFields, ImportMapping, importPresets } from './import-mapping.ts'
import { ImportProblem, ImportWarning } from './import-problems.ts'
import { fileDelimiters, fileEncodings, ImportForm } from './import-reading.ts'

/** Lines of one file at most; the sender splits larger ones. */
export const maxImportRows = 100_000
/** Days for which an import can be undone; its comparison and its rejected rows are stored as long. See docs/domain.md, "Imports". */
export const importUndoDays = 30

export const importOutcomes = ['reject', 'change', 'add', 'unchanged'] as const
export type ImportOutcome = (typeof importOutcomes)[number]

export const ImportColumn = z.object({
  header: z.string(),
  /** The caller may not see the values: `firstValues` and words are empty, and examples are no values of the file. */
  hidden: z.boolean(),
  firstValues: z.array(z.string()),
  filled: Count,
  field: z.nullable(z.enum(importFields)),
  /** A question that must be answered before the check. */
  question: z.nullable(z.enum(['date_order'])),
  /** A value of the column that can be read both ways, `04.07.1989`. */
  dateExample: z.nullable(z.string()),
  /** Numbers without a format in a column of dates or times; null where there are none. */
  dayNumbers: z.nullable(
    z.object({
      cells: Count,
      /** One of them and what it means, counted from 1900 and from 1904: a civil date, or a time of day. */
      example: z.string(),
      since1900: z.string(),
      since1904: z.string(),
      reading: z.enum(dayNumberReadings),
    }),
  ),
  /** Words of the column as they are understood. */
  knownWords: z.array(z.object({ word: z.string(), meaning: z.string() })),
  /** Words without a mapping yet; their rows are refused, or stored as text where text is allowed. */
  unknownWords: z.array(z.string()),
  /** What an unknown word may mean, the likeliest first; a person chooses. */
  proposals: z.array(z.object({ word: z.string(), meanings: z.array(z.string()) })),
})
export type ImportColumn = z.output<typeof ImportColumn>

/** What shows whether amounts are those of a booking or of each guest. */
export const amountReasons = [
  'header_per_guest',
  'header_per_booking',
  'amounts_differ',
  'one_line',
  'sum_of',
  'adds_up_to',
  'nothing',
] as const

export const importJobs = ['preview', 'apply', 'undo'] as const
export const importPhases = [
  'waiting',
  'reading',
  'checking',
  'seats',
  'travelers',
  'bookings',
  'manifest',
  'undoing',
] as const

const Progress = z.object({
  job: z.enum(importJobs),
  phase: z.enum(importPhases),
  done: Count,
  of: Count,
  startedAt: Instant,
})

const Counts = z.object({
  reject: Count,
  change: Count,
  add: Count,
  unchanged: Count,
  /** New bookings, the departures they are on, and seats taken in all. */
  bookings: Count,
  departures: Count,
  seats: Count,
  /** Bookings that are new or changed. */
  bookingsWritten: Count,
  /** Guests of lines that are added: a cell may name several. */
  guests: Count,
  /** Lines with warnings, of likely duplicates apart. */
  warned: Count,
  /** Lines whose party looks like a booking that is there under another reference. */
  duplicates: Count,
})
export type ImportCounts = z.output<typeof Counts>

/** Decisions about single likely duplicates; more are decided the other way round. */
export const maxDuplicatesExcepted = 1_000

/** Which likely duplicates are imported all the same. Named by the line that says so in the check. */
export const DuplicateChoice = z.object({
  usual: z.enum(['take', 'leave_out']),
  except: z.array(whole(1, 10_000_000)).check(z.maxLength(maxDuplicatesExcepted)),
})
export type DuplicateChoice = z.output<typeof DuplicateChoice>

/** Whether the likely duplicate that a line speaks for stays out. */
export const isDuplicateLeftOut = ({ usual, except }: DuplicateChoice, line: number): boolean =>
  (usual === 'leave_out') !== except.includes(line)

export const ImportSummary = z.object({
  id: Id,
  version: Version,
  fileName: z.string(),
  status: z.enum(statusesOf('import_batches')),
  rows: Count,
  /** Null until the check is done, and again when something was changed since. */
  counts: z.nullable(Counts),
  /** Present while a job works on the batch. */
  progress: z.nullable(Progress),
  createdAt: Instant,
  createdByName: z.nullable(z.string()),
  appliedAt: z.nullable(Instant),
  undoneAt: z.nullable(Instant),
  /** Undo is offered until this day; null when it is not, or no longer. */
  undoUntil: z.nullable(LocalDate),
})
export type ImportSummary = z.output<typeof ImportSummary>

/** A guest of a party that somebody has worked on since the import, who is therefore left alone by its undo. */
export const EditedGuest = z.object({
  name: z.string(),
  departureCode: z.nullable(z.string()),
  /** The last who did; null for guests themselves, the system, and where it is not known. */
  editedByName: z.nullable(z.string()),
  editedAt: z.nullable(Instant),
})
export type EditedGuest = z.output<typeof EditedGuest>

export const ImportBatch = z.object({
  ...ImportSummary.shape,
  encoding: z.enum([...fileEncodings, 'xlsx']),
  delimiter: z.nullable(z.enum(fileDelimiters)),
  /** How the file is read, and what it shows of that. */
  form: ImportForm,
  columns: z.array(ImportColumn),
  mapping: ImportMapping,
  /**
   * What the file shows its amounts to be amounts of, by a column, perhaps by another one, in so many bookings of several lines; `of` is null where
   * it shows nothing and a person has to say. Null where nothing is to be asked.
   */
  amounts: z.nullable(
    z.object({
      of: z.nullable(z.enum(['booking', 'guest'])),
      reason: z.enum(amountReasons),
      column: z.string(),
      other: z.nullable(z.string()),
      parties: Count,
    }),
  ),
  /** The country that the time zone of the organization is in; null where that is not one. */
  homeCountry: z.nullable(z.string()),
  duplicates: DuplicateChoice,
  /** Departures that lines name and that are not there are made with it. */
  createDepartures: z.boolean(),
  /** How many those are: as checked, as made, or as left by an undo. */
  newDepartures: Count,
  /** Corrected cells. */
  corrections: Count,
  /** Name of the saved mapping that was used. */
  template: z.nullable(z.string()),
  preset: z.nullable(z.enum(importPresets)),
  /** No column says which departure; `mapping.departureCode` must. */
  needsDeparture: z.boolean(),
  /** Columns that go to fields the caller may not write. */
  refusedColumns: z.array(z.string()),
  /** First line as it will be read. */
  sampleLine: Count,
  sample: z.array(z.object({ field: z.enum(importFields), value: z.string(), problem: z.nullable(ImportProblem) })),
  /** Why the last attempt ended, and the lines it is about. */
  error: z.nullable(
    z.object({
      reason: z.string(),
      params: z.record(z.string(), z.string()),
      /** In English, for callers without words of their own. */
      message: z.string(),
      lines: z.array(Count),
    }),
  ),
  tookMs: z.nullable(Count),
  /** Rejected rows of an applied import are kept until this day; null where there are none, or no longer. */
  rejectedUntil: z.nullable(LocalDate),
  /** The same file was applied before, then. */
  sameFileAppliedAt: z.nullable(Instant),
  /** What an undo left, since somebody had worked on it. */
  keptBecauseEdited: z.array(EditedGuest),
})
export type ImportBatch = z.output<typeof ImportBatch>

export const ImportRow = z.object({
  line: Count,
  outcome: z.enum(importOutcomes),
  name: z.string(),
  departureCode: z.nullable(z.string()),
  /** Why it is refused. */
  problems: z.array(ImportProblem),
  /** Cells that were not understood; the line is imported without them. */
  warnings: z.array(ImportWarning),
  /**
   * Field of the profile, and `pickup`, `room`, `seats`, `guests` for what belongs together. Values are codes, civil dates, `4900 EUR` for money;
   * null is empty. Hidden values are `•••`.
   */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
})
export type ImportRow = z.output<typeof ImportRow>
