import { TypeFlags, type Checker, type LiteralType, type Type } from 'typescript/unstable/sync'
import type { Kind, Shape } from './shapes.ts'

/** Values in JSON are compared with their type as deep as this; none of our answers is deeper. */
const maxDepth = 8

const plainKinds: readonly (readonly [TypeFlags, Kind])[] = [
  [TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping, 'string'],
  [TypeFlags.Number, 'number'],
  [TypeFlags.Boolean, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
]

/** Reads the compiler's types as shapes. */
export class ShapeReader {
  readonly #checker: Checker
  readonly #known = new Map<number, Shape>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  shapeOf(type: Type, depth = 0): Shape {
    const known = this.#known.get(type.id)
    if (known) return known
    const shape = this.#read(type, depth)
    // what was cut off for its depth may be read deeper from elsewhere
    if (depth === 0) this.#known.set(type.id, shape)
    return shape
  }

  #read(type: Type, depth: number): Shape {
    if (depth > maxDepth || type.flags & (TypeFlags.Any | TypeFlags.Unknown)) return { isAny: true }
    const kind = plainKinds.find(([flags]) => type.flags & flags)?.[1]
    if (kind) return { kinds: [kind] }
    if (type.isLiteralType()) return { literals: [this.#literalOf(type)] }
    if (type.isUnionType()) return (type.getTypes() ?? []).map((one) => this.shapeOf(one, depth + 1)).reduce(either)
    if (type.flags & TypeFlags.Object || type.isIntersectionType()) return this.#readObject(type, depth)
    return { isAny: true }
  }

  #literalOf(type: LiteralType): string | number | boolean {
    // the compiler gives no value for a boolean
    if (type.isBooleanLiteralType()) return this.#checker.typeToString(type) === 'true'
    return typeof type.value === 'number' ? type.value : String(type.value)
  }

  #readObject(type: Type, depth: number): Shape {
    const name = type.getSymbol()?.name
    if (name === 'Date') return { kinds: ['date'] }
    if (name === 'Buffer' || name === 'Uint8Array') return { kinds: ['bytes'] }
    if (this.#checker.isArrayLikeType(type)) return { items: this.#itemsOf(type, depth) }
    const symbols = this.#checker.getPropertiesOfType(type)
    const types = this.#checker.getTypeOfSymbol(symbols)
    const fields = symbols.map(({ name: field }, index): [string, Shape] => {
      const fieldType = types[index]
      return [field, fieldType ? this.shapeOf(fieldType, depth + 1) : { isAny: true }]
    })
    const [index] = this.#checker.getIndexInfosOfType(type)
    return {
      fields: Object.fromEntries(fields),
      ...(index && { values: this.shapeOf(index.valueType, depth + 1) }),
      ...(isOpen(type) && { isOpen: true }),
    }
  }

  #itemsOf(type: Type, depth: number): Shape {
    const items = type.isTypeReference() ? this.#checker.getTypeArguments(type) : []
    return items.length === 0 ? { isAny: true } : items.map((item) => this.shapeOf(item, depth + 1)).reduce(either)
  }
}

const isOpen = (type: Type): boolean =>
  type.isIntersectionType() && (type.getTypes() ?? []).some((part) => part.isTypeParameter())

/** A union of two types. Objects are merged: a field that one of them lacks may be missing. */
function either(one: Shape, other: Shape): Shape {
  if (one.isAny || other.isAny) return { isAny: true }
  const kinds = [...new Set([...(one.kinds ?? []), ...(other.kinds ?? [])])]
  const literals = [...new Set([...(one.literals ?? []), ...(other.literals ?? [])])]
  const items = one.items && other.items ? either(one.items, other.items) : (one.items ?? other.items)
  const values = one.values && other.values ? either(one.values, other.values) : (one.values ?? other.values)
  const fields = one.fields && other.fields ? eitherFields(one.fields, other.fields) : (one.fields ?? other.fields)
  return {
    ...(kinds.length > 0 && { kinds }),
    ...(literals.length > 0 && { literals }),
    ...(items && { items }),
    ...(values && { values }),
    ...(fields && { fields }),
  }
}

const missing: Shape = { kinds: ['undefined'] }

function eitherFields(
  one: Readonly<Record<string, Shape>>,
  other: Readonly<Record<string, Shape>>,
): Readonly<Record<string, Shape>> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(names.map((name) => [name, either(one[name] ?? missing, other[name] ?? missing)]))
}
