import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import {
  ById,
  Count,
  CsvFile,
  Id,
  Instant,
  LocalDate,
  optionalText,
  orNull,
  recordOf,
  someOf,
  Version,
  whole,
  write,
} from '../fields.ts'
import { listOutput } from '../paging.ts'
import { statusesOf } from '../state-machines.ts'
import { fileDelimiters, fileEncodings, ImportForm, ImportReading } from './import-reading.ts'

/** The column profile of a manifest file. See docs/domain.md, "Imports"; `full_name` for files that know only one. */
export const importFields = [
  'booking_ref',
  'external_ref',
  'channel',
  'status',
  'departure_code',
  'tour_code',
  'option',
  'start_local',
  'start_time',
  'party',
  'adults',
  'youths',
  'children',
  'infants',
  'seniors',
  'students',
  'unit_type',
  'full_name',
  'first_name',
  'last_name',
  'gender',
  'date_of_birth',
  'age',
  'nationality',
  'language',
  'email',
  'phone',
  'dietary',
  'mobility',
  'medical_note',
  'emergency_name',
  'emergency_phone',
  'passport_number',
  'passport_expiry',
  'room_key',
  'room_type',
  'pickup_place',
  'pickup_time',
  'total',
  'paid',
  'balance',
  'currency',
  'notes',
] as const
export type ImportField = (typeof importFields)[number]

/** Fields of which a file has one at least: who comes, or how many. */
export const importPartyFields: readonly ImportField[] = [
  'full_name',
  'first_name',
  'last_name',
  'party',
  'adults',
  'youths',
  'children',
  'infants',
  'seniors',
  'students',
]

/** Lines of one file at most; the sender splits larger ones. */
export const maxImportRows = 100_000
/** Columns of one file at most. */
const maxImportColumns = 200
/** Days in which an import can be undone; its comparison is stored as long. See docs/domain.md, "Imports". */
export const importUndoDays = 30

/** How a column of dates is written; nothing is guessed when day and month are ambiguous. */
export const dateOrders = ['iso', 'day_month_year', 'month_day_year'] as const

export const ImportMapping = z.object({
  /** Column of the file (its header, as written) → field of the profile; a column that is not here is left out. */
  columns: recordOf(z.enum(importFields), maxImportColumns, 500),
  dateOrder: orNull(z.enum(dateOrders)),
  /** Words of the file for unit types and channels: `ADT` → `adult`. */
  words: z._default(recordOf(z.string().check(z.maxLength(200)), 2_000), {}),
  /** What comes after a comma in a column of diets: one more need, or a remark. */
  afterComma: z._default(z.enum(['need', 'note']), 'need'),
  /** Whether an empty cell leaves what is there, or removes it. */
  emptyCells: z._default(z.enum(['keep', 'clear']), 'keep'),
  /** Whether the amounts of a line are those of its booking, or of each guest. */
  amountsOf: z._default(z.enum(['booking', 'guest']), 'booking'),
  /** What happens to amounts in another currency than that of the departure. */
  otherCurrency: z._default(z.enum(['refuse', 'accept']), 'refuse'),
  /** The departure of every line, for files that name none (rooming lists). */
  departureCode: optionalText(60),
})
export type ImportMapping = z.output<typeof ImportMapping>

/** Files that are known by their headers. See docs/domain.md, "Imports". */
export const importPresets = ['tourplan', 'trovatrip'] as const

export const importOutcomes = ['reject', 'change', 'add', 'unchanged'] as const
export type ImportOutcome = (typeof importOutcomes)[number]

/** Why a row is refused. Screens have their own words for each; `reason` says it in English for files and other callers. */
export const importProblemCodes = [
  'cells_differ',
  'name_missing',
  'text_too_long',
  'date_unreadable',
  'date_impossible',
  'date_order_unknown',
  'date_out_of_range',
  'time_unreadable',
  'phone_too_short',
  'phone_invalid',
  'phone_without_country',
  'email_invalid',
  'nationality_unknown',
  'language_unknown',
  'gender_unknown',
  'unit_unknown',
  'room_type_unknown',
  'amount_unreadable',
  'status_unknown',
  'status_open',
  'cancelled_unknown',
  'cancel_not_confirmed',
  'cancel_aboard',
  'party_unreadable',
  'count_unreadable',
  'names_in_note',
  'age_not_date',
  'currency_unknown',
  'reference_invalid',
  'party_too_large',
  'tour_unknown',
  'departure_missing',
  'departure_unknown',
  'departure_date_impossible',
  'departure_ambiguous',
  'departure_not_on_sale',
  'unit_not_sold',
  'needs_adult',
  'no_seat',
  'no_seat_same_party',
  'same_party',
  'party_disagrees',
  'person_disagrees',
  'booking_elsewhere',
  'booking_ended',
  'booking_ref_differs',
  'booking_ref_taken',
  'traveler_twice',
  'traveler_booked_already',
  'traveler_ambiguous',
  'pickup_unknown',
  'room_without_nights',
  'currency_differs',
  'currency_not_departure',
] as const
export type ImportProblemCode = (typeof importProblemCodes)[number]

export const ImportProblem = z.object({
  /** Header of the column that it is about. */
  column: z.nullable(z.string()),
  code: z.enum(importProblemCodes),
  params: z.record(z.string(), z.string()),
  reason: z.string(),
})
export type ImportProblem = z.output<typeof ImportProblem>

/** What became of a cell that was not understood: in the note of the booking, shortened, or not imported. */
export const importWarningResults = ['note', 'cut', 'left_out'] as const

/** A cell that was not understood and does not keep its line from being imported. */
export const ImportWarning = z.object({ ...ImportProblem.shape, result: z.enum(importWarningResults) })
export type ImportWarning = z.output<typeof ImportWarning>

export const ImportColumn = z.object({
  header: z.string(),
  /** The caller may not see the values: `firstValues` and words are empty, `dateExample` is no value of the file. */
  hidden: z.boolean(),
  firstValues: z.array(z.string()),
  filled: Count,
  field: z.nullable(z.enum(importFields)),
  /** A question that must be answered before the check. */
  question: z.nullable(z.enum(['date_order'])),
  /** A value of the column that can be read both ways, `04.07.1989`. */
  dateExample: z.nullable(z.string()),
  /** Words of the column as they are understood. */
  knownWords: z.array(z.object({ word: z.string(), meaning: z.string() })),
  /** Words without a mapping yet; their rows are refused, or stored as text where text is allowed. */
  unknownWords: z.array(z.string()),
})
export type ImportColumn = z.output<typeof ImportColumn>

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
  /** Lines with warnings. */
  warned: Count,
})
export type ImportCounts = z.output<typeof Counts>

/** Why a file cannot be read: `details.because` of a refusal with the reason `file_unreadable`. */
export const unreadableCauses = [
  'no_rows',
  'too_many_rows',
  'too_many_blank_rows',
  'too_many_columns',
  'too_many_cells',
  'too_much_text',
  'cell_too_long',
  'header_too_long',
  'quote_open',
  'workbook_damaged',
  'workbook_too_large',
  'workbook_too_many_parts',
  'workbook_too_many_tags',
  'workbook_too_many_styles',
  'workbook_too_many_links',
  'workbook_repeats',
  'workbook_nested',
  'workbook_long_text',
  'no_sheet',
  'markup',
] as const
export type UnreadableCause = (typeof unreadableCauses)[number]

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

export const ImportBatch = z.object({
  ...ImportSummary.shape,
  encoding: z.enum([...fileEncodings, 'xlsx']),
  delimiter: z.nullable(z.enum(fileDelimiters)),
  /** How the file is read, and what it shows of that. */
  form: ImportForm,
  columns: z.array(ImportColumn),
  mapping: ImportMapping,
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
  /** The same file was applied before, then. */
  sameFileAppliedAt: z.nullable(Instant),
  /** What an undo left, since somebody had worked on it. */
  keptBecauseEdited: z.array(z.object({ name: z.string(), departureCode: z.nullable(z.string()) })),
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
   * Field of the profile, and `pickup`, `room`, `seats` for what belongs together. Values are codes, civil dates, `4900 EUR` for money;
   * null is empty. Hidden values are `•••`.
   */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
})
export type ImportRow = z.output<typeof ImportRow>

export const listImports = callable({
  name: 'imports-list',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Import batches, newest first.',
  input: z.object({ page: z._default(whole(1, 10_000), 1), size: z._default(whole(1, 200), 50) }),
  output: listOutput(ImportSummary),
  topics: ['import_batches', 'members'],
})

export const createImport = callable({
  name: 'imports-create',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Reads an uploaded CSV or XLSX file and suggests a column mapping.',
  input: write({ fileId: Id }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const getImport = callable({
  name: 'imports-get',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'One import batch with its columns, counts and progress.',
  input: ById,
  output: ImportBatch,
  topics: ['members', 'org_settings', 'tours'],
  rowTopics: ['import_batches'],
})

export const mapImport = callable({
  name: 'imports-map',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Sets the column mapping and the date format; answers the first line as it will be read.',
  input: write({
    id: Id,
    version: Version,
    mapping: ImportMapping,
    /** Name of the saved mapping that this one came from. */
    template: optionalText(60),
    saveAsTemplate: optionalText(60),
  }),
  output: ImportBatch,
  writes: ['import_batches', 'saved_views'],
})

export const readImportAs = callable({
  name: 'imports-read-as',
  kind: 'write',
  permission: 'travelers:manage',
  summary:
    'Reads the uploaded file once more, as the person says; decisions about columns that are still there are kept, and an earlier check is discarded.',
  input: write({ id: Id, version: Version, reading: ImportReading }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const importTemplates = callable({
  name: 'imports-templates',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Saved mappings of the organization.',
  input: z.object({}),
  output: z.object({
    templates: z.array(
      z.object({ id: Id, name: z.string(), savedByName: z.nullable(z.string()), mapping: ImportMapping }),
    ),
  }),
  topics: ['members', 'saved_views'],
})

export const previewImport = callable({
  name: 'imports-preview',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Starts the dry run: nothing but the comparison is written.',
  input: write({ id: Id, version: Version }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const importRows = callable({
  name: 'imports-rows',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Rows of the dry run by outcome.',
  input: z.object({
    id: Id,
    outcome: z.optional(someOf(importOutcomes)),
    /** Only lines with warnings. */
    warned: z._default(z.boolean(), false),
    page: z._default(whole(1, 100_000), 1),
    size: z._default(whole(1, 500), 100),
  }),
  output: listOutput(ImportRow),
  topics: ['members'],
  rowTopics: ['import_batches'],
})

/** Tables that applying an import writes to, and undoing it. */
const importedTables = [
  'bookings',
  'departures',
  'import_batches',
  'manifest_entries',
  'payments',
  'room_assignments',
  'rooms',
  'traveler_documents',
  'traveler_private',
  'travelers',
] as const

export const applyImport = callable({
  name: 'imports-apply',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Writes additions and changes as one step, in the background; progress is on the batch.',
  input: write({ id: Id, version: Version }),
  output: ImportBatch,
  writes: importedTables,
})

export const stopImport = callable({
  name: 'imports-stop',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Stops the running job of a batch; nothing of it is written.',
  input: write({ id: Id }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const checkImportUndo = callable({
  name: 'imports-undo-check',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Records that an undo would leave unchanged, because somebody has edited them since.',
  input: ById,
  output: z.object({
    edited: z.array(z.object({ name: z.string(), departureCode: z.nullable(z.string()) })),
    total: Count,
  }),
  topics: ['bookings', 'check_ins', 'feedback', 'manifest_entries', 'members', 'traveler_private', 'travelers'],
  rowTopics: ['import_batches'],
})

export const undoImport = callable({
  name: 'imports-undo',
  kind: 'write',
  permission: 'travelers:manage',
  summary:
    'Restores what was there before, in the background; parties edited since are listed on the batch and left unchanged.',
  input: write({ id: Id, version: Version }),
  output: ImportBatch,
  writes: importedTables,
})

export const rejectedImportRows = callable({
  name: 'imports-rejected-csv',
  kind: 'read',
  permission: 'travelers:manage',
  summary:
    'The refused rows as they were in the file, with line and reason; without columns that the caller may not see.',
  input: ById,
  output: CsvFile,
  topics: [],
})
