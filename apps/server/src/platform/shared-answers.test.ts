import { listDepartures, noteDeparture } from '@tour-ops/contract/departures/departures'
import type { Role } from '@tour-ops/contract/identity/access'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { MemberCall } from '../context.ts'
import { addDeparture, coreVerbOf, publishedTour } from '../../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing/world.ts'
import { movableClock } from './clock.ts'
import type { Tx } from './db/database.ts'
import { SharedAnswers } from './shared-answers.ts'

const onPostgres = inject('embeddedPostgres') !== null

let world: TestWorld
let manager: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  manager = await world.as('operations_manager')
})
afterAll(() => world.close())

interface Asked {
  readonly by?: TestCaller
  readonly role?: Role
  readonly scope?: MemberCall['scope']
  readonly clock?: MemberCall['clock']
  readonly make?: (tx: Tx) => Promise<string>
}

/** Answers that are counted: `made` says which ones were really made. */
function counted() {
  const shared = new SharedAnswers()
  const clock = movableClock(new Date('2030-07-14T08:30:00Z'))
  let made = 0
  const ask = ({ by = manager, role = by.role, scope = 'all', make, ...asked }: Asked = {}): Promise<string> =>
    by.transaction((tx) =>
      shared.answer({ tx, clock: asked.clock ?? clock, orgId: by.orgId, role, scope }, ['board'], async () => {
        made += 1
        return make ? make(tx) : `answer ${made}`
      }),
    )
  return { ask, clock, made: () => made }
}

const writePlace = (caller: TestCaller): Promise<unknown> =>
  caller.transaction((tx) =>
    sql`insert into places (org_id, id, name, lat, lng) values (${caller.orgId}, uuidv7(), 'Vík', 63.4, -19)`.execute(
      tx,
    ),
  )

describe('an answer is given to the next who asks', () => {
  test('of the same organization and role', async () => {
    const { ask, made } = counted()
    const colleague = await world.as('operations_manager', { orgId: manager.orgId })
    expect([await ask(), await ask({ by: colleague }), made()]).toEqual(['answer 1', 'answer 1', 1])
  })

  test('not in another organization, another role, or to those who see only their own', async () => {
    const { ask } = counted()
    const stranger = await world.as('operations_manager')
    expect([await ask(), await ask({ by: stranger }), await ask({ role: 'viewer' })]).toEqual([
      'answer 1',
      'answer 2',
      'answer 3',
    ])
    expect([await ask({ scope: 'own' }), await ask({ scope: 'own' })]).toEqual(['answer 4', 'answer 5'])
  })

  test('until something of the organization is written; what others write does not matter', async () => {
    const { ask } = counted()
    const stranger = await world.as('operations_manager')
    await ask()
    await writePlace(stranger)
    expect(await ask()).toBe('answer 1')
    await writePlace(manager)
    expect(await ask()).toBe('answer 2')
  })

  test('for five seconds, since a clock moves boards as well', async () => {
    const { ask, clock } = counted()
    await ask()
    clock.set(new Date('2030-07-14T08:30:04.999Z'))
    expect(await ask()).toBe('answer 1')
    clock.set(new Date('2030-07-14T08:30:05Z'))
    expect(await ask()).toBe('answer 2')
  })

  test('and made again where the first who asked was refused', async () => {
    const { ask } = counted()
    const refused = ask({ make: () => Promise.reject(new Error('went away')) })
    await expect(refused).rejects.toThrow('went away')
    expect(await ask()).toBe('answer 2')
  })
})

describe.runIf(onPostgres)('with several transactions at once', () => {
  test('a write counts from its end on, however long ago it began', async () => {
    const { ask } = counted()
    const written = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const slow = manager.transaction(async (tx) => {
      await sql`insert into places (org_id, id, name, lat, lng) values (${manager.orgId}, uuidv7(), 'Höfn', 64.3, -15)`.execute(
        tx,
      )
      written.resolve()
      await mayEnd.promise
    })
    await written.promise
    await writePlace(manager)
    expect([await ask(), await ask()]).toEqual(['answer 1', 'answer 1'])
    mayEnd.resolve()
    await slow
    expect(await ask()).toBe('answer 2')
  })

  test('those who ask while it is made wait for it', async () => {
    const { ask, made } = counted()
    const mayEnd = Promise.withResolvers<string>()
    const asked = [ask({ make: () => mayEnd.promise })]
    while (made() === 0) await new Promise((resolve) => setImmediate(resolve))
    asked.push(ask(), ask())
    mayEnd.resolve('one for all')
    expect(await Promise.all(asked)).toEqual(['one for all', 'one for all', 'one for all'])
    expect(made()).toBe(1)
  })

  test('of twenty who ask at the same moment after a change one makes it', async () => {
    const { ask, made } = counted()
    await ask()
    await writePlace(manager)
    expect(await Promise.all(Array.from({ length: 20 }, () => ask()))).toEqual(Array(20).fill('answer 2'))
    expect(made()).toBe(2)
  })

  test('who waited for an answer that never came makes it for themselves', async () => {
    const { ask, made } = counted()
    const goAway = Promise.withResolvers<string>()
    const first = ask({ make: () => goAway.promise })
    while (made() === 0) await new Promise((resolve) => setImmediate(resolve))
    const second = ask()
    await new Promise((resolve) => setTimeout(resolve, 50))
    goAway.reject(new Error('went away'))
    await expect(first).rejects.toThrow('went away')
    expect(await second).toBe('answer 2')
  })

  test('twelve people who write and read at the same time each find their own write in the list', async () => {
    const { tourId } = await publishedTour(manager)
    const list = coreVerbOf(listDepartures)
    const lost: string[] = []
    await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const id = await addDeparture(manager, tourId, { localDate: `2031-01-${String(n + 10)}` })
        for (let round = 0; round < 8; round += 1) {
          const before = await manager.call(list, { filters: { tourId: [tourId] }, size: 100 })
          const version = before.rows.find((row) => row.id === id)?.version ?? 0
          const note = { weatherNote: null, internalNote: `round ${round}` }
          const saved = await manager.call(coreVerbOf(noteDeparture), { id, version, ...note })
          const after = await manager.call(list, { filters: { tourId: [tourId] }, size: 100 })
          const seen = after.rows.find((row) => row.id === id)?.version
          if (seen !== saved.version) lost.push(`${n} in round ${round}: ${seen}`)
        }
      }),
    )
    expect(lost).toEqual([])
  })
})
