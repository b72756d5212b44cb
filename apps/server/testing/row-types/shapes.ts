/** A type as far as values can be compared with it; what is left out does not fit. */
export interface Shape {
  /** Fits everything: `unknown`, `any`, or a type that only the caller knows. */
  readonly isAny?: true
  /** A row to which the caller adds columns. */
  readonly isOpen?: true
  readonly kinds?: readonly Kind[]
  /** Single values of a union, such as statuses. */
  readonly literals?: readonly (string | number | boolean)[]
  readonly items?: Shape
  readonly fields?: Readonly<Record<string, Shape>>
  /** Values of an object whose keys are not known. */
  readonly values?: Shape
}

export type Kind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'null' | 'undefined'

/** What a value is, as the driver or JSON hands it over; null for lists and objects. */
export function kindOf(value: unknown): Kind | null {
  if (value === null) return 'null'
  if (value instanceof Date) return 'date'
  if (value instanceof Uint8Array) return 'bytes'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'undefined' ? type : null
}

/** Whether the type allows a kind of value at all. */
export const allows = (shape: Shape, kind: Kind): boolean =>
  shape.isAny === true ||
  shape.kinds?.includes(kind) === true ||
  shape.literals?.some((literal) => typeof literal === kind) === true

/** Where a value differs from the type, as text; null where it fits. */
export function differenceOf(value: unknown, shape: Shape, at: string): string | null {
  if (shape.isAny) return null
  const kind = kindOf(value)
  if (kind !== null)
    return fitsPlain(value, kind, shape) ? null : `${at} is ${said(value)}, declared is ${shapeText(shape)}`
  if (Array.isArray(value)) return differenceOfList(value, shape, at)
  return differenceOfObject(value as object, shape, at)
}

const fitsPlain = (value: unknown, kind: Kind, { kinds, literals }: Shape): boolean =>
  kinds?.includes(kind) === true || literals?.some((literal) => literal === value) === true

function differenceOfList(list: readonly unknown[], { items }: Shape, at: string): string | null {
  if (!items) return `${at} is a list, which is not declared`
  for (const [index, item] of list.entries()) {
    const difference = differenceOf(item, items, `${at}[${index}]`)
    if (difference) return difference
  }
  return null
}

function differenceOfObject(value: object, { fields, values }: Shape, at: string): string | null {
  if (!fields && !values) return `${at} is an object, which is not declared`
  const present = new Map<string, unknown>(Object.entries(value))
  for (const name of new Set([...Object.keys(fields ?? {}), ...(values ? present.keys() : [])])) {
    const shape = fields?.[name] ?? values
    const difference = shape && differenceOf(present.get(name), shape, `${at}.${name}`)
    if (difference) return difference
  }
  return null
}

const said = (value: unknown): string => (kindOf(value) === 'date' ? 'a Date' : (JSON.stringify(value) ?? 'missing'))

/** The type in TypeScript's words, briefly. */
export function shapeText(shape: Shape): string {
  const parts = [
    ...(shape.isAny ? ['unknown'] : []),
    ...(shape.kinds ?? []),
    ...(shape.literals ?? []).map((literal) => JSON.stringify(literal)),
    ...(shape.items ? [`(${shapeText(shape.items)})[]`] : []),
    ...(shape.fields ? [`{ ${Object.keys(shape.fields).join(', ')} }`] : []),
    ...(shape.values ? ['Record'] : []),
  ]
  return parts.join(' | ')
}
