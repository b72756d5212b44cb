import { listDepartures, noteDeparture } from '@tour-ops/contract/departures/departures'
import type { Role } from '@tour-ops/contract/identity/access'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, coreVerbOf, publishedTour } from '../../testing/operations.ts'
import { requestMeta, testDatabase, type TestCaller, type TestWorld } from '../../testing/world.ts'
import type { Database } from './db/database.ts'
import { Gathered } from './gathered.ts'
import { execute } from './verb.ts'

let world: TestWorld
let manager: TestCaller
let departureId: string
beforeAll(async () => {
  world = await testDatabase()
  manager = await world.as('operations_manager')
  const { tourId } = await publishedTour(manager)
  departureId = await addDeparture(manager, tourId)
})
afterAll(() => world.close())

const list = coreVerbOf(listDepartures)
const colleague = (role: Role) => world.as(role, { orgId: manager.orgId })

/** The first one's transaction has read and is held at its end until the others have asked. */
async function askAtOnce(
  [first, ...others]: readonly [TestCaller, ...TestCaller[]],
  meanwhile: () => Promise<unknown> = async () => null,
) {
  let transactions = 0
  const { promise: hasRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  const transaction: Database['transaction'] = async (scope, run) => {
    transactions += 1
    const isFirst = transactions === 1
    const result = await world.database.transaction(scope, run)
    if (isFirst) {
      read()
      await held
    }
    return result
  }
  const db = new Proxy(world.database, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name)),
  })
  const services = { ...world.services, db, reads: new Gathered<never, unknown>() }
  const ask = ({ caller }: TestCaller) => execute(services, requestMeta(), caller, list, {})
  const asked = ask(first)
  await hasRead
  await meanwhile()
  const settled = Promise.allSettled([asked, ...others.map(ask)])
  goOn()
  return { outcomes: await settled, transactions }
}

test('any number of colleagues who ask at once cost two transactions, and those of a role get one object', async () => {
  const dispatcher = await colleague('dispatcher')
  const others = Array.from({ length: 40 }, (_none, at) => (at % 2 ? manager : dispatcher))
  const { outcomes, transactions } = await askAtOnce([manager, ...others])
  expect(transactions).toBe(2)
  const answers = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null))
  expect(answers.map((answer) => answer?.rows.map(({ id }) => id))).toEqual(answers.map(() => [departureId]))
  expect(new Set(answers.slice(1)).size).toBe(2)
})

test('each is judged as when asking alone: removed people, a missing role, a guide, a second factor that is due', async () => {
  const suspended = await colleague('dispatcher')
  const viewer = await colleague('viewer')
  const guide = await colleague('guide')
  const stranger = await world.as('operations_manager')
  await world.rows(`update members set status = 'suspended' where user_id = $1`, [suspended.userId])
  const due = () =>
    world.rows(
      `update org_settings set second_factor_roles = '{viewer}', second_factor_from = now() - interval '1 day' where org_id = $1`,
      [manager.orgId],
    )
  const astray = { ...stranger, caller: { ...stranger.caller, orgId: manager.orgId } }
  const askers = [manager, suspended, viewer, guide, astray] as const
  const { outcomes } = await askAtOnce(askers, due)
  const alone = await Promise.allSettled(
    askers.map(({ caller }) => execute({ ...world.services, reads: new Gathered() }, requestMeta(), caller, list, {})),
  )
  const said = (all: readonly (typeof outcomes)[number][]) =>
    all.map((outcome) =>
      outcome.status === 'fulfilled'
        ? outcome.value.rows.length
        : (outcome.reason as { details: { reason: string } }).details.reason,
    )
  expect(said(outcomes)).toEqual([1, 'not_a_member', 'second_factor_required', 0, 'not_a_member'])
  expect(said(alone)).toEqual(said(outcomes))
})

test('nobody gets an answer from before they asked', async () => {
  const note = { id: departureId, version: 1, weatherNote: 'Storm', internalNote: null }
  const { outcomes } = await askAtOnce([manager, manager, manager], () => manager.call(coreVerbOf(noteDeparture), note))
  const versions = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value.rows[0]?.version)
  expect(versions).toEqual([1, 2, 2])
})
