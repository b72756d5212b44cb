import { callables } from '@tour-ops/contract/callables'
import type { Callable } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sampledTables, type Samples } from '../testing/sample-rows.ts'
import { allVerbs } from '../src/verbs.ts'
import { boardingTour } from '../testing/operations.ts'
import { foreignProbes, inputWith, type OwnRecords } from '../testing/foreign-inputs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { samplesOf } from '../testing/row-writer.ts'

// Every callable, asked by an administrator of one organization about the records of another: first unchanged, then with one foreign id
// in each field that takes one, everything else being right.

const tables = ['organizations', 'org_settings', 'members', 'audit_entries', 'changes', ...sampledTables]

let world: TestWorld
let caller: TestCaller
let stranger: TestCaller
let foreign: Samples
let own: OwnRecords
let versions: ReadonlyMap<string, number>
let pristine: string

beforeAll(async () => {
  world = await testDatabase()
  caller = await world.as('admin')
  stranger = await world.as('admin')
  foreign = await samplesOf(stranger)
  const ours = await samplesOf(caller)
  const keyOf = (table: string): string => (table === 'members' ? caller.userId : ours.id(table))
  const version = (table: string, id = keyOf(table)): number => versions.get(`${table} ${id}`) ?? 1
  own = { userId: caller.userId, id: ours.id, version, running: await boardingTour(caller, 1) }
  pristine = await everythingOf(stranger)
}, 120_000)
afterAll(() => world.close())

/** The versions of all our records: asks that go through move them on. */
async function readVersions(): Promise<Map<string, number>> {
  const lines = (await everythingOf(caller)).split('\n').map((line) => {
    const [table = '', row = '{}'] = line.split('\t')
    const { id, user_id: userId, version } = JSON.parse(row) as { id?: string; user_id?: string; version?: number }
    const key = table === 'members' ? userId : id
    return [`${table} ${key ?? String(undefined)}`, version ?? 1] as const
  })
  return new Map(lines)
}

/** All rows of an organization, as text. */
async function everythingOf(member: TestCaller): Promise<string> {
  const parts = tables.map(
    (table) =>
      sql`select ${sql.lit(`${table}\t`)} || row_to_json(t)::text as line from ${sql.table(table)} t where org_id = ${member.orgId}`,
  )
  const all = sql<{ line: string }>`${sql.join(parts, sql` union all `)} order by 1`
  const { rows } = await member.transaction((tx) => all.execute(tx))
  return rows.map(({ line }) => line).join('\n')
}

const foreignIdOf = (table: string): string => (table === 'members' ? stranger.userId : foreign.id(table))

/** Ids and codes of the other organization that a text holds. */
const wordsIn = (text: string): string[] => foreignWords().filter((word) => text.includes(word))

const foreignWords = (): string[] =>
  [stranger.orgId, stranger.userId, ...[...foreign.rows.values()].flatMap((row) => Object.values(row))].filter(
    (value): value is string => typeof value === 'string' && /[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value),
  )

interface Ask {
  readonly callable: Callable
  /** The field that holds a foreign id; null for the unchanged input. */
  readonly field: string | null
}

/** What a failed test has found in our rows already, so that the next ones do not fail for it as well. */
const ownWords = new Set<string>()

const asks: Ask[] = callables.flatMap((callable) => [
  // Writes with nothing foreign in them are covered by the other tests.
  ...(callable.kind === 'read' && !foreignProbes[callable.name]?.isOwnUnreadable ? [{ callable, field: null }] : []),
  ...Object.keys(foreignProbes[callable.name]?.fields ?? {}).map((field) => ({ callable, field })),
])

function inputOf({ callable, field }: Ask): object {
  const probe = foreignProbes[callable.name]
  const input = structuredClone(probe?.input?.(own) ?? {})
  const table = field === null ? undefined : probe?.fields?.[field]
  return field !== null && table !== undefined ? inputWith(input, field, foreignIdOf(table)) : input
}

async function ask(target: Ask, input: object): Promise<{ answer?: unknown; error?: unknown }> {
  const verb = allVerbs.find(({ callable }) => callable.name === target.callable.name)
  if (!verb) throw new Error(`No verb answers ${target.callable.name}.`)
  try {
    return { answer: await caller.call(verb, input) }
  } catch (error) {
    return { error }
  }
}

/** Not found or not allowed; a wrong reference inside an otherwise right form may also be reported at its field. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error
  expect(['not-found', 'permission-denied', 'invalid-argument'], error.message).toContain(error.code)
}

test('every callable has a probe, and every field of a shape that takes an id is probed', () => {
  expect(Object.keys(foreignProbes).toSorted()).toEqual(callables.map(({ name }) => name).toSorted())
  const missing = callables.flatMap((callable) => {
    const fields = Object.keys(foreignProbes[callable.name]?.fields ?? {}).map((field) =>
      field.replaceAll(/\.\d+/g, '.*'),
    )
    return idFieldsOf(z.toJSONSchema(callable.input, { io: 'input', unrepresentable: 'any', reused: 'inline' }), '')
      .filter((field) => !fields.includes(field) && field !== ownEvents && !ownIds.has(field.split('.').at(-1) ?? ''))
      .map((field) => `${callable.name} ${field}`)
  })
  expect(missing).toEqual([])
})

/** Ids that a client makes up; they name no record. */
const ownIds: ReadonlySet<string> = new Set(['clientEventId', 'formId'])
const ownEvents = 'events.*.id'

interface Schema {
  readonly format?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

function idFieldsOf(schema: unknown, path: string): string[] {
  const { format, anyOf = [], oneOf = [], items, properties = {} } = schema as Schema
  const inside = (name: string): string => (path ? `${path}.${name}` : name)
  return [
    ...(format === 'uuid' ? [path] : []),
    ...[...anyOf, ...oneOf].flatMap((part) => idFieldsOf(part, path)),
    ...(items ? idFieldsOf(items, inside('*')) : []),
    ...Object.entries(properties).flatMap(([name, part]) => idFieldsOf(part, inside(name))),
  ]
}

describe('a record of another organization', () => {
  test.each(asks.map((target) => ({ target, name: `${target.callable.name} ${target.field ?? '(as it stands)'}` })))(
    'neither read nor written: $name',
    async ({ target }) => {
      if (target.callable.kind === 'write') versions = await readVersions()
      const input = inputOf(target)
      expect(target.callable.input.safeParse(input).error?.issues ?? [], 'the input is well-formed').toEqual([])
      const jobsBefore = world.enqueued.length

      const { answer, error } = await ask(target, input)

      if (error !== undefined) expectRefusal(error)
      const given = wordsIn(JSON.stringify(input))
      const said = wordsIn(JSON.stringify([answer ?? null, error ?? null]))
      expect(
        said.filter((word) => !given.includes(word)),
        'the answer says nothing of theirs',
      ).toEqual([])
      expect(wordsIn(JSON.stringify(world.enqueued.slice(jobsBefore))), 'no job is about theirs').toEqual([])
      // A refusal rolls its transaction back; what went through is checked.
      if (error !== undefined || target.callable.kind === 'read') return
      expect(await everythingOf(stranger), 'their rows are as they were').toBe(pristine)
      const ours = wordsIn(await everythingOf(caller))
      expect(
        ours.filter((word) => !ownWords.has(word)),
        'our rows name nothing of theirs',
      ).toEqual([])
      for (const word of ours) ownWords.add(word)
    },
  )

  test('after all of it the other organization is as it was', async () => {
    expect(await everythingOf(stranger)).toBe(pristine)
  })
})
