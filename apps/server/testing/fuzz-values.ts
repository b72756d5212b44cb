import type { Random } from '../seed/random.ts'

// Values for the fuzz test, made from the JSON Schema of a shape: right ones, ones at a limit, and hostile ones.

export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly propertyNames?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Ids of records; `path` is the field they go into. */
export interface IdSource {
  own(path: string): string
  foreign(path: string): string
}

/** Written as the bare token of the text, since JSON.stringify would lose them. */
const rawTokens = ['1e999', '-1e999', '-0', '1E-400', '0.1e-7', '9007199254740993'] as const
const rawMark = '@@raw:'

/** The JSON of a value, with numbers that only JSON can say. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(new RegExp(`"${rawMark}([^"]+)"`, 'g'), '$1')

const hugeText = 'x'.repeat(100_000)
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  'a\0b',
  '\u0000',
  '\uD800',
  'x\uDFFFy',
  '\uFEFF',
  '\uFFFF',
  '\u202Eevil\u202C',
  '\u200F\u200Bab\u200D',
  'مرحبا بالعالم',
  '北京 導遊 漢字',
  'Ω≈ç√∫˜µ≤≥÷',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'e\u0301'.repeat(60),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  'İıſßŒﬁ',
  "'; drop table travelers; --",
  '" or 1=1 --',
  '%_\\%',
  '\\',
  "& | ! ( ) :* <-> '",
  '^(a+)+$',
  '*:*',
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '<script>alert(1)</script>',
  '=HYPERLINK("http://x")',
  '＝1+1',
  '../../../../etc/passwd',
  '/%00/%2e%2e/',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e9',
  '٣٤٥',
  '０１２３',
  hugeText,
]
const hostileDates: readonly string[] = [
  '0000-01-01',
  '0001-01-01',
  '1582-10-10',
  '1899-12-31',
  '1900-01-01',
  '1969-12-31',
  '2000-02-29',
  '2026-02-29',
  '2199-12-31',
  '2200-01-01',
  '9999-12-31',
  '-000001-01-01',
  '+010000-01-01',
  'infinity',
  'today',
  '2026-13-01',
]
const hostileTimes = ['24:00', '23:59', '00:00', '02:30', '9:00', '09:00:60', '25:61', 'allballs', '09:00Z']
const hostileInstants: readonly string[] = [
  '0000-01-01T00:00:00Z',
  '1900-01-01T00:00:00+14:00',
  '2199-12-31T23:59:59-14:00',
  '9999-12-31T23:59:59.999999999Z',
  '2026-03-29T02:30:00+01:00',
  '2026-06-01T00:00:00+23:59',
  '2026-06-01T00:00:00-15:59',
  '2026-06-30T23:59:60Z',
  '2026-06-01T24:00:00Z',
  `2026-06-01T00:00:00.${'1'.repeat(400)}Z`,
  '2026-06-01T00:00:00.123456789Z',
  '2026-06-01T00:00:00+00:00[Asia/Kathmandu]',
  '+275760-09-13T00:00:00.001Z',
  'now',
]
const hostileIds: readonly string[] = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-7000-8000-000000000000}',
  '00000000000070008000000000000000',
  '00000000-0000-7000-8000-00000000000g',
]
const hostileNumbers: readonly unknown[] = [
  0,
  -1,
  1,
  0.5,
  1e-9,
  32_768,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  9_007_199_254_740_991,
  1e21,
  1.797e308,
  ...rawTokens.map((token) => rawMark + token),
]

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom'
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Keys that reach an object's prototype where somebody assigns by name. */
const poisoned = (): unknown =>
  JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}, "toString": 1}')

const anyValue = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => random.chance(0.5),
    () => random.pick(hostileNumbers),
    () => random.pick(hostileTexts),
    () => [],
    () => ({}),
    () => deep(random.pick([3, 63, 64, 65, 200, 5_000])),
    () => poisoned(),
    () => Array.from({ length: random.pick([2, 501, 3_000]) }, () => 'a'),
    () => ({ [random.pick(hostileTexts).slice(0, 200)]: random.pick(hostileTexts) }),
  ])()

/** Right texts of the forms that the contract knows; a pattern takes those that fit. */
const knownForms: readonly string[] = [
  'EUR',
  'GB',
  'IS',
  'en',
  'de',
  'pt-BR',
  '09:00',
  '23:30',
  '2026-11-23',
  '2031-06-02',
  '2031-06-02T12:00:00Z',
  '2026-11-23T08:15:00+01:00',
  '+447700900118',
  '+35455512345',
  'ada@example.com',
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,WE',
  'FREQ=MONTHLY;BYDAY=-1SU',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'GOLD',
  'AUR-7K3Q9D',
  '#0A6E7C',
  '{TOUR}-{YYMMDD}-{HHMM}',
  '/overview',
  'travelers-list',
  'G-1',
]

const zones = ['Atlantic/Reykjavik', 'Asia/Kathmandu', 'Pacific/Apia', 'America/St_Johns', 'UTC']
const names = ['Zoë Østergaard', 'Ada Byron', '李小龍', 'أحمد', "O'Neill", 'Golden Circle', 'a', 'Łódź – tour №5']

export interface Maker {
  /** A value that obeys the schema as far as JSON Schema says it, often at its limits. */
  right(schema: Schema, path: string): unknown
  /** The value with one part of it spoiled; `spoiled` names the part. */
  spoil(schema: Schema, value: unknown, path?: string): { value: unknown; spoiled: string }
}

/** Makes values out of one stream of choices: the same seed gives the same values. */
export function valueMaker(random: Random, ids: IdSource): Maker {
  const inside = (path: string, name: string): string => (path ? `${path}.${name}` : name)

  function right(schema: Schema, path: string): unknown {
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return right(random.pick(choices), path)
    switch (schema.type) {
      case 'string':
        return rightText(schema, path)
      case 'integer':
      case 'number':
        return rightNumber(schema)
      case 'boolean':
        return random.chance(0.5)
      case 'array':
        return rightArray(schema, path)
      case 'object':
        return rightObject(schema, path)
      case 'null':
        return null
      default:
        return random.pick(['text', 7, true, null, ['a', 'b'], { a: 1 }])
    }
  }

  function rightText(schema: Schema, path: string): string {
    if (schema.format === 'uuid') return ids.own(path)
    const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => pattern ?? [])
    const { minLength = 0, maxLength = 100_000 } = schema
    const fits = (text: string): boolean =>
      text.length >= minLength &&
      text.length <= maxLength &&
      patterns.every((pattern) => new RegExp(pattern).test(text))
    if (/zone$/i.test(path)) return random.pick(zones)
    if (patterns.length > 0 || schema.format) {
      const known = knownForms.filter((text) => fits(text))
      if (known.length > 0) return random.pick(known)
    }
    const texts = [...names, 'x'.repeat(Math.min(maxLength, 5_000)), ...knownForms].filter((text) => fits(text))
    return texts.length > 0 ? random.pick(texts) : 'text'
  }

  function rightNumber({ type, minimum = -1e9, maximum = 1e9 }: Schema): number {
    if (random.chance(0.15)) return random.pick([minimum, maximum])
    const low = Math.ceil(minimum)
    const high = Math.floor(Math.min(maximum, low + random.pick([1, 10, 1_000, 1_000_000])))
    return type === 'number' && random.chance(0.5)
      ? minimum + random.next() * (maximum - minimum)
      : random.between(low, high)
  }

  function rightArray(schema: Schema, path: string): unknown[] {
    if (schema.prefixItems) return schema.prefixItems.map((item, index) => right(item, inside(path, String(index))))
    const { minItems = 0, maxItems = 10 } = schema
    const length = random.chance(0.05)
      ? Math.min(maxItems, 600)
      : random.between(minItems, Math.min(maxItems, minItems + 2))
    return Array.from({ length }, () => right(schema.items ?? {}, inside(path, '*')))
  }

  function rightObject(schema: Schema, path: string): Record<string, unknown> {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema
    const entries = Object.entries(properties)
      .filter(([name]) => required.includes(name) || random.chance(0.35))
      .map(([name, part]) => [name, right(part, inside(path, name))] as const)
    if (typeof additionalProperties !== 'object') return Object.fromEntries(entries)
    const more = Array.from({ length: random.between(0, 3) }, () => {
      const name = String(right(propertyNames ?? { type: 'string', maxLength: 20 }, inside(path, '{name}')))
      return [name, right(additionalProperties, inside(path, '{}'))] as const
    })
    return Object.fromEntries([...entries, ...more])
  }

  function hostile(schema: Schema, path: string): unknown {
    if (random.chance(0.2)) return anyValue(random)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return hostile(random.pick(choices), path)
    switch (schema.type) {
      case 'string':
        return hostileText(schema, path)
      case 'integer':
      case 'number':
        return random.chance(0.5)
          ? random.pick(hostileNumbers)
          : random.pick([
              schema.minimum ?? 0,
              schema.maximum ?? 0,
              (schema.maximum ?? 0) + 1,
              (schema.minimum ?? 0) - 1,
            ])
      case 'array':
        return hostileArray(schema, path)
      default:
        return anyValue(random)
    }
  }

  function hostileText(schema: Schema, path: string): unknown {
    const { maxLength, format } = schema
    if (format === 'uuid') {
      return random.pick([
        () => ids.foreign(path),
        () => ids.own(''),
        () => ids.own(path).toUpperCase(),
        () => random.pick(hostileIds),
        () => random.pick(hostileTexts),
      ])()
    }
    if (format === 'date') return random.pick([...hostileDates, ...hostileInstants])
    if (format === 'date-time') return random.pick([...hostileInstants, ...hostileDates])
    if (random.chance(0.15)) return random.pick([...hostileDates, ...hostileTimes, ...knownForms])
    if (maxLength !== undefined && random.chance(0.3)) {
      return random
        .pick(['é', 'x', '漢', '😀'])
        .repeat(random.pick([maxLength - 1, maxLength, maxLength + 1, maxLength / 2]))
    }
    return random.pick(hostileTexts)
  }

  function hostileArray(schema: Schema, path: string): unknown {
    const item = right(schema.items ?? {}, inside(path, '*'))
    return random.pick<() => unknown>([
      () => [],
      () => [item, item],
      () => [item, structuredClone(item), null],
      () => Array.from({ length: (schema.maxItems ?? 100) + 1 }, () => item),
      () => Array.from({ length: Math.min(schema.maxItems ?? 100, 500) }, () => item),
      () => item,
      () => [[item]],
      () => ({ 0: item, length: 1 }),
    ])()
  }

  function spoil(schema: Schema, value: unknown, path = ''): { value: unknown; spoiled: string } {
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) {
      const fitting = choices.find(({ type }) => type === kindOf(value)) ?? random.pick(choices)
      return spoil(fitting, value, path)
    }
    const properties = Object.entries(schema.properties ?? {})
    if (properties.length > 0 && random.chance(0.97)) {
      const before = kindOf(value) === 'object' ? (value as Record<string, unknown>) : {}
      const [name, part] = random.pick(properties)
      if (random.chance(0.06))
        return { value: { ...before, ...(poisoned() as object) }, spoiled: inside(path, '__proto__') }
      if (random.chance(0.06)) {
        const { [name]: _left, ...rest } = before
        return { value: rest, spoiled: inside(path, `${name} (left out)`) }
      }
      const inner = spoil(part, before[name] ?? right(part, inside(path, name)), inside(path, name))
      return { value: { ...before, [name]: inner.value }, spoiled: inner.spoiled }
    }
    if (Array.isArray(value) && value.length > 0 && schema.items && random.chance(0.7)) {
      const index = random.between(0, Math.min(value.length, 5) - 1)
      const inner = spoil(schema.items, value[index], inside(path, '*'))
      return { value: value.with(index, inner.value), spoiled: inner.spoiled }
    }
    return { value: hostile(schema, path), spoiled: path }
  }

  return { right, spoil }
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
