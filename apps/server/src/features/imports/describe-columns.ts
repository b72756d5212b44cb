import type { ImportBatch, ImportColumn } from '@tour-ops/contract/imports/import-batch'
import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import type { ColumnAnalysis, FileAnalysis, FileSamples } from './file-analysis.ts'
import type { FileSight } from './file-sight.ts'
import {
  channelWords,
  dietWords,
  genderWords,
  meaningOf,
  meansNothing,
  roomWords,
  statusWords,
  unitWords,
} from './recognized-values.ts'
import { describeProblem } from './import-problems.ts'
import { countsText, unknownKindsIn } from './party-text.ts'
import { tourIn } from './tour-cells.ts'
import { type KnownTour, TourMatcher } from './tour-match.ts'
import { wordKey } from '../../platform/word-key.ts'
import { rowReader } from './read-row.ts'
import type { ReadContext } from './read-context.ts'
import { dateFields, describeNumbers } from './numbers-of-file.ts'
import { pickupNamed, pickupsNear } from './pickup-match.ts'
import { nameOf } from './plan-types.ts'
import type { RowValues } from './row-values.ts'
import { fieldOf } from './sensitive-columns.ts'

const departureFields: ReadonlySet<ImportField> = new Set(['departure_code', 'tour_code'])

const isDateColumn = (mapping: ImportMapping, column: ColumnAnalysis): boolean => {
  const field = fieldOf(mapping, column.header)
  return field !== undefined && dateFields.has(field)
}

/**
 * The order of day and month that the file itself proves: a 25 can be no month. Null where the file does not decide, and where one
 * column says this and another that.
 */
export function provenOrder(analysis: FileAnalysis, mapping: ImportMapping): ImportMapping['dateOrder'] {
  const columns = analysis.columns.filter((column) => isDateColumn(mapping, column))
  const dayFirst = columns.some((column) => column.dates.dayFirst > 0)
  const monthFirst = columns.some((column) => column.dates.monthFirst > 0)
  if (dayFirst === monthFirst) return null
  return dayFirst ? 'day_month_year' : 'month_day_year'
}

/** Whether some column says which departure a line is for. */
export const namesDeparture = (mapping: ImportMapping): boolean =>
  Object.values(mapping.columns).some((field) => departureFields.has(field))

type Vocabulary = ReadonlyMap<string, string>
const vocabularies: Readonly<Partial<Record<ImportField, Vocabulary>>> = {
  unit_type: unitWords,
  channel: channelWords,
  status: statusWords,
  gender: genderWords,
  room_type: roomWords,
}

/** Stands for a value that is not shown, in the question about day and month. */
const hiddenDateExample = '01.02.2000'

/** What columns of a file may name. */
export interface KnownNames {
  /** Where a column names tours, all of them. */
  readonly tours: readonly KnownTour[]
  /** Where a column names places, those of all. */
  readonly places: readonly string[]
}

/** Columns with first values, where they go, and what is to be asked about them. */
export const describeColumns = (
  { analysis, mapping, samples }: ShownFile,
  sight: FileSight,
  known: KnownNames,
): ImportColumn[] =>
  analysis.columns.map((column, index) => {
    const { values = [], dateExample = null } = samples.columns[index] ?? {}
    const field = fieldOf(mapping, column.header) ?? null
    const asksOrder = isDateColumn(mapping, column) && column.dates.either > 0
    const hidden = sight.hidesColumn(column.header)
    return {
      header: column.header,
      hidden,
      firstValues: hidden ? [] : values.slice(0, 2),
      filled: column.filled,
      field,
      question: asksOrder && mapping.dateOrder === null ? 'date_order' : null,
      dateExample: asksOrder ? ((hidden ? null : dateExample) ?? hiddenDateExample) : null,
      dayNumbers: describeNumbers({ analysis, mapping }, column, samples.columns[index], hidden),
      ...(hidden ? nothingSaid : { proposals: [], ...wordsOf(values, field, mapping, known) }),
    }
  })

/** A batch with its samples, opened. */
export interface ShownFile {
  readonly analysis: FileAnalysis
  readonly mapping: ImportMapping
  readonly samples: FileSamples
}

type SaidWords = Pick<ImportColumn, 'knownWords' | 'unknownWords'> & Partial<Pick<ImportColumn, 'proposals'>>

const nothingSaid = { knownWords: [], unknownWords: [], proposals: [] }

function wordsOf(
  values: readonly string[],
  field: ImportField | null,
  { words, afterComma }: ImportMapping,
  { tours, places }: KnownNames,
): SaidWords {
  const vocabulary = field && vocabularies[field]
  if (field === 'tour_code') return toursOf(values, new TourMatcher(tours, words))
  if (field === 'pickup_place') return placesOf(values, places, words)
  if (field === 'party') {
    return { knownWords: [], unknownWords: [...new Set(values.flatMap((value) => unknownKindsIn(value, words)))] }
  }
  if (field === 'dietary') return dietsOf(values, words, afterComma)
  if (!field || !vocabulary) return { knownWords: [], unknownWords: [] }
  // an unknown channel is the name of a seller, which is nothing to ask about
  const unsaid = field === 'channel' ? 'agent' : undefined
  const read = values.map((word) => ({ word, meaning: meaningOf(vocabulary, word, words) ?? unsaid }))
  return {
    knownWords: read.flatMap(({ word, meaning }) =>
      meaning !== undefined && (isChosen(field) || word.toLowerCase() !== meaning.toLowerCase())
        ? [{ word, meaning }]
        : [],
    ),
    unknownWords: read.flatMap(({ word, meaning }) => (meaning === undefined ? [word] : [])),
  }
}

/** Fields whose known words mean something else at some operators, and are listed so that they can be given that meaning. */
const isChosen = (field: ImportField): boolean => field === 'status' || field === 'channel'

/** Diets by what a person said, and those that stay as they were written. */
function dietsOf(
  values: readonly string[],
  words: ImportMapping['words'],
  afterComma: ImportMapping['afterComma'],
): Pick<ImportColumn, 'knownWords' | 'unknownWords'> {
  const parts = values.flatMap((value) => (afterComma === 'need' ? value.split(/[,;/+]/) : [value]))
  const said = [...new Set(parts.map((part) => part.trim()))]
    .filter((word) => word !== '' && !meansNothing(word) && meaningOf(dietWords, word) === undefined)
    .map((word) => ({ word, meaning: meaningOf(dietWords, word, words) }))
  return {
    knownWords: said.flatMap(({ word, meaning }) => (meaning === undefined ? [] : [{ word, meaning }])),
    unknownWords: said.flatMap(({ word, meaning }) => (meaning === undefined ? [word] : [])),
  }
}

/** Texts that are found to mean a tour, and those that are not; one that is its code or name is nothing to tell. */
function toursOf(values: readonly string[], matcher: TourMatcher): Pick<ImportColumn, 'knownWords' | 'unknownWords'> {
  const named = [...new Set(values.map((value) => tourIn(value).name))].map((word) => ({
    word,
    tours: matcher.find(word),
  }))
  const isSaid = (word: string, { code, name }: KnownTour) =>
    [code, name].some((each) => wordKey(each) === wordKey(word))
  return {
    knownWords: named.flatMap(({ word, tours: [tour] }) =>
      tour && !isSaid(word, tour) ? [{ word, meaning: tour.code }] : [],
    ),
    unknownWords: named.flatMap(({ word, tours }) => (tours.length === 0 ? [word] : [])),
  }
}

/** Texts that are found to mean a place, and those that are not, with the places that they may mean. */
function placesOf(values: readonly string[], places: readonly string[], words: ImportMapping['words']): SaidWords {
  const named = values.map((word) => ({ word, meaning: pickupNamed(word, places, words) }))
  const unknown = named.flatMap(({ word, meaning }) => (meaning === undefined ? [word] : []))
  return {
    knownWords: named.flatMap(({ word, meaning }) =>
      meaning !== undefined && wordKey(meaning) !== wordKey(word) ? [{ word, meaning }] : [],
    ),
    unknownWords: unknown,
    proposals: unknown
      .map((word) => ({ word, meanings: pickupsNear(word, places) }))
      .filter(({ meanings }) => meanings.length > 0),
  }
}

type Sample = ImportBatch['sample']

/** What the first line says under a mapping, field by field, with whatever is wrong with it. */
export function describeSample({ analysis, samples }: ShownFile, context: ReadContext, sight: FileSight): Sample {
  const { values, problems, warnings } = rowReader(analysis.headers, context)(samples.first)
  const said: Partial<Record<ImportField, string>> = {
    ...departureOf(values),
    ...personOf(values),
    ...stringsOnly({
      room_key: values.roomKey,
      room_type: values.roomType,
      pickup_place: values.pickupPlace,
      pickup_time: values.pickupTime,
      total: values.total,
      paid: values.paid,
      balance: values.balance,
      currency: values.currency,
      notes: values.notes,
    }),
  }
  const troubled = [...problems, ...warnings].flatMap((found) => {
    const field = found.column === null ? undefined : fieldOf(context.mapping, found.column)
    return field ? [{ field, value: found.params['value'] ?? '', problem: sight.problem(describeProblem(found)) }] : []
  })
  const sound = (Object.keys(said) as ImportField[])
    .filter((field) => !troubled.some((entry) => entry.field === field))
    .map((field) => ({ field, value: said[field] ?? '', problem: null }))
  return [...sound, ...troubled].map((entry) => ({ ...entry, value: sight.value(entry.field, entry.value) }))
}

function stringsOnly(
  values: Readonly<Partial<Record<ImportField, string | null | undefined>>>,
): Partial<Record<ImportField, string>> {
  const found: Partial<Record<ImportField, string>> = {}
  for (const field of Object.keys(values) as ImportField[]) {
    const value = values[field]
    if (value) found[field] = value
  }
  return found
}

const departureOf = (values: RowValues) =>
  stringsOnly({
    departure_code: values.departureCode,
    tour_code: values.tourCode,
    start_local: values.startDate && [values.startDate, values.startTime].filter(Boolean).join(' '),
    external_ref: values.externalRef,
    booking_ref: values.bookingRef,
    status: values.status,
    changed_at: values.changedAt,
    channel: values.sellerName ?? values.channel,
    unit_type: values.unitType,
    party: values.units && countsText(values.units),
  })

const personOf = (values: RowValues) =>
  stringsOnly({
    first_name: values.firstName,
    last_name: values.lastName,
    full_name: values.others && [values, ...values.others].map(nameOf).join(', '),
    gender: values.gender,
    date_of_birth: values.dateOfBirth,
    nationality: values.nationality,
    language: values.language,
    email: values.email,
    phone: values.phone,
    dietary: values.dietary && [...values.dietary, ...(values.dietaryNote ? [values.dietaryNote] : [])].join(', '),
    mobility: values.mobility,
    medical_note: values.medicalNote && '•••',
    emergency_name: values.emergencyName,
    emergency_phone: values.emergencyPhone,
    passport_number: values.passport && `••• ${values.passport.last4}`,
    passport_expiry: values.passportExpiry,
  })
