import type { PlainRecord } from '@tour-ops/contract/record'
import type { Insertable, Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { Tables } from '../db/tables.ts'

// The compiler's comparison of a record's definition with the migrated table, in both directions.

/** `basePlaceId` is the column `base_place_id`. */
type ColumnName<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${ColumnName<Rest>}`
  : S

/** What every table of a record has, and no definition says. */
type OwnColumn = 'org_id' | 'id' | 'version' | 'archived_at' | 'created_at' | 'updated_at'

type Row<R extends PlainRecord> = Selectable<Tables[R['table']]>
type NewRow<R extends PlainRecord> = Required<Insertable<Tables[R['table']]>>
type FieldName<R extends PlainRecord> = keyof R['fields'] & string
type Written<R extends PlainRecord, N extends FieldName<R>> = z.output<R['fields'][N]['input']>
type Answered<R extends PlainRecord, N extends FieldName<R>> = z.input<R['fields'][N]['output']>

type FieldMisfit<R extends PlainRecord, N extends FieldName<R>> =
  ColumnName<N> extends infer C extends keyof Row<R> & keyof NewRow<R> & string
    ? [Written<R, N>] extends [NewRow<R>[C]]
      ? [Row<R>[C]] extends [Answered<R, N>]
        ? never
        : `${C} may hold what the field ${N} does not know`
      : `${C} does not take what the field ${N} allows`
    : `the field ${N} has no column ${ColumnName<N>}`

type Uncovered<R extends PlainRecord> = Exclude<keyof Row<R> & string, OwnColumn | ColumnName<FieldName<R>>>

/** What is wrong between a definition and its table, as sentences; `never` when they agree. */
type Misfit<R extends PlainRecord> =
  | { [N in FieldName<R>]: FieldMisfit<R, N> }[FieldName<R>]
  | (Uncovered<R> extends infer C extends string ? `the column ${C} has no field` : never)
  | (OwnColumn extends keyof Row<R> ? never : 'the table lacks a column that every record has')

/** A definition that fits its table; one that does not has a property `misfit` too few, which the compiler names with the reason. */
export type Fitting<R extends PlainRecord> = R &
  ([Misfit<R>] extends [never] ? unknown : { readonly misfit: Misfit<R> })
