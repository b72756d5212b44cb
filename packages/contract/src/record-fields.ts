import * as z from 'zod/mini'
import type { Callable } from './callable.ts'
import type { FieldRule } from './field-rules.ts'
import type { LiveTopic } from './live/live-paths.ts'
import { Id, LocalDate, optionalText, orNull, text, whole } from './fields.ts'

/** One field of a plain record: how it is written and how an answer says it. */
export interface RecordField<
  K extends string = string,
  I extends z.ZodMiniType = z.ZodMiniType,
  O extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly kind: K
  readonly input: I
  readonly output: O
  /** A valid value, for tests that walk all records; a reference has none. */
  readonly sample: unknown
  /** Whether a form must ask for it. */
  readonly isRequired: boolean
}

export interface ChoiceField<
  V extends readonly [string, ...string[]] = readonly [string, ...string[]],
  I extends z.ZodMiniType = z.ZodMiniType,
> extends RecordField<'choice', I, z.ZodMiniEnum<{ [K in V[number]]: K }>> {
  /** In the order in which lists sort them. */
  readonly options: V
}

export interface NumberField<I extends z.ZodMiniType = z.ZodMiniType> extends RecordField<
  'number',
  I,
  z.ZodMiniNumber<number>
> {
  readonly min: number
  readonly max: number
}

/** A record of another list that this one names; `null` where it names none. */
export interface ReferenceField<L extends Callable = Callable> extends RecordField<
  'reference',
  typeof optionalId,
  z.ZodMiniNullable<typeof Id>
> {
  /** The table behind, and its column that people read. */
  readonly table: LiveTopic
  readonly label: string
  /** What a form searches. */
  readonly list: L
}

/** Records of another list that this one names, in the order in which they were chosen; it may name none. */
export interface ReferencesField<L extends Callable = Callable> extends RecordField<
  'references',
  typeof severalIds,
  z.ZodMiniArray<typeof Id>
> {
  readonly table: LiveTopic
  readonly label: string
  readonly list: L
}

const optionalId = orNull(Id)
const severalIds = z._default(z.array(Id).check(z.maxLength(100)), [])
const optionalDay = orNull(LocalDate)

type Text = z.ZodMiniString<string>
const nullableText = (): z.ZodMiniNullable<Text> => z.nullable(z.string())

/** A line that must be filled in. @param error The rule that an empty one breaks. */
export const line = (max: number, error?: FieldRule): RecordField<'line', ReturnType<typeof text>, Text> => ({
  kind: 'line',
  input: text(max, error),
  output: z.string(),
  sample: 'Probe',
  isRequired: true,
})

/** A line that may stay empty. */
export const optionalLine = (
  max: number,
): RecordField<'line', ReturnType<typeof optionalText>, z.ZodMiniNullable<Text>> => ({
  kind: 'line',
  input: optionalText(max),
  output: nullableText(),
  sample: null,
  isRequired: false,
})

/** Several lines of text that may stay empty. */
export const longText = (
  max: number,
): RecordField<'text', ReturnType<typeof optionalText>, z.ZodMiniNullable<Text>> => ({
  ...optionalLine(max),
  kind: 'text',
})

/** One of a few values. */
export const choice = <const V extends readonly [string, ...string[]]>(options: V) => oneOf(options, z.enum(options))

/** One of a few values; the first one where a write leaves it out. */
export const choiceWithUsual = <const V extends readonly [string, ...string[]]>(options: V) => {
  const known = z.enum(options)
  return oneOf(options, z._default(known, known.parse(options[0])))
}

const oneOf = <const V extends readonly [string, ...string[]], I extends z.ZodMiniType>(
  options: V,
  input: I,
): ChoiceField<V, I> => ({
  kind: 'choice',
  input,
  output: z.enum(options),
  sample: options[0],
  isRequired: true,
  options,
})

/** A whole number within limits. */
export const wholeNumber = (min: number, max: number) => within(min, max, whole(min, max))

/** A whole number within limits; `usual` where a write leaves it out. */
export const wholeNumberOr = (min: number, max: number, usual: number) =>
  within(min, max, z._default(whole(min, max), usual))

const within = <I extends z.ZodMiniType>(min: number, max: number, input: I): NumberField<I> => ({
  kind: 'number',
  input,
  output: z.number(),
  sample: Math.max(min, 1),
  isRequired: true,
  min,
  max,
})

/** A civil date that may stay empty. */
export const optionalDate = (): RecordField<'date', typeof optionalDay, z.ZodMiniNullable<typeof LocalDate>> => ({
  kind: 'date',
  input: optionalDay,
  output: z.nullable(LocalDate),
  sample: null,
  isRequired: false,
})

/**
 * A record of another list, or none. A caller who may read this record also reads the other one's label.
 *
 * @param label The column of the other table that people read; `name` mostly.
 */
export const reference = <L extends Callable>(table: LiveTopic, list: L, label = 'name'): ReferenceField<L> => ({
  kind: 'reference',
  input: optionalId,
  output: z.nullable(Id),
  sample: null,
  isRequired: false,
  table,
  label,
  list,
})

/** Several records of another list, or none. @param label As of `reference`. */
export const references = <L extends Callable>(table: LiveTopic, list: L, label = 'name'): ReferencesField<L> => ({
  kind: 'references',
  input: severalIds,
  output: z.array(Id),
  sample: [],
  isRequired: false,
  table,
  label,
  list,
})
