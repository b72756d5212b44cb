import { getOutboxPace, listOutbox, paceMinutes } from '@tour-ops/contract/notifications/notifications'
import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { phonesOf } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Channels } from '../../platform/channels/channels.ts'
import { Courier } from '../../platform/channels/courier.ts'
import { outboxChannels } from '../../platform/channels/outbox-channels.ts'
import { movableClock } from '../../platform/clock.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { guestEnclosures } from '../../platform/operations/guest-enclosures.ts'
import { execute } from '../../platform/verb.ts'
import { notificationVerbs } from './outbox-service.ts'

let world: TestWorld
let channels: Channels
let courier: Courier
beforeAll(async () => {
  world = await testDatabase()
  const { db, clock } = world.services
  channels = outboxChannels({ db, clock, delivery: 'outbox' })
  courier = new Courier({
    db: world.database,
    log: pino({ level: 'silent' }),
    mail: null,
    phones: phonesOf(world.services),
    enclose: guestEnclosures('https://ops.example'),
  })
})
afterAll(() => world.close())

const verbOf = verbsOf(notificationVerbs)
const nothing = { ended: 0, delivered: 0, medianSeconds: null }

/** @param after Minutes from now. */
const paceOf = (
  { caller }: Pick<TestCaller, 'caller'>,
  { delivery = 'outbox', after = 0 }: { delivery?: Channels['delivery']; after?: number } = {},
) =>
  execute(
    {
      ...world.services,
      clock: movableClock(addMinutes(world.services.clock.now(), after)),
      channels: { ...channels, delivery },
    },
    requestMeta(),
    caller,
    verbOf(getOutboxPace),
    {},
  )

const message = (orgId: string, to: string, more: object = {}) => ({
  channel: 'email' as const,
  to,
  subject: 'Your booking',
  body: 'See you soon',
  orgId,
  kind: 'booking_confirmed',
  ...more,
})

test('how much arrived and how fast is counted for a day and a week, and nothing where nothing left', async () => {
  const viewer = await world.as('viewer')
  expect(await paceOf(viewer)).toMatchObject({ day: nothing, week: nothing })
  for (const to of ['a', 'b', 'c', 'd', 'old', 'older'])
    await channels.send(null, message(viewer.orgId, `${to}@example.com`))
  await channels.send(null, message(viewer.orgId, '+4477009001', { channel: 'sms' }))
  await channels.send(null, message(viewer.orgId, 'later@example.com', { dueAt: new Date('2199-01-01T00:00:00Z') }))
  await courier.deliverDue()
  await viewer.transaction((tx) =>
    sql`update deliveries d set created_at = app_now() - past.ago, sent_at = app_now() - past.ago + past.took,
        delivered_at = app_now() - past.ago + past.arrived
      from (values ('a', interval '1 hour', interval '2 s', null::interval), ('b', '1 hour', '4 s', '10 s'), ('c', '23 hours', '30 s', null), ('d', '1 hour', '1 s', null),
        ('old', '2 days', '200 s', null), ('older', '8 days', '9000 s', null)) past (name, ago, took, arrived)
      where d.recipient = past.name || '@example.com'`.execute(tx),
  )
  const { day, week } = await paceOf(viewer, { delivery: 'smtp' })
  // nobody has set up SMS: it failed
  expect(day).toMatchObject({ ended: 5, delivered: 4 })
  expect(day.medianSeconds).toBeCloseTo(6)
  expect(week).toMatchObject({ ended: 6, delivered: 5 })
  expect(week.medianSeconds).toBeCloseTo(10)
  // without a mail server nobody receives e-mails, whatever the log says
  const later = paceMinutes + 1
  expect((await paceOf(viewer, { after: later })).week).toEqual({ ...nothing, ended: 1 })
  const elsewhere = await world.as('viewer')
  expect(await paceOf(elsewhere, { delivery: 'smtp' })).toMatchObject({ day: nothing, week: nothing })
})

test('how much arrived is counted once in five minutes for everybody, and by no list', async () => {
  const viewer = await world.as('viewer')
  const colleague = await world.as('dispatcher', { orgId: viewer.orgId })
  expect(await viewer.call(verbOf(listOutbox), {})).not.toHaveProperty('pace')
  const first = await paceOf(viewer)
  await channels.send(null, message(viewer.orgId, '+4477009001', { channel: 'sms' }))
  await courier.deliverDue()
  expect(await paceOf(colleague, { after: paceMinutes - 1 })).toEqual(first)
  const next = await paceOf(colleague, { after: paceMinutes })
  expect(next.day.ended).toBe(1)
  expect(Date.parse(next.asOf)).toBeGreaterThan(Date.parse(first.asOf))
})
