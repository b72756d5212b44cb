import { setGuestRule } from '@tour-ops/contract/notifications/guest-rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import { sweepOrganizations } from '../../platform/jobs/housekeeping.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { messageEscalation } from './escalate-messages.ts'
import { guestRuleVerbs } from './guest-rules-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(guestRuleVerbs)
const event = 'booking_confirmed' as const

/** An office whose managers hear of confirmations that do not arrive, if `to` says so. */
async function desk(to: 'operations_manager' | null = 'operations_manager') {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const set = (escalateTo: 'operations_manager' | null) => caller.call(verbOf(setGuestRule), { event, escalateTo })
  if (to) await set(to)
  const confirm = async (email: string) =>
    (await book(caller, departureId, 1, { contact: { name: 'Ana López', email } })).id
  const fail = () =>
    caller.transaction(async (tx) => {
      await sql`update deliveries set status = 'failed' where org_id = ${caller.orgId} and status = 'queued'`.execute(
        tx,
      )
      await sql`update messages set status = 'sending' where org_id = ${caller.orgId} and status = 'queued'`.execute(tx)
      await sql`update messages set status = 'failed' where org_id = ${caller.orgId} and status = 'sending'`.execute(tx)
    })
  const escalate = (channels: Channels = world.services.channels) => {
    const services = { ...world.services, clock, channels }
    return sweepOrganizations(services, [messageEscalation(services)])
  }
  return { caller, clock, set, confirm, fail, escalate }
}

test('a message of the rule that has failed for good goes to the role of the rule: once, and to nobody else', async () => {
  const { caller, clock, confirm, fail, escalate } = await desk()
  const dispatcher = await world.as('dispatcher', { orgId: caller.orgId, clock })
  const bookingId = await confirm('ana@example.com')
  await escalate()
  expect(await notices(world, caller)).toEqual([])
  await fail()
  await Promise.all([escalate(), escalate()])
  await escalate()
  expect(await notices(world, caller)).toEqual([
    {
      title: '1 message to guests was not delivered',
      body: expect.stringMatching(/^ana@example\. com: .*Golden Circle/),
      link: `/travelers/list?booking=${bookingId}`,
    },
  ])
  expect(await notices(world, dispatcher)).toEqual([])
})

test('several are one notice, with the way to all of them', async () => {
  const { caller, confirm, fail, escalate } = await desk()
  for (const name of ['a', 'b', 'c']) await confirm(`${name}@example.com`)
  await fail()
  await escalate()
  expect(await notices(world, caller)).toMatchObject([
    { title: '3 messages to guests were not delivered', link: '/tools/notifications?f.status=failed' },
  ])
})

test('a rule that names nobody tells nobody, and what was written before it named somebody stays quiet', async () => {
  const { caller, clock, set, confirm, fail, escalate } = await desk(null)
  await confirm('ana@example.com')
  await fail()
  await escalate()
  clock.set(addMinutes(clock.now(), 1))
  expect(await set('operations_manager')).toMatchObject({ escalateTo: 'operations_manager', isOn: true })
  await escalate()
  expect(await notices(world, caller)).toEqual([])
  await confirm('bert@example.com')
  await fail()
  // another change of the rule leaves it
  expect(await caller.call(verbOf(setGuestRule), { event, isOn: true })).toMatchObject({
    escalateTo: 'operations_manager',
  })
  await escalate()
  expect(await notices(world, caller)).toHaveLength(1)
  await set(null)
  await confirm('carla@example.com')
  await fail()
  await escalate()
  expect(await notices(world, caller)).toHaveLength(1)
})

test('a process that is killed while it tells has told nothing, and the next one tells it', async () => {
  const { caller, confirm, fail, escalate } = await desk()
  await caller.transaction((tx) =>
    sql`insert into own_preferences (org_id, user_id, preferences)
      values (${caller.orgId}, ${caller.userId}, '{"events": {"message_undelivered": ["in_app", "email"]}}')`.execute(
      tx,
    ),
  )
  await confirm('ana@example.com')
  await fail()
  const killed: Channels = { ...world.services.channels, send: () => Promise.reject(new Error('killed')) }
  await expect(escalate(killed)).rejects.toThrow()
  expect(await notices(world, caller)).toEqual([])
  await escalate()
  expect(await notices(world, caller)).toHaveLength(1)
})
