import type { HistoryEntry } from '@tour-ops/contract/departures/departures'

/** What one field holds. */
export type SettingValue = string | number | null
/** Settings as the server has them: fields, some in groups (`map.lat`). */
export type SettingsObject = Readonly<Record<string, unknown>>
/** Fields that were changed and not saved, by path. */
export type Changes = Readonly<Record<string, SettingValue>>

export interface SettingOption {
  readonly value: string
  readonly label: string
}

/** One field of a settings page: its place in the settings, its words, its control. */
export interface SettingField {
  /** Path in the settings object, `retention.positionsDays`. */
  readonly path: string
  /** Column of the database where the history finds it; a key inside a JSON column as `tour_rules.atRiskMin`. */
  readonly column: string
  readonly label: () => string
  readonly hint?: () => string
  readonly kind: 'text' | 'lines' | 'email' | 'number' | 'time' | 'choice' | 'search'
  /** The unit next to the number, by the number. */
  readonly unit?: (input: { count: number }) => string
  /** Of `choice` and `search`; values of numbers are written as text. */
  readonly options?: () => readonly SettingOption[]
  readonly isNumeric?: boolean
  /** How a stored value is written where its control has no words for it. */
  readonly text?: (stored: string) => string
  /** Id on the page, where the field has no separate row. */
  readonly anchor?: string
  /** Whether nothing may be stored: a first value is then a change like any other. */
  readonly isEmptyAtFirst?: boolean
  readonly step?: number
}

export interface SettingSection {
  readonly key: string
  readonly title: () => string
  readonly text?: () => string
  readonly fields: readonly SettingField[]
}

/** The value at a path; null where there is none. */
export function valueAt(settings: SettingsObject, path: string): SettingValue {
  let value: unknown = settings
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** The settings with the changes in their places; what was given stays as it is. */
export function withChanges<S extends SettingsObject>(settings: S, changes: Changes): S {
  let result: SettingsObject = settings
  for (const [path, value] of Object.entries(changes)) result = withValue(result, path.split('.'), value)
  return result as S
}

function withValue(
  settings: SettingsObject,
  [key = '', ...rest]: readonly string[],
  value: SettingValue,
): SettingsObject {
  const inner = settings[key]
  return { ...settings, [key]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value) }
}

/** Changes that still differ from what is saved: typing a value back is no change. */
export const realChanges = (settings: SettingsObject, changes: Changes): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([path, value]) => valueAt(settings, path) !== value))

/** Own changes that somebody else made too, to something else, since `before`. */
export const contested = (before: SettingsObject, theirs: SettingsObject, changes: Changes): readonly string[] =>
  Object.keys(changes).filter((path) => {
    const now = valueAt(theirs, path)
    return now !== valueAt(before, path) && now !== changes[path]
  })

/** One change of the past in the labels of the page. */
export interface PastChange {
  readonly key: string
  readonly at: string
  readonly actorName: string | null
  readonly field: SettingField
  readonly before: string | null
  readonly after: string | null
}

/** Kinds of fields in which nothing is a value like any other. */
const typed: readonly SettingField['kind'][] = ['text', 'lines', 'email']

/**
 * What the audit log says about the fields of a page, newest first.
 *
 * @param defaults What held before a field was saved for the first time: the log does not know it.
 */
export function pastChanges(
  entries: readonly HistoryEntry[],
  fields: readonly SettingField[],
  defaults: SettingsObject = {},
): PastChange[] {
  return entries.flatMap((entry) =>
    fields.flatMap((field) => {
      const [column = '', key] = field.column.split('.')
      const change = entry.changes.find((each) => each.field === column)
      if (!change || (change.before === null && !field.isEmptyAtFirst)) return []
      const before = key === undefined ? change.before : (insideOf(change.before, key) ?? defaultOf(field, defaults))
      const after = key === undefined ? change.after : insideOf(change.after, key)
      // A rule whose default nobody names changed from something unknown.
      if (before === after || (key !== undefined && before === null && !typed.includes(field.kind))) return []
      return [{ key: `${entry.id} ${field.path}`, at: entry.at, actorName: entry.actorName, field, before, after }]
    }),
  )
}

function defaultOf({ path }: SettingField, defaults: SettingsObject): string | null {
  const value = valueAt(defaults, path)
  return value === null ? null : String(value)
}

function insideOf(json: string | null, key: string): string | null {
  if (json === null) return null
  try {
    const value: unknown = JSON.parse(json)
    const inner = isObject(value) ? value[key] : null
    return typeof inner === 'string' || typeof inner === 'number' ? String(inner) : null
  } catch {
    // Not JSON after all: nothing to show.
    return null
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
