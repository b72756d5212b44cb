import { ImportMapping, type ImportField } from '@tour-ops/contract/imports/import-mapping'
import { expect, test } from 'vitest'
import { fixedDataKeys, newDataKey } from '../../platform/data-keys.ts'
import { SealedText } from '../../platform/sealed-text.ts'
import { ImportSeal } from './import-seal.ts'
import { frenchAndItalianHeaderWords } from './header-words-french-italian.ts'
import { headerWords } from './header-words.ts'
import { dateShapeOf, impossibleDayIn, readDate, readTime } from './import-dates.ts'
import { guessColumns } from './import-headers.ts'
import type { NumbersOfFile } from './read-context.ts'
import { rowReader } from './read-row.ts'
import { wordKey } from '../../platform/word-key.ts'

const keys = fixedDataKeys([newDataKey()], newDataKey())
const seal = new ImportSeal(new SealedText(keys), { orgId: 'org', batchId: 'batch' })

/** What one line says when its columns are these fields. */
function read(
  cells: Partial<Record<ImportField, string>>,
  mapping: Partial<ImportMapping> = {},
  numbers: NumbersOfFile = { epoch: 1900, fractions: new Set() },
) {
  const fields = Object.keys(cells) as ImportField[]
  const columns = Object.fromEntries(fields.map((field) => [field, field]))
  const context = { mapping: { ...ImportMapping.parse({ columns }), ...mapping }, today: '2026-11-20', seal, numbers }
  return rowReader(fields, context)({ line: 2, cells: fields.map((field) => cells[field] ?? '') })
}

const problemsOf = (cells: Partial<Record<ImportField, string>>, mapping?: Partial<ImportMapping>) =>
  read({ last_name: 'Okafor', ...cells }, mapping).problems.map((found) => [found.column, found.code])
const warningsOf = (cells: Partial<Record<ImportField, string>>) =>
  read({ last_name: 'Okafor', ...cells }).warnings.map((found) => [found.column, found.code, found.result])
const valuesOf = (cells: Partial<Record<ImportField, string>>, mapping?: Partial<ImportMapping>) =>
  read({ last_name: 'Okafor', ...cells }, mapping).values

test('headers of our profile, of agents in three languages and of the known presets find their fields', () => {
  expect(guessColumns(['booking_ref', 'Nachname', 'FECHA DE NACIMIENTO', 'E-Mail', 'Reisepass-Nr']).columns).toEqual({
    booking_ref: 'booking_ref',
    Nachname: 'last_name',
    'FECHA DE NACIMIENTO': 'date_of_birth',
    'E-Mail': 'email',
  })
  const tourplan = 'RoomKey,RoomType,Title,Forename,Surname,PaxType,BirthDate,PassportNumber,Notes'.split(',')
  expect(guessColumns(tourplan)).toEqual({
    preset: 'tourplan',
    columns: {
      RoomKey: 'room_key',
      RoomType: 'room_type',
      Forename: 'first_name',
      Surname: 'last_name',
      PaxType: 'unit_type',
      BirthDate: 'date_of_birth',
      PassportNumber: 'passport_number',
      Notes: 'notes',
    },
  })
  const trova = guessColumns([
    'Name',
    'Order Id',
    'Traveler Type',
    'First Name',
    'Last Name',
    'Gender',
    'Dietary Restrictions',
  ])
  expect(trova.preset).toBe('trovatrip')
  expect(trova.columns).toMatchObject({ 'Order Id': 'external_ref', 'Last Name': 'last_name' })
  expect(trova.columns).not.toHaveProperty('Name')
  expect(guessColumns(['Name', 'Passenger']).columns).toEqual({ Name: 'full_name' })
})

test('French and Italian headers are known, and half a name alone is the whole of it', () => {
  const french = ['Référence', 'Nom', 'Prénom', 'Date de départ', 'Nb adultes', 'Solde dû', 'Régime alimentaire']
  expect(Object.values(guessColumns(french).columns)).toEqual([
    'booking_ref',
    'last_name',
    'first_name',
    'start_local',
    'adults',
    'balance',
    'dietary',
  ])
  const italian = ['N. prenotazione', 'Nome', 'Cognome', 'Data di partenza', 'Bambini', 'Da pagare', 'Lingua']
  expect(Object.values(guessColumns(italian).columns)).toEqual([
    'booking_ref',
    'first_name',
    'last_name',
    'start_local',
    'children',
    'balance',
    'language',
  ])
  expect(guessColumns(['Nom', 'Courriel']).columns).toEqual({ Nom: 'full_name', Courriel: 'email' })
  expect(guessColumns(['Nome', 'Telefono']).columns).toEqual({ Nome: 'full_name', Telefono: 'phone' })
  expect(guessColumns(['Nome', 'Ospite']).columns).toEqual({ Ospite: 'full_name' })
  expect(guessColumns(['Constructor', '__proto__', 'toString', 'ETA']).columns).toEqual({})
})

test('no word of a header means two fields', () => {
  const fields = new Map<string, string>()
  for (const words of [headerWords, frenchAndItalianHeaderWords])
    for (const [field, spellings] of Object.entries(words))
      for (const word of spellings) {
        const key = wordKey(word)
        expect([word, fields.get(key) ?? field]).toEqual([word, field])
        fields.set(key, field)
      }
})

test('dates are read as they say themselves, or as declared, and never guessed', () => {
  expect(readDate('1989-07-04', null, 2026)).toEqual({ date: '1989-07-04', time: null })
  expect(readDate('4 Juli 1989', null, 2026)).toEqual({ date: '1989-07-04', time: null })
  expect(readDate('04-mrz-89', null, 2026)).toEqual({ date: '1989-03-04', time: null })
  expect(readDate('04.07.1989', null, 2026)).toEqual({ problem: 'date_order_unknown' })
  expect(readDate('04.07.1989', 'day_month_year', 2026)).toEqual({ date: '1989-07-04', time: null })
  expect(readDate('04/07/1989', 'month_day_year', 2026)).toEqual({ date: '1989-04-07', time: null })
  expect(readDate('25/12/1989', null, 2026)).toEqual({ date: '1989-12-25', time: null })
  expect(readDate('12/25/1989', 'day_month_year', 2026)).toEqual({ problem: 'date_impossible' })
  expect(readDate('31.02.1990', 'day_month_year', 2026)).toEqual({ problem: 'date_impossible' })
  expect(readDate('05.05.05', null, 2026)).toEqual({ date: '2005-05-05', time: null })
  expect(readDate('05.05.45', null, 2026)).toEqual({ date: '1945-05-05', time: null })
  expect(readDate('2026-11-21T09:00:00Z', null, 2076)).toEqual({ date: '2026-11-21', time: '09:00' })
  expect(readDate('soon', null, 2026)).toEqual({ problem: 'date_unreadable' })
  expect(['04.07.1989', '31.1.1990', '1/31/1990', '7.7.1977', '1990-01-31', 'x'].map(dateShapeOf)).toEqual([
    'either',
    'day_first',
    'month_first',
    'iso',
    'iso',
    'none',
  ])
  expect(impossibleDayIn('GOLD-261131-0900')).toEqual({ month: '11', days: '30' })
  expect(impossibleDayIn('GOLD-261130-0900')).toBeUndefined()
})

const date = (text: string) => {
  const read = readDate(text, null, 2076)
  return 'problem' in read ? read.problem : [read.date, read.time].filter((part) => part !== null).join(' ')
}

test.each([
  ['March 3, 2026', '2026-03-03'],
  ['Mar 3rd 2026 9:05 am', '2026-03-03 09:05'],
  ['3rd of March 2026', '2026-03-03'],
  ['Tue, 3 March 2026 at 14:30', '2026-03-03 14:30'],
  ['3 de marzo de 2026', '2026-03-03'],
  ['martes, 3 de marzo de 2026, 9:00', '2026-03-03 09:00'],
  ['1er mars 2026', '2026-03-01'],
  ['mar. 3 mars 2026 à 09h30', '2026-03-03 09:30'],
  ['Mardi 3 mars 2026', '2026-03-03'],
  ['mar 2 giugno 2026', '2026-06-02'],
  ['Mar 3, 2026', '2026-03-03'],
  ['15 août 2026', '2026-08-15'],
  ['5 juil. 2026', '2026-07-05'],
  ['5 juin 26', '2026-06-05'],
  ['Dienstag, 3. März 2026 um 09:00 Uhr', '2026-03-03 09:00'],
  ['Di 03.03.2026', '2026-03-03'],
  ['3 januari 2026', '2026-01-03'],
  ['3 Febuary 2026', '2026-02-03'],
  ['3 março 2026', '2026-03-03'],
  ['3 martes 2026', 'date_unreadable'],
  ['Martes 2026', 'date_unreadable'],
  ['5 jui 2026', 'date_unreadable'],
  ['31 avril 2026', 'date_impossible'],
  ['Marseille 2026', 'date_unreadable'],
])('a date with its month as a word: %s', (text, expected) => {
  expect(date(text)).toBe(expected)
})

test('every way in which five languages write a day with its month as a word is that day', () => {
  for (const language of ['en', 'en-GB', 'de', 'es', 'fr', 'it'])
    for (const month of ['long', 'short'] as const)
      for (const weekday of ['long', 'short', undefined] as const)
        for (let day = 0; day < 366; day += 5) {
          const at = new Date(Date.UTC(2028, 0, 1 + day, 16, 5))
          const shape = { weekday, day: 'numeric', month, year: 'numeric', timeZone: 'UTC' } as const
          const civil = at.toISOString().slice(0, 10)
          const written = new Intl.DateTimeFormat(language, shape).format(at)
          expect([written, date(written), dateShapeOf(written)]).toEqual([written, civil, 'iso'])
          const timed = new Intl.DateTimeFormat(language, { ...shape, hour: 'numeric', minute: '2-digit' }).format(at)
          expect([timed, date(timed)]).toEqual([timed, `${civil} 16:05`])
        }
})

test('times come in many forms', () => {
  expect(['8:20', '08.20 Uhr', '8:20 pm', '12:05 am', '9h', '25:00', '820'].map(readTime)).toEqual([
    '08:20',
    '08:20',
    '20:20',
    '00:05',
    '09:00',
    undefined,
    undefined,
  ])
})

test.each([
  ['DE', ['German', 'Deutsch', 'deutsche', 'alemán', 'Alemana', 'allemand', 'tedesca']],
  ['ES', ['Spanish', 'spanisch', 'española', 'espagnol', 'spagnola']],
  ['AT', ['Austrian', 'Österreicher', 'austríaca', 'autrichienne', 'austriaco']],
  ['ZA', ['South African', 'südafrikanisch', 'sudafricana']],
] as const)('nationality %s is said as an adjective in five languages', (nationality, words) => {
  for (const word of words)
    expect([word, valuesOf({ nationality: word })]).toEqual([word, expect.objectContaining({ nationality })])
})

test('phones become international by their prefix or the nationality, and say what is missing', () => {
  expect(valuesOf({ phone: '0044 7700 900181' })).toMatchObject({ phone: '+447700900181' })
  expect(valuesOf({ phone: '0171 1234567', nationality: 'Deutschland' })).toMatchObject({ phone: '+491711234567' })
  expect(warningsOf({ phone: '0171 1234567' })).toEqual([['phone', 'phone_without_country', 'note']])
  expect(warningsOf({ phone: '0049 30' })).toEqual([['phone', 'phone_too_short', 'note']])
  expect(warningsOf({ phone: '+49 call me' })).toEqual([['phone', 'phone_invalid', 'note']])
})

test('words of agents are understood, their own list goes first, and unknown ones are reported', () => {
  expect(valuesOf({ unit_type: 'ADT', nationality: 'GBR', language: 'Deutsch', gender: 'Frau' })).toMatchObject({
    unitType: 'adult',
    nationality: 'GB',
    language: 'de',
    gender: 'female',
  })
  expect(valuesOf({ unit_type: 'X1' }, { words: { x1: 'child' } })).toMatchObject({ unitType: 'child' })
  expect(problemsOf({ unit_type: 'X1' })).toEqual([['unit_type', 'unit_unknown']])
  expect(warningsOf({ nationality: 'Atlantis', gender: '?', language: 'Klingon' })).toEqual([
    ['nationality', 'nationality_unknown', 'note'],
    ['gender', 'gender_unknown', 'note'],
    ['language', 'language_unknown', 'note'],
  ])
  expect(valuesOf({ channel: 'OTA' })).toMatchObject({ channel: 'ota' })
  expect(valuesOf({ channel: 'Viator' })).toMatchObject({ channel: 'ota', sellerName: 'Viator' })
  expect(valuesOf({ channel: 'fjordsales' })).toMatchObject({ channel: 'agent', sellerName: 'fjordsales' })
})

test('diets become needs, what has no code is stored as text, and "none" is none', () => {
  expect(valuesOf({ dietary: 'vegan, no nuts' })).toMatchObject({
    dietary: ['vegan', 'nut_allergy'],
    dietaryNote: null,
  })
  expect(valuesOf({ dietary: 'vegan, no nuts' }, { afterComma: 'note' })).toMatchObject({
    dietary: ['vegan'],
    dietaryNote: 'no nuts',
  })
  expect(valuesOf({ dietary: 'only rice' })).toMatchObject({ dietary: ['other'], dietaryNote: 'only rice' })
  expect(valuesOf({ dietary: 'keine' })).toMatchObject({ dietary: [] })
  expect(valuesOf({ mobility: 'Rollstuhl' })).toMatchObject({ mobility: 'wheelchair', mobilityNote: null })
  expect(valuesOf({ mobility: 'bad knee' })).toMatchObject({ mobility: 'other', mobilityNote: 'bad knee' })
})

test('amounts of both conventions are read, and what could be either is not', () => {
  expect(
    ['1.234,50', '1,234.50', '€89', '12,5', '1.234', '1 234', 'EUR 7'].map((paid) => valuesOf({ paid }).paid),
  ).toEqual(['1234.50', '1234.50', '89', '12.5', '1234', '1234', '7'])
  expect(['-5', 'free', '1.2.3,4.5'].flatMap((balance) => problemsOf({ balance }))).toEqual([
    ['balance', 'amount_unreadable'],
    ['balance', 'amount_unreadable'],
    ['balance', 'amount_unreadable'],
  ])
  expect(valuesOf({ currency: '€' })).toMatchObject({ currency: 'EUR' })
  expect(problemsOf({ currency: 'Taler' })).toEqual([['currency', 'currency_unknown']])
})

test('names come in one column or two, and somebody without any is refused', () => {
  expect(read({ full_name: 'Okafor, Amara' }).values).toMatchObject({ firstName: 'Amara', lastName: 'Okafor' })
  expect(read({ full_name: 'Amara Ngozi Okafor' }).values).toMatchObject({
    firstName: 'Amara Ngozi',
    lastName: 'Okafor',
  })
  expect(read({ first_name: 'Sukarno' }).values).toEqual({ lastName: 'Sukarno' })
  expect(read({ first_name: ' ', last_name: '' }).problems.map((found) => found.code)).toEqual(['name_missing'])
})

test('passport numbers and medical notes are sealed at once, and a formula guard of an export is taken off', () => {
  const { passport } = valuesOf({ passport_number: 'x 123-456' })
  expect(passport?.last4).toBe('3456')
  expect(seal.open(passport?.sealed ?? '')).toBe('X123456')
  const { medicalNote } = valuesOf({ medical_note: 'Epilepsy\nsince 2019' })
  expect(JSON.stringify(medicalNote)).not.toContain('Epilepsy')
  expect(seal.open(medicalNote?.sealed ?? '')).toBe('Epilepsy\nsince 2019')
  expect(warningsOf({ medical_note: 'x'.repeat(2001) })).toEqual([['medical_note', 'text_too_long', 'cut']])
  expect(seal.open(valuesOf({ medical_note: 'x'.repeat(2001) }).medicalNote?.sealed ?? '')).toHaveLength(2000)
  expect(warningsOf({ notes: 'x'.repeat(2001) })).toEqual([['notes', 'text_too_long', 'cut']])
  expect(valuesOf({ medical_note: '' }, { emptyCells: 'clear' })).toMatchObject({ medicalNote: null })
  expect(valuesOf({ notes: "'=1+1\nsecond line" })).toMatchObject({ notes: '=1+1\nsecond line' })
})

test('an optional cell that is not understood is kept for the note, with the person it is about; a sensitive one is not', () => {
  expect(valuesOf({ first_name: 'Amara', email: 'nobody at home', pickup_time: 'soon' })).toEqual({
    firstName: 'Amara',
    lastName: 'Okafor',
    kept: ['email (Amara Okafor): nobody at home', 'pickup_time: soon'],
  })
  expect(warningsOf({ date_of_birth: '2027-01-01', passport_expiry: 'never' })).toEqual([
    ['date_of_birth', 'date_out_of_range', 'left_out'],
    ['passport_expiry', 'date_unreadable', 'left_out'],
  ])
  expect(valuesOf({ date_of_birth: '31.02.1990', passport_expiry: 'never' })).toEqual({ lastName: 'Okafor' })
})

test('names, references and cells beyond the header that are not sound refuse the line', () => {
  expect(problemsOf({ first_name: 'x'.repeat(81) })).toEqual([['first_name', 'text_too_long']])
  expect(problemsOf({ booking_ref: 'AB' })).toEqual([['booking_ref', 'reference_invalid']])
  const context = {
    mapping: ImportMapping.parse({ columns: { Name: 'full_name' } }),
    today: '2026-11-20',
    seal,
    numbers: { epoch: null, fractions: new Set<string>() },
  }
  const long = rowReader(['Name'], context)({ line: 2, cells: ['A B', '', 'too far'] })
  expect(long.problems).toEqual([{ code: 'cells_differ', column: null, params: { found: '3', expected: '1' } }])
})

test('two spellings of a name have one key', () => {
  expect(['NYSTRÖM', 'Nystrøm', ' nystrom '].map(wordKey)).toEqual(['nystrom', 'nystrom', 'nystrom'])
  expect(wordKey("O'Brien-Smith")).toBe('o brien smith')
  expect(wordKey('張偉')).toBe('張偉')
})

test('a tour has its start in its name, a range its beginning, and a language its name', () => {
  expect(valuesOf({ tour_code: 'Golden Circle (9:00 am)', start_local: '2031-11-21' })).toMatchObject({
    tourCode: 'Golden Circle',
    startDate: '2031-11-21',
    startTime: '09:00',
  })
  expect(valuesOf({ tour_code: 'Golden Circle - 14:30' })).toMatchObject({
    tourCode: 'Golden Circle',
    startTime: '14:30',
  })
  expect(valuesOf({ tour_code: 'GOLD' })).toEqual({ lastName: 'Okafor', tourCode: 'GOLD' })
  expect(valuesOf({ start_local: '2031-11-21 00:00', start_time: '09:00 - 17:00' }).startTime).toBe('09:00')
  expect(warningsOf({ start_time: 'flexible' })).toEqual([['start_time', 'time_unreadable', 'note']])
  expect(valuesOf({ language: 'English - Guide' }).language).toBe('en')
  expect(valuesOf({ language: 'German (live guide)' }).language).toBe('de')
})

test('an age is kept in the note and makes no birth date, an option is kept, and a currency stands next to an amount', () => {
  expect(valuesOf({ first_name: 'Amara', age: '34', option: 'Small group 8:30' })).toEqual({
    firstName: 'Amara',
    lastName: 'Okafor',
    startTime: '08:30',
    kept: ['option: Small group 8:30', 'age (Amara Okafor): 34'],
  })
  expect(warningsOf({ date_of_birth: '34' })).toEqual([['date_of_birth', 'age_not_date', 'left_out']])
  expect(valuesOf({ date_of_birth: '0' })).toEqual({ lastName: 'Okafor' })
  expect(valuesOf({ total: 'EUR 1,200.00' })).toMatchObject({ total: '1200.00', currency: 'EUR' })
  expect(valuesOf({ paid: '£80' })).toMatchObject({ paid: '80', currency: 'GBP' })
  expect(valuesOf({ paid: '$80' })).toEqual({ lastName: 'Okafor', paid: '80' })
})

test('numbers of days are dates, with their part of the day as the time, in the calendar of the workbook or not at all', () => {
  const dates = { start_local: '46350.375', date_of_birth: '27852', changed_at: '46350,5' }
  expect(valuesOf(dates)).toMatchObject({
    startDate: '2026-11-24',
    startTime: '09:00',
    dateOfBirth: '1976-04-02',
    changedAt: '2026-11-24 12:00:00',
  })
  const read1904 = read({ last_name: 'Okafor', start_local: '44888' }, {}, { epoch: 1904, fractions: new Set() })
  expect(read1904.values.startDate).toBe('2026-11-24')
  const refused = read({ last_name: 'Okafor', start_local: '46350' }, {}, { epoch: null, fractions: new Set() })
  expect(refused.problems.map(({ code }) => code)).toEqual(['date_unreadable'])
})

test('a date without separators, a year, an age and a number of six digits are no numbers of days', () => {
  for (const start_local of ['20261124', '2026', '463500', '4635', '46350-1', '1e4']) {
    expect(problemsOf({ start_local }), start_local).toEqual([['start_local', 'date_unreadable']])
  }
  expect(warningsOf({ date_of_birth: '41' })).toEqual([['date_of_birth', 'age_not_date', 'left_out']])
})

test('a part of a day is a time only in a column of those', () => {
  const fractions = { epoch: 1900, fractions: new Set(['start_time', 'pickup_time']) } as const
  const times = { last_name: 'Okafor', start_time: '0.375', pickup_time: '0,25' }
  expect(read(times, {}, fractions).values).toMatchObject({ startTime: '09:00', pickupTime: '06:00' })
  expect(read({ ...times, pickup_time: '9.30' }, {}, fractions).values).toMatchObject({ pickupTime: '09:30' })
  expect(valuesOf({ pickup_time: '0.25' })).toMatchObject({ pickupTime: '00:25' })
  const refused = read(times, {}, { ...fractions, epoch: null })
  expect(refused.values).not.toHaveProperty('startTime')
  expect(refused.warnings.map(({ code }) => code)).toEqual(['time_unreadable', 'time_unreadable'])
})

test('a phone without a country is of that of the file, if it is one there, and of the nationality before that', () => {
  const german = { phoneCountry: 'DE' }
  expect(valuesOf({ phone: '030 901820' }, german).phone).toBe('+4930901820')
  expect(valuesOf({ phone: '+44 7700 900181' }, german).phone).toBe('+447700900181')
  expect(valuesOf({ phone: '(415) 555-2671', nationality: 'US' }, german).phone).toBe('+14155552671')
  expect(warningsOf({ phone: '030 901820' })).toEqual([['phone', 'phone_without_country', 'note']])
  expect(read({ last_name: 'Okafor', phone: '(415) 555-2671' }, { phoneCountry: 'IS' }).warnings).toMatchObject([
    { code: 'phone_invalid' },
  ])
})
