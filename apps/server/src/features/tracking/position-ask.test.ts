import { registerDutyPhone } from '@tour-ops/contract/tracking/devices'
import { beginDuty, endDuty, ownDuty, setDutyBreak, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { askPosition, getPositionAsk } from '@tour-ops/contract/tracking/position-ask'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { refusalOf } from '../../../testing/sample-rows.ts'
import { insertGuide } from '../../../testing/tracking.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { trackingVerbs } from './verbs.ts'

const verbOf = verbsOf(trackingVerbs)
/** Inside of the days that the migration has made. */
const start = new Date(Math.floor(Date.now() / 1000) * 1000)
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const clock = movableClock(start)

let world: TestWorld
let server: TestServer
let office: TestCaller
beforeAll(async () => {
  world = await testDatabase()
  office = await world.as('dispatcher', { clock })
  server = await testServer({ services: { ...world.services, clock }, env: { DEMO: 'off' } })
})
afterAll(async () => {
  await server?.close()
  await world?.close()
})

/** Somebody on duty who agrees to be seen, and whose phone has the duty page open. */
async function onDuty() {
  clock.set(start)
  const staffId = await insertGuide(office)
  const caller = await world.as('guide', { orgId: office.orgId, staffId, clock })
  await caller.call(verbOf(setTrackingConsent), { agrees: true })
  await caller.call(verbOf(beginDuty), {})
  const { token } = await caller.call(verbOf(registerDutyPhone), { label: 'Android' })
  /** @param slowS How far the phone's clock is behind. */
  const report = async (seconds: number, slowS = 0) => {
    const body = {
      fixes: [{ recordedAt: after(seconds - slowS).toISOString(), lat: 64.1, lng: -21.9 }],
      sentAt: after(seconds - slowS).toISOString(),
    }
    clock.set(after(seconds))
    const headers = { 'content-type': 'application/json' }
    const sent = await server.fetch(`/track/${token}`, { method: 'POST', body: JSON.stringify(body), headers })
    expect(sent.status).toBe(200)
  }
  return { staffId, caller, report }
}

const ask = (staffId: string, by = office) => by.call(verbOf(askPosition), { staffId })
const stateOf = (staffId: string) => office.call(verbOf(getPositionAsk), { staffId })
const refused = (because: string) => ({ code: 'aborted', details: { reason: 'position_not_asked', because } })

test('a question is in the duty of the phone, and answered by a position that is newer', async () => {
  const { staffId, caller, report } = await onDuty()
  await report(5)
  expect(await stateOf(staffId)).toEqual({ askedAt: null, answeredAt: null, because: null })
  clock.set(after(10))
  const asked = { askedAt: after(10).toISOString(), answeredAt: null, because: null }
  expect(await ask(staffId)).toEqual(asked)
  expect((await caller.call(verbOf(ownDuty), {})).session?.askedAt).toBe(asked.askedAt)
  clock.set(after(100))
  expect(await stateOf(staffId)).toEqual(asked)
  await report(105)
  expect(await stateOf(staffId)).toEqual({ ...asked, answeredAt: after(105).toISOString() })
})

test('the answer of a phone whose clock is slow by less than a minute is one as well', async () => {
  const { staffId, report } = await onDuty()
  clock.set(after(60))
  await ask(staffId)
  await report(70, 40)
  expect((await stateOf(staffId)).answeredAt).toBe(after(30).toISOString())
})

test('asked again within half a minute it is the same question, and afterwards another', async () => {
  const { staffId, report } = await onDuty()
  clock.set(after(10))
  const first = await ask(staffId)
  await report(15)
  clock.set(after(39))
  expect((await ask(staffId)).askedAt).toBe(first.askedAt)
  clock.set(after(40))
  expect(await ask(staffId)).toEqual({ askedAt: after(40).toISOString(), answeredAt: null, because: null })
  const { rows } = await office.transaction((tx) =>
    sql<{ who: string }>`select a.actor_id as who from audit_entries a join duty_sessions u on u.id::text = a.entity_id
      where u.staff_id = ${staffId} and a.diff ? 'asked_at' and a.action = 'tracking-ask'`.execute(tx),
  )
  expect(rows).toHaveLength(2)
})

test('nobody is asked off duty, during a break, without consent, or whose phone has no duty page', async () => {
  const { staffId, caller } = await onDuty()
  await caller.call(verbOf(setDutyBreak), { onBreak: true })
  await expect(ask(staffId)).rejects.toMatchObject(refused('on_break'))
  await caller.call(verbOf(setDutyBreak), { onBreak: false })
  await caller.call(verbOf(setTrackingConsent), { agrees: false })
  await expect(ask(staffId)).rejects.toMatchObject(refused('no_consent'))
  await caller.call(verbOf(endDuty), {})
  await expect(ask(staffId)).rejects.toMatchObject(refused('off_duty'))

  const other = await insertGuide(office)
  const tracked = await world.as('guide', { orgId: office.orgId, staffId: other, clock })
  await tracked.call(verbOf(setTrackingConsent), { agrees: true })
  await tracked.call(verbOf(beginDuty), {})
  await expect(ask(other)).rejects.toMatchObject(refused('no_duty_page'))
})

test('the database refuses it as well, whoever writes', async () => {
  const { staffId, caller } = await onDuty()
  const write = () =>
    refusalOf(
      office.transaction((tx) =>
        sql`update duty_sessions set asked_at = app_now() where org_id = ${office.orgId} and staff_id = ${staffId}`.execute(
          tx,
        ),
      ),
    )
  await caller.call(verbOf(setDutyBreak), { onBreak: true })
  expect(await write()).toBe('duty_sessions_ask_is_seen')
  await caller.call(verbOf(endDuty), {})
  expect(await write()).toBe('duty_sessions_ask_is_seen')
})

test('a duty that was asked ends, and is asked no more, as any other', async () => {
  const { staffId, caller } = await onDuty()
  await ask(staffId)
  await caller.call(verbOf(endDuty), {})
  expect(await stateOf(staffId)).toEqual({ askedAt: null, answeredAt: null, because: 'off_duty' })
})

test('guides ask nobody, viewers neither, and other organizations find nobody', async () => {
  const { staffId, caller } = await onDuty()
  const viewer = await world.as('viewer', { orgId: office.orgId, clock })
  for (const by of [caller, viewer]) await expect(ask(staffId, by)).rejects.toMatchObject({ code: 'permission-denied' })
  await expect(ask(staffId, await world.as('dispatcher', { clock }))).rejects.toMatchObject({ code: 'not-found' })
})
