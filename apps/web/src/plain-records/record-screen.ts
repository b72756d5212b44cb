import type { LinkProps } from '@tanstack/react-router'
import type { Out } from '@tour-ops/contract/callable'
import type { FieldsOfKind, PlainRecord } from '@tour-ops/contract/record'
import type { ReactNode } from 'react'

type Label = () => string
type FieldName<R extends PlainRecord> = keyof R['fields'] & string
type DerivedName<R extends PlainRecord> = keyof R['derived'] & string
type ChoiceName<R extends PlainRecord> = FieldsOfKind<R['fields'], 'choice'>
type Option<R extends PlainRecord, N extends ChoiceName<R>> = Extract<Out<R['get']>[N & keyof Out<R['get']>], string>

type Address = NonNullable<LinkProps['to']>
/** The addresses of a list that has a form to add and one to change below it. */
type ListPath<A extends string = Address> = A extends `${infer P}/edit/$id`
  ? `${P}/create` extends Address
    ? P
    : never
  : never

/** How a column looks where its kind of field does not say enough. */
interface ColumnLook {
  /** What the column is called where the name of the field says how it is filled in. */
  readonly header?: Label
  /** Pixels. */
  readonly width?: number
  readonly grow?: boolean
  readonly isHidden?: boolean
}

interface DerivedColumn<Row> extends Omit<ColumnLook, 'header'> {
  readonly label: Label
  readonly cell: (row: Row) => ReactNode
}

interface ScreenText<R extends PlainRecord> {
  /** Address of the list; below it are `/create` and `/edit/$id`. */
  readonly path: ListPath
  /** What the list is called. */
  readonly title: Label
  /** The button that adds one, and the title of its form. */
  readonly add: Label
  /** Title of the form that changes one. */
  readonly edit: Label
  /** The name of each field, in lists, filters and forms. */
  readonly labels: { readonly [N in FieldName<R>]: Label }
  /** The name of each value of each choice. */
  readonly choices: { readonly [N in ChoiceName<R>]: { readonly [V in Option<R, N>]: Label } }
  /** Columns of the list in their order; fields that are not named follow, switched off. */
  readonly columns: { readonly [N in FieldName<R>]?: ColumnLook }
  /** Where a press on a row leads; without it to the form, for those who may change the record. */
  readonly open?: (id: string) => string
}
interface DerivedText<R extends PlainRecord> {
  /** Columns of what the server works out, before the others that are switched off. */
  readonly derived: { readonly [N in DerivedName<R>]: DerivedColumn<Out<R['get']>> }
}
type Options<R extends PlainRecord> = ScreenText<R> & (DerivedName<R> extends never ? unknown : DerivedText<R>)

/** Any value of a record's answer, by its name. */
export interface RecordValues extends Out<PlainRecord['get']> {
  readonly [field: string]: unknown
}

/** A record with everything that its list and form say, without the types of one record. */
export interface RecordScreen {
  readonly record: PlainRecord
  readonly path: ListPath
  readonly title: Label
  readonly add: Label
  readonly edit: Label
  readonly labels: Readonly<Record<string, Label>>
  readonly choices: Readonly<Record<string, Readonly<Record<string, Label>>>>
  readonly columns: Readonly<Record<string, ColumnLook>>
  readonly derived: Readonly<Record<string, DerivedColumn<RecordValues>>>
  readonly open?: ((id: string) => string) | undefined
}

/**
 * List and form of a plain record. A field without a label, a choice without a word and a column that is none do not compile.
 *
 * @example export const equipmentScreen = recordScreen(equipmentRecord, { path: '/equipment', title: m.equipment_title, … })
 */
export function recordScreen<const R extends PlainRecord>(record: R, options: Options<R>): RecordScreen {
  const { derived = {} } = options as { derived?: RecordScreen['derived'] }
  return { ...(options as Omit<RecordScreen, 'record' | 'derived'>), derived, record }
}

export const labelOf = ({ labels }: RecordScreen, field: string): string => labels[field]?.() ?? field

/** What a field is called in lists, where its name in the form may say how it is filled in. */
export const headerOf = (screen: RecordScreen, field: string): string =>
  screen.columns[field]?.header?.() ?? labelOf(screen, field)

/** The word of a choice's value. */
export const wordOf = ({ choices }: RecordScreen, field: string, value: string): string =>
  choices[field]?.[value]?.() ?? value

/** What people call a record. */
export const titleOf = ({ record }: RecordScreen, row: RecordValues): string => row[record.title] as string
