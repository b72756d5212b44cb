import { isReference, isReferences, referencesOf, type PlainRecord } from '@tour-ops/contract/record'
import { columnOf } from '../src/platform/records/record-sql.ts'

// What tests that walk all tables and callables need of plain records follows from their definitions.

type Values = Record<string, unknown>

/** A valid input of a record, without references. */
export const sampleInput = ({ fields }: PlainRecord): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, { sample }]) => [name, sample]))

/** A row of a record's table without its keys, naming the samples of other tables. @param idOf The sample of a table. */
export const sampleColumns = ({ fields }: PlainRecord, idOf: (table: string) => string): Values =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      columnOf(name),
      isReference(field) ? idOf(field.table) : isReferences(field) ? [idOf(field.table)] : field.sample,
    ]),
  )

/** Fields of a record's inputs that name other records, with the tables that these are in. */
export const referencedTables = ({ fields }: PlainRecord): Record<string, string> =>
  Object.fromEntries(
    referencesOf(fields).map(({ field, table, kind }) => [kind === 'references' ? `${field}.*` : field, table]),
  )

/** The same for the filters of its list. */
export const filteredTables = ({ fields, filters }: PlainRecord): Record<string, string> =>
  Object.fromEntries(
    referencesOf(fields)
      .filter(({ field }) => filters.includes(field))
      .map(({ field, table }) => [`filters.${field}.*`, table]),
  )
