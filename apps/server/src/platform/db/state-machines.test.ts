import { stateMachines, statusesOf, type Machine } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import type { Tx } from './database.ts'
import { insertRow, refusalOf, sampleRow, updateRows, type Row, type Samples } from '../../../testing/sample-rows.ts'
import { sampleOffice } from '../../../testing/row-writer.ts'

const machines = Object.keys(stateMachines) as Machine[]
const tableOf = (machine: Machine): string => (machine === 'departure_sales' ? 'departures' : machine)
const columnOf = (machine: Machine): string => (machine === 'departure_sales' ? 'sales_status' : 'status')
const isLegal = (machine: Machine, from: string, to: string): boolean =>
  ((stateMachines[machine].transitions as Record<string, readonly string[]>)[from] ?? []).includes(to)

let world: TestWorld
let caller: TestCaller
let samples: Samples
beforeAll(async () => {
  world = await testDatabase()
  ;({ caller, samples } = await sampleOffice(world))
})
afterAll(() => world.close())

const sorted = (texts: readonly string[]): string[] => texts.toSorted((a, b) => a.localeCompare(b))

test('the database holds the transitions and beginnings of the contract', async () => {
  const stored = await caller.transaction(async (tx) => ({
    initial: await tx.selectFrom('initial_statuses').selectAll().execute(),
    transitions: await tx.selectFrom('legal_transitions').selectAll().execute(),
  }))
  const initial = machines.flatMap((machine) => stateMachines[machine].initial.map((status) => `${machine} ${status}`))
  const transitions = machines.flatMap((machine) =>
    Object.entries(stateMachines[machine].transitions).flatMap(([from, targets]) =>
      targets.map((to: string) => `${machine} ${from} ${to}`),
    ),
  )
  expect(sorted(stored.initial.map((row) => `${row.machine} ${row.status}`))).toEqual(sorted(initial))
  const found = stored.transitions.map((row) => `${row.machine} ${row.from_status} ${row.to_status}`)
  expect(sorted(found)).toEqual(sorted(transitions))
})

/** What a row needs in addition to its status, so that no other rule refuses before the state machine does. */
const companions: Partial<Record<Machine, (status: string) => Row>> = {
  duty_sessions: (status) => ({ ended_at: status === 'closed' ? new Date() : null }),
  alerts: (status) =>
    status === 'resolved' ? { resolution: 'manual', resolved_at: new Date() } : { resolution: null, resolved_at: null },
  incidents: (status) => ({ merged_into_id: status === 'merged' ? samples.id('incidents') : null }),
  tours: () => ({ current_revision_id: samples.id('tour_revisions') }),
}
const withStatus = (machine: Machine, status: string): Row => ({
  [columnOf(machine)]: status,
  ...companions[machine]?.(status),
})

/** What sets a second row apart from the sample, where a unique key wants it. */
const differences: Partial<Record<Machine, (tx: Tx) => Promise<Row>>> = {
  tours: async () => ({ code: 'SOUTH' }),
  departure_stops: async () => ({ stop_order: 2 }),
  assignments: async () => ({ role: 'porter' }),
  duty_sessions: async () => ({ staff_id: null, vehicle_id: samples.id('vehicles') }),
  invitations: async () => ({ email: 'second@example.com' }),
  manifest_entries: async (tx) => {
    const traveler = sampleRow('travelers', samples)
    await insertRow(tx, 'travelers', traveler)
    return { traveler_id: traveler['id'] }
  },
}

/** Which rule refuses a change: of what was merged nothing changes, its status neither. */
const refusalFrom = (machine: Machine, from: string): string =>
  machine === 'incidents' && from === 'merged' ? 'incidents_merged_is_final' : `${machine}_transition`

/** Inserts one more row and returns its key. */
async function insertWith(tx: Tx, machine: Machine, status: string): Promise<Row> {
  const more = { ...(await differences[machine]?.(tx)), ...withStatus(machine, status) }
  const row = sampleRow(tableOf(machine), samples, more)
  await insertRow(tx, tableOf(machine), row)
  return { org_id: row['org_id'], id: row['id'] }
}

/** Ends a transaction that went well, without keeping anything. */
class RolledBack extends Error {}

const attempt = (work: (tx: Tx) => Promise<unknown>): Promise<never> =>
  caller.transaction(async (tx) => {
    await work(tx)
    throw new RolledBack()
  })

describe.each(machines)('%s', (machine) => {
  const table = tableOf(machine)
  const statuses: readonly string[] = statusesOf(machine)
  const initial: readonly string[] = stateMachines[machine].initial

  test('knows the statuses of the contract and no others', async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{ definition: string }>`select pg_get_constraintdef(oid) as definition from pg_constraint
        where conname = ${`${table}_${columnOf(machine)}_known`}`.execute(tx),
    )
    const named = [...(rows[0]?.definition ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1] ?? '')
    expect(sorted(named)).toEqual(sorted(statuses))
  })

  test('begins only as the contract says', async () => {
    for (const status of statuses) {
      const insert = attempt((tx) => insertWith(tx, machine, status))
      if (initial.includes(status)) await expect.soft(insert, status).rejects.toThrow(RolledBack)
      else expect.soft(await refusalOf(insert), status).toBe(`${machine}_initial`)
    }
  })

  test('takes every change that the contract names and refuses every other', async () => {
    for (const from of statuses) {
      for (const to of statuses) {
        if (from === to) continue
        const change = attempt(async (tx) => {
          const [first = '', ...steps] = pathTo(machine, from)
          const key = await insertWith(tx, machine, first)
          for (const step of steps) await updateRows(tx, table, key, withStatus(machine, step))
          expect(await updateRows(tx, table, key, withStatus(machine, to))).toBe(1n)
        })
        const title = `${from} → ${to}`
        if (isLegal(machine, from, to)) await expect.soft(change, title).rejects.toThrow(RolledBack)
        else expect.soft(await refusalOf(change), title).toBe(refusalFrom(machine, from))
      }
    }
  })
})

/** The shortest legal way from a beginning to a status, both included. */
function pathTo(machine: Machine, goal: string): string[] {
  const queue: string[][] = stateMachines[machine].initial.map((status) => [status])
  const seen = new Set<string>(stateMachines[machine].initial)
  for (let path = queue.shift(); path; path = queue.shift()) {
    const last = path.at(-1) ?? ''
    if (last === goal) return path
    for (const next of statusesOf(machine) as readonly string[]) {
      if (seen.has(next) || !isLegal(machine, last, next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  throw new Error(`${machine}: no legal way to ${goal}`)
}
