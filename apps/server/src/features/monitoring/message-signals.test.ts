import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { retryDelivery } from '@tour-ops/contract/notifications/notifications'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Outcome } from '../../platform/channels/delivery-outcome.ts'
import { recordOutcomes } from '../../platform/channels/due-deliveries.ts'
import { newId } from '../../platform/ids.ts'
import { notificationVerbs } from '../notifications/outbox-service.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...notificationVerbs])
const sent: Outcome = { status: 'sent', providerId: 'taken' }
const refused: Outcome = { status: 'failed', error: 'mailbox full', isFinal: true }

/** An office whose message about a departure reached one recipient and not the other, since 08:00. */
async function halfDelivered() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-14T08:00:00Z'))
  const { orgId } = caller
  const departureId = await addDeparture(caller, tourId, { localDate: '2030-07-16' })
  const [messageId, reached, missed] = [newId(), newId(), newId()]
  await caller.transaction(async (tx) => {
    await sql`insert into messages (org_id, id, source, status, departure_id) values (${orgId}, ${messageId}, 'manual', 'sending', ${departureId})`.execute(
      tx,
    )
    await sql`insert into deliveries (org_id, id, message_id, recipient, channel) values (${orgId}, ${reached}, ${messageId}, 'a@example.com', 'email'),
      (${orgId}, ${missed}, ${messageId}, 'b@example.com', 'email')`.execute(tx)
  })
  const end = (id: string, outcome: Outcome) =>
    caller.transaction((tx) =>
      recordOutcomes(tx, orgId, [
        { due: { id, messageId, to: '', channel: 'email', subject: null, body: null, attempts: 1 }, outcome },
      ]),
    )
  await end(reached, sent)
  await end(missed, refused)
  const alertAt = async (moment: string) => {
    clock.set(new Date(moment))
    await caller.transaction((tx) => evaluateAlerts(tx, orgId))
    const { rows } = await caller.call(verbOf(listAlerts), { filters: { kind: ['message_failed'] } })
    return rows.map(({ status, resolutionFacts }) => ({ status, resolutionFacts }))
  }
  expect(await alertAt('2030-07-14T08:01:00Z')).toMatchObject([{ status: 'open' }])
  clock.set(new Date('2030-07-14T08:10:00Z'))
  return {
    alertAt,
    end: (outcome: Outcome) => end(missed, outcome),
    retry: () => caller.call(verbOf(retryDelivery), { id: missed }),
  }
}

const ended = { limitHours: 24, failed: 0, suppressed: 0 }

test('an alert about a message ends when it was sent again, and stores when', async () => {
  const { alertAt, retry, end } = await halfDelivered()
  await retry()
  await end(sent)
  expect(await alertAt('2030-07-14T08:11:00Z')).toMatchObject([{ status: 'open' }])
  expect(await alertAt('2030-07-14T08:12:00Z')).toEqual([
    { status: 'resolved', resolutionFacts: { ...ended, messageStatus: 'sent', sentAt: '2030-07-14T08:10:00+00:00' } },
  ])
})

test('an alert about a message that is still being sent again stores no time: what left before it began does not count', async () => {
  const { alertAt, retry } = await halfDelivered()
  await retry()
  await alertAt('2030-07-14T08:11:00Z')
  expect(await alertAt('2030-07-14T08:12:00Z')).toEqual([
    { status: 'resolved', resolutionFacts: { ...ended, messageStatus: 'sending' } },
  ])
})

test('an alert about a message that nobody has to receive any more stores that it was not sent', async () => {
  const { alertAt, retry, end } = await halfDelivered()
  await retry()
  await end({ status: 'suppressed', reason: 'opted_out' })
  await alertAt('2030-07-14T08:11:00Z')
  expect(await alertAt('2030-07-14T08:12:00Z')).toEqual([
    { status: 'resolved', resolutionFacts: { ...ended, messageStatus: 'sent', suppressed: 1 } },
  ])
})

test('an alert about a message ends a day after the message, and stores that it still has not arrived', async () => {
  const { alertAt } = await halfDelivered()
  expect(await alertAt('2030-07-15T07:59:00Z')).toMatchObject([{ status: 'open' }])
  await alertAt('2030-07-15T08:00:00Z')
  expect(await alertAt('2030-07-15T08:01:00Z')).toEqual([
    { status: 'resolved', resolutionFacts: { ...ended, messageStatus: 'partly_failed', failed: 1 } },
  ])
})
