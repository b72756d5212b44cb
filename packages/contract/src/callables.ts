import type { Callable } from './callable.ts'
import * as domains from './domains.ts'
import { callablesOf, isRecord, type PlainRecord } from './record.ts'

const exported: readonly unknown[] = Object.values(domains).flatMap((domain) => Object.values<unknown>(domain))

/** Every plain record of the product. */
export const records: readonly PlainRecord[] = exported.filter(isRecord)

/** Whether an export of this package is a callable. */
export const isCallable = (value: unknown): value is Callable =>
  typeof value === 'object' && value !== null && 'permission' in value && 'summary' in value && 'input' in value

/** Every remote procedure of the product. For the server, the API description and tests; screens import their own. */
export const callables: readonly Callable[] = [
  ...exported.filter(isCallable),
  ...records.flatMap((record) => callablesOf(record)),
]

/** The callable of that name; undefined when there is none. */
export const callableNamed = (name: string): Callable | undefined => callables.find((each) => each.name === name)
