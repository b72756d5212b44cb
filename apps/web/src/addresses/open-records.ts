import { isEntityId } from './entity-id.ts'
import { recordParameters, type RecordParameter } from './paths.ts'

/** The query of an address, as the router reads it. */
export type Search = Readonly<Record<string, unknown>>

/** The id of a record in the address; undefined where there is none, or something else. */
export function recordIn(search: Search, parameter: RecordParameter): string | undefined {
  const value = search[parameter]
  return typeof value === 'string' && isEntityId(value) ? value : undefined
}

/** Records that are open: of an incident and the departure opened from it, the departure (the last) is on top. */
export const openRecords = (search: Search): RecordParameter[] =>
  recordParameters.filter((parameter) => recordIn(search, parameter) !== undefined)

/** Whether another drawer is seen after a change of the query, or none. */
export function isOtherRecord(before: Search, after: Search): boolean {
  const shown = (search: Search) => {
    const parameter = openRecords(search).at(-1)
    return parameter && `${parameter} ${recordIn(search, parameter)}`
  }
  return shown(before) !== shown(after)
}
