import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { ById, Count, CsvFile, Id, optionalText, someOf, Version, whole, write } from '../fields.ts'
import { listOutput } from '../paging.ts'
import {
  CellCorrection,
  CorrectedCell,
  ImportCell,
  ImportCorrection,
  maxCorrectionsAtOnce,
  maxImportCorrections,
} from './import-corrections.ts'
import { DuplicateChoice, EditedGuest, ImportBatch, importOutcomes, ImportRow, ImportSummary } from './import-batch.ts'
import { NewDeparture } from './import-departures.ts'
import { MissingParty } from './import-missing.ts'
import { ImportMapping } from './import-mapping.ts'
import { ImportReading } from './import-reading.ts'

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
  topics: ['members', 'org_settings', 'places', 'tours'],
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
  input: write({
    id: Id,
    version: Version,
    /** Without it, what was decided before. */
    duplicates: z.optional(DuplicateChoice),
    /** Makes the departures that lines name and that are not there; needs `departures:manage`. Without it, what was decided before. */
    createDepartures: z.optional(z.boolean()),
  }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const newDeparturesOfImport = callable({
  name: 'imports-departures',
  kind: 'read',
  permission: 'travelers:manage',
  summary:
    'Departures that lines of a file name and that were not there, by day: to be made, made, or left by an undo.',
  input: z.object({
    id: Id,
    page: z._default(whole(1, 10_000), 1),
    size: z._default(whole(1, 500), 100),
  }),
  output: listOutput(NewDeparture),
  topics: ['members', 'tours'],
  rowTopics: ['import_batches'],
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
    /** Only lines of likely duplicates. */
    duplicates: z._default(z.boolean(), false),
    page: z._default(whole(1, 100_000), 1),
    size: z._default(whole(1, 500), 100),
  }),
  output: listOutput(ImportRow),
  topics: ['members'],
  rowTopics: ['import_batches'],
})

export const readImportCell = callable({
  name: 'imports-cell',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'What a cell of the file holds, and how many cells of its column hold the same.',
  input: z.object({ id: Id, ...ImportCell.shape }),
  output: z.object({
    /** As it counts now: corrected, if it was. */
    text: z.string(),
    /** Cells of the column with that text, this one included. */
    equal: Count,
  }),
  topics: [],
})

export const correctImport = callable({
  name: 'imports-correct',
  kind: 'write',
  permission: 'travelers:manage',
  summary:
    'Corrects cells of the file and takes corrections back, then checks the rows again in the background. A word that a column does not know becomes part of the mapping where it is corrected everywhere.',
  input: write({
    id: Id,
    version: Version,
    corrections: z._default(z.array(CellCorrection).check(z.maxLength(maxCorrectionsAtOnce)), []),
    /** Corrected cells that shall be as in the file again. */
    takenBack: z._default(z.array(CorrectedCell).check(z.maxLength(maxImportCorrections)), []),
    /** Words that shall mean nothing again. */
    forgottenWords: z._default(
      z.array(z.string().check(z.maxLength(200))).check(z.maxLength(maxImportCorrections)),
      [],
    ),
  }),
  output: ImportBatch,
  writes: ['import_batches'],
})

export const listImportCorrections = callable({
  name: 'imports-corrections',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Corrected cells of a file in its order: what it holds, and what counts instead.',
  input: z.object({
    id: Id,
    page: z._default(whole(1, 10_000), 1),
    size: z._default(whole(1, 500), 100),
  }),
  output: listOutput(ImportCorrection),
  topics: ['members'],
  rowTopics: ['import_batches'],
})

export const missingFromImport = callable({
  name: 'imports-missing',
  kind: 'read',
  permission: 'travelers:manage',
  summary:
    'Confirmed parties on the departures of a checked or applied file who are not in it, those of its sellers first.',
  input: z.object({
    id: Id,
    page: z._default(whole(1, 10_000), 1),
    size: z._default(whole(1, 500), 100),
  }),
  output: listOutput(MissingParty),
  topics: ['bookings', 'departures', 'manifest_entries', 'members', 'travelers'],
  rowTopics: ['import_batches'],
})

/** Tables that applying an import writes to, and undoing it. */
const importedTables = [
  'alerts',
  'bookings',
  'departure_stops',
  'departures',
  'files',
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

export const discardImport = callable({
  name: 'imports-discard',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Gives up an import that was not applied, and deletes it with its file.',
  input: write({ id: Id, version: Version }),
  output: z.object({}),
  writes: ['files', 'import_batches'],
})

export const discardRejectedRows = callable({
  name: 'imports-discard-rejected',
  kind: 'write',
  permission: 'travelers:manage',
  summary: 'Deletes the refused rows of an applied import, once they are downloaded.',
  input: write({ id: Id, version: Version }),
  output: ImportBatch,
  writes: ['files', 'import_batches'],
})

export const checkImportUndo = callable({
  name: 'imports-undo-check',
  kind: 'read',
  permission: 'travelers:manage',
  summary: 'Records that an undo would leave unchanged, because somebody has edited them since.',
  input: ById,
  output: z.object({
    edited: z.array(EditedGuest),
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
