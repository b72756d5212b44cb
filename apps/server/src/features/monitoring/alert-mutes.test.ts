import {
  listAlerts,
  monitoringBoard,
  muteAlert,
  resolveAlert,
  unmuteAlerts,
} from '@tour-ops/contract/monitoring/alerts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { addDeparture, assignGuide, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { evaluateAlerts, evaluateSubjects } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(monitoringVerbs)
const at = (time: string, day = 14) => new Date(`2030-07-${day}T${time}:00Z`)

/** An office with a departure that was to start at 09:00 and has not; it is late by ten minutes, and critical by 45. */
async function office(time = '09:20') {
  const { caller, clock, tourId } = await officeWithTour(world, at('08:30'))
  const departureId = await addDeparture(caller, tourId)
  await assignGuide(caller, departureId)
  const evaluate = () => caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  const alerts = async () => {
    const { rows } = await caller.call(verbOf(listAlerts), {
      filters: { kind: ['late_start'] },
      sort: [{ by: 'openedAt' }],
    })
    return rows
  }
  const open = async () =>
    (await alerts()).filter(({ status }) => status !== 'resolved').map(({ severity }) => severity)
  const go = async (now: Date) => {
    clock.set(now)
    await evaluate()
  }
  await go(at(time))
  const [alert] = await alerts()
  if (!alert) throw new Error('It is late.')
  const mute = (lasts: 'today' | 'departure' = 'today', by = caller) =>
    by.call(verbOf(muteAlert), { id: alert.id, version: alert.version, lasts, reason: 'The driver called' })
  const muted = async () => (await caller.call(verbOf(monitoringBoard), {})).muted
  return { caller, clock, departureId, alert, alerts, open, go, mute, muted, evaluate }
}

describe('a rule that is muted for a departure', () => {
  test('resolves its alert, says so on the board, and opens none again', async () => {
    const { caller, departureId, alerts, open, go, mute, muted } = await office()
    const answer = await mute()
    expect(await muted()).toEqual([answer])
    expect(answer).toMatchObject({
      kind: 'late_start',
      departure: { id: departureId },
      reason: 'The driver called',
      endsAt: at('00:00', 15).toISOString(),
    })
    expect(await alerts()).toMatchObject([
      {
        status: 'resolved',
        resolution: 'muted',
        resolutionNote: 'The driver called',
        resolvedByName: expect.any(String),
      },
    ])
    await go(at('09:30'))
    expect(await open()).toEqual([])
    const elsewhere = await office()
    expect(await elsewhere.open()).toEqual(['warning'])
    expect(await elsewhere.muted()).toEqual([])
    expect(caller.orgId).not.toBe(elsewhere.caller.orgId)
  })

  test('is heard where it gets graver than it was, and not once it was muted as grave as it gets', async () => {
    const { open, go, mute, alerts, caller, muted } = await office()
    await mute()
    await go(at('09:46'))
    expect(await open()).toEqual(['critical'])
    const graver = (await alerts()).find(({ status }) => status === 'open')
    await caller.call(verbOf(muteAlert), {
      id: graver?.id ?? '',
      version: 1,
      lasts: 'departure',
      reason: 'Cancelled soon',
    })
    await go(at('10:30'))
    expect(await open()).toEqual([])
    // muted again it is one
    expect(await muted()).toMatchObject([{ reason: 'Cancelled soon', endsAt: null }])
  })

  test('is heard again at once when that is ended', async () => {
    const { caller, open, evaluate, mute, muted } = await office()
    const { id, version } = await mute('departure')
    await caller.call(verbOf(unmuteAlerts), { id, version })
    expect(await muted()).toEqual([])
    await evaluate()
    expect(await open()).toEqual(['warning'])
  })

  test('is due at the end of the day, and heard then', async () => {
    const { caller, clock, departureId, open, mute } = await office('09:50')
    await mute()
    const midnight = at('00:00', 15)
    const subject = { kind: 'departure', id: departureId } as const
    /** By due times alone, as the server does it. */
    for (let turn = 0; turn < 20 && clock.now() < midnight; turn += 1) {
      await caller.transaction((tx) => evaluateSubjects(tx, caller.orgId, [subject]))
      expect(await open()).toEqual([])
      clock.set(await nextDue(caller.orgId, departureId))
    }
    expect(clock.now()).toEqual(midnight)
    await caller.transaction((tx) => evaluateSubjects(tx, caller.orgId, [subject]))
    expect(await open()).toEqual(['critical'])
  })

  test('takes all its alerts about the departure with it, also those that sleep, and no graver one', async () => {
    const { caller, departureId, mute } = await office()
    const add = (status: 'open' | 'snoozed' | 'acknowledged', severity: string, kind = 'late_start') =>
      caller.transaction(async (tx) => {
        const id = newId()
        await sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
          values (${caller.orgId}, ${id}, ${kind}, ${severity}, 'departure', ${id}, ${departureId}, 'Late', ${id})`.execute(
          tx,
        )
        if (status !== 'open')
          await sql`update alerts set status = ${status}, snoozed_until = ${status === 'snoozed' ? at('12:00') : null}
            where org_id = ${caller.orgId} and id = ${id}`.execute(tx)
        return id
      })
    const ids = [
      await add('open', 'info'),
      await add('snoozed', 'warning'),
      await add('acknowledged', 'warning'),
      await add('open', 'critical'),
      await add('open', 'warning', 'no_lead_guide'),
    ]
    await mute()
    const { rows } = await caller.call(verbOf(listAlerts), { size: 50 })
    expect(ids.map((id) => rows.find((row) => row.id === id)?.resolution ?? null)).toEqual([
      'muted',
      'muted',
      'muted',
      null,
      null,
    ])
  })

  test('is not opened by an evaluation that runs at the same moment', async () => {
    const { mute, evaluate, open } = await office()
    await Promise.all([mute(), evaluate(), evaluate(), evaluate()])
    expect(await open()).toEqual([])
  })
})

async function nextDue(orgId: string, departureId: string): Promise<Date> {
  const { rows } = await world.database.ownerPool.query<{ at: Date }>(
    'select due_at as at from alert_dues where org_id = $1 and subject_id = $2',
    [orgId, departureId],
  )
  return rows[0]?.at ?? new Date(Number.NaN)
}

test('nobody mutes a call for help, what is over, what somebody else has changed, or alerts of another organization', async () => {
  const { caller, clock, departureId, alert, mute } = await office()
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  await expect(mute('today', viewer)).rejects.toMatchObject({ code: 'permission-denied' })
  await expect(mute('today', await world.as('operations_manager'))).rejects.toMatchObject({ code: 'not-found' })
  await expect(
    caller.call(verbOf(muteAlert), { id: alert.id, version: alert.version + 1, lasts: 'today', reason: 'Old' }),
  ).rejects.toMatchObject({ details: { reason: 'version_conflict' } })
  await expect(
    caller.call(verbOf(muteAlert), { id: alert.id, version: alert.version, lasts: 'today', reason: ' ' }),
  ).rejects.toMatchObject({ details: { fieldIssues: { reason: [{ code: 'reason_missing' }] } } })
  const sos = newId()
  await caller.transaction((tx) =>
    sql`insert into alerts (org_id, id, kind, severity, subject_type, subject_id, departure_id, title, dedupe_key)
      values (${caller.orgId}, ${sos}, 'sos', 'critical', 'departure', ${sos}, ${departureId}, 'Help', ${sos})`.execute(
      tx,
    ),
  )
  await expect(
    caller.call(verbOf(muteAlert), { id: sos, version: 1, lasts: 'today', reason: 'Quiet' }),
  ).rejects.toMatchObject({ details: { reason: 'alert_not_mutable' } })
  await caller.call(verbOf(resolveAlert), { id: alert.id, version: alert.version, reason: 'Gone' })
  await expect(
    caller.call(verbOf(muteAlert), { id: alert.id, version: alert.version + 1, lasts: 'today', reason: 'Late' }),
  ).rejects.toMatchObject({ details: { reason: 'illegal_transition' } })
})
