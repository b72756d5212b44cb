import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { listPlaces } from '@tour-ops/contract/places/places'
import { record } from '@tour-ops/contract/record'
import {
  choice,
  choiceWithUsual,
  line,
  longText,
  optionalLine,
  reference,
  wholeNumber,
} from '@tour-ops/contract/record-fields'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { recordVerbs } from './record-verbs.ts'

// What the compiler refuses: each expected error is one, or this file does not compile. At run time nothing reads the table.

const { fields } = equipmentRecord
const about = {
  table: 'equipment',
  nouns: ['a thing', 'things'],
  read: 'staff:read',
  manage: 'staff:manage',
  reach: 'everyone',
  title: 'name',
  sort: ['name'],
  filters: [],
  search: [],
} as const

const { note: _note, ...withoutNote } = fields

test('a definition that fits its table compiles', () => {
  expect(recordVerbs(record({ ...about, fields }))).toHaveLength(6)
})

test('a definition and its table agree in both directions', () => {
  // @ts-expect-error -- the column note has no field
  recordVerbs(record({ ...about, fields: withoutNote }))
  // @ts-expect-error -- the field weight has no column
  recordVerbs(record({ ...about, fields: { ...fields, weight: wholeNumber(0, 9) } }))
  // @ts-expect-error -- the column kind does not take `boat`
  recordVerbs(record({ ...about, fields: { ...fields, kind: choice([...fields.kind.options, 'boat']) } }))
  // @ts-expect-error -- the column condition may hold `broken`
  recordVerbs(record({ ...about, fields: { ...fields, condition: choiceWithUsual(['good', 'worn']) } }))
  // @ts-expect-error -- the column name is not null
  recordVerbs(record({ ...about, title: 'sizes', fields: { ...fields, name: optionalLine(20) } }))
  // @ts-expect-error -- the column note is a text
  recordVerbs(record({ ...about, fields: { ...fields, note: wholeNumber(0, 9) } }))
  // @ts-expect-error -- the column sizes may be null
  recordVerbs(record({ ...about, fields: { ...fields, sizes: line(20) } }))
  expect(longText(9)).toHaveProperty('kind', 'text')
})

test('a definition names only what it has', () => {
  // @ts-expect-error -- there is no column of that name to sort by
  record({ ...about, fields, sort: ['weight'] })
  // @ts-expect-error -- a text is no filter
  record({ ...about, fields, filters: ['note'] })
  // @ts-expect-error -- a number holds no words
  record({ ...about, fields, search: ['quantity'] })
  // @ts-expect-error -- a choice names no record
  record({ ...about, fields, title: 'kind' })
  // @ts-expect-error -- the live topic of this table is read with another permission
  record({ ...about, fields, read: 'tours:read' })
  // @ts-expect-error -- not defined: who with scope `own` sees them
  record({ ...about, fields, reach: undefined })
  // @ts-expect-error -- no such table of plain records
  expect(() => record({ ...about, fields, table: 'weather' })).not.toThrow()
})

test('what a definition leaves to the server is asked of it', () => {
  const derived = { issued: z.int() }
  const withDerived = record({ ...about, fields, derived, sort: ['issued'] })
  // @ts-expect-error -- not defined: how to compute `issued`
  expect(() => recordVerbs(withDerived)).not.toThrow()
  expect(recordVerbs(withDerived, { derived: { issued: () => sql`0` } })).toHaveLength(6)
  // @ts-expect-error -- the filter is not defined
  recordVerbs(record({ ...about, fields, moreFilters: { isFree: z.boolean() } }))
  expect(reference('places', listPlaces)).toHaveProperty('label', 'name')
})
