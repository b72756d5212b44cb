import { confirmBooking, extendHold } from '@tour-ops/contract/bookings/bookings'
import { recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { createService, setServiceStatus } from '@tour-ops/contract/vehicles/vehicles'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, coreVerbOf, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { vehiclesVerbs } from '../vehicles/verbs.ts'
import { newId } from '../../platform/ids.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...vehiclesVerbs])
type Kind = 'service_unconfirmed' | 'headcount_mismatch' | 'hold_expiring' | 'certificate_expiring'

/** An office with a departure on 14 July 2030 at 09:00, which is UTC there. Times are `DD HH:MM` or `DD HH:MM:SS` of that month. */
async function office(kind: Kind, now: string) {
  const at = (time: string) => new Date(`2030-07-${time.replace(' ', 'T')}${time.length === 8 ? ':00' : ''}Z`)
  const { caller, clock, tourId } = await officeWithTour(world, at(now))
  const id = await addDeparture(caller, tourId)
  const evaluate = (time: string) => {
    clock.set(at(time))
    return caller.transaction((tx) => evaluateAlerts(tx, caller.orgId))
  }
  const alertsOf = async (of = caller) => {
    const { rows } = await of.call(verbOf(listAlerts), { filters: { kind: [kind] }, sort: [{ by: 'openedAt' }] })
    return rows
  }
  /** Of each that it is open, or how it ended; open ones come first. */
  const states = async () =>
    (await alertsOf())
      .map(({ status, resolution }) => resolution ?? status)
      .toSorted()
      .toReversed()
  return { caller, clock, id, at, tourId, evaluate, alertsOf, states }
}

/** Of an alert that ended by itself. */
const byItself = { status: 'resolved', resolution: 'auto', resolutionNote: 'condition_gone' }

/** Somebody of another organization on the same server. */
const stranger = () => world.as('operations_manager')

describe('a service that nobody has confirmed', () => {
  const order = async () => {
    const desk = await office('service_unconfirmed', '12 06:00')
    const service = { departureId: desk.id, kind: 'meal' as const, description: 'Lunch for 12' }
    const { id } = await desk.caller.call(verbOf(createService), service)
    const set = async (to: 'requested' | 'confirmed' | 'declined' | 'cancelled') => {
      const [row] = await world.rows<{ version: number }>('select version from departure_services where id = $1', [id])
      await desk.caller.call(verbOf(setServiceStatus), { id, version: row?.version ?? 0, to })
    }
    return { ...desk, set, service }
  }

  test('is an alert from exactly 48 hours before the start, and still one where the supplier declines', async () => {
    const { evaluate, states, alertsOf, set, id } = await order()
    await evaluate('12 08:59:59')
    expect(await states()).toEqual([])
    await evaluate('12 09:00:00')
    await set('requested')
    await evaluate('12 09:01')
    await set('declined')
    await evaluate('12 09:02')
    expect(await alertsOf()).toMatchObject([
      {
        status: 'open',
        severity: 'warning',
        subjectType: 'service',
        departure: { id },
        evidence: { service: 'meal', description: 'Lunch for 12', status: 'declined' },
      },
    ])
    expect(await (await stranger()).call(verbOf(listAlerts), {})).toMatchObject({ total: 0 })
  })

  test.each(['confirmed', 'cancelled'] as const)('is none a minute after it is %s', async (to) => {
    const { evaluate, states, alertsOf, set } = await order()
    await evaluate('12 10:00')
    await set('requested')
    await set(to)
    await evaluate('12 10:01:00')
    await evaluate('12 10:01:59')
    expect(await states()).toEqual(['open'])
    await evaluate('12 10:02:00')
    expect(await alertsOf()).toMatchObject([{ ...byItself, resolutionFacts: { serviceStatus: to } }])
  })

  test('has an alert of its own beside another one of the departure', async () => {
    const { caller, evaluate, alertsOf, service } = await order()
    await caller.call(verbOf(createService), { ...service, description: 'Tickets', kind: 'ticket' })
    await evaluate('13 10:00')
    expect((await alertsOf()).map(({ evidence }) => String(evidence['description'])).toSorted()).toEqual([
      'Lunch for 12',
      'Tickets',
    ])
  })

  test('is none while its departure is put off to later, and again when that comes near', async () => {
    const { caller, evaluate, states, id } = await order()
    await evaluate('12 10:00')
    expect(await states()).toEqual(['open'])
    await caller.transaction((tx) =>
      sql`update departures set starts_at = starts_at + interval '1 day', local_date = local_date + 1, ends_at = ends_at + interval '1 day' where id = ${id}`.execute(
        tx,
      ),
    )
    await evaluate('12 10:01')
    await evaluate('12 10:02')
    expect(await states()).toEqual(['auto'])
    await evaluate('13 08:59:59')
    expect(await states()).toEqual(['auto'])
    await evaluate('13 09:00:00')
    expect(await states()).toEqual(['open', 'auto'])
  })

  test('is nothing to do any more once the tour has set out', async () => {
    const { caller, clock, at, evaluate, states, id } = await order()
    await assignGuide(caller, id)
    clock.set(at('14 08:30'))
    await setStatus(caller, id, { to: 'boarding' })
    await evaluate('14 08:50')
    expect(await states()).toEqual(['open'])
    clock.set(at('14 09:00'))
    await setStatus(caller, id, { to: 'in_progress', reason: 'Test' })
    await evaluate('14 09:01')
    await evaluate('14 09:02')
    expect(await states()).toEqual(['auto'])
  })
})

describe('a head count', () => {
  const boarding = async () => {
    const desk = await office('headcount_mismatch', '14 08:15')
    await assignGuide(desk.caller, desk.id)
    await book(desk.caller, desk.id, 5)
    await setStatus(desk.caller, desk.id, { to: 'boarding' })
    const count = (counted: number, reason?: string) =>
      desk.caller.call(coreVerbOf(recordHeadcount), { departureId: desk.id, counted, ...(reason && { reason }) })
    return { ...desk, count }
  }

  test('that differs is a critical alert at once, one for the departure, with the last count', async () => {
    const { clock, at, count, alertsOf, evaluate, id } = await boarding()
    await count(0)
    expect(await alertsOf()).toEqual([])
    await count(2, 'Two walked on')
    expect(await alertsOf()).toMatchObject([
      { status: 'open', severity: 'critical', departure: { id }, evidence: { expected: 0, counted: 2 } },
    ])
    clock.set(at('14 08:16'))
    await count(1, 'One left')
    await evaluate('14 08:17')
    expect(await alertsOf()).toMatchObject([
      { status: 'open', evidence: { expected: 0, counted: 1, reason: 'One left', stopName: 'BSÍ terminal' } },
    ])
    expect(await (await stranger()).call(verbOf(listAlerts), {})).toMatchObject({ total: 0 })
  })

  test('that fits ends it at once, and says what was counted', async () => {
    const { count, clock, at, alertsOf, states, evaluate } = await boarding()
    await count(2, 'Two walked on')
    clock.set(at('14 08:16'))
    await count(0)
    expect(await alertsOf()).toMatchObject([{ ...byItself, resolutionFacts: { expected: 0, counted: 0 } }])
    await evaluate('14 08:17')
    expect(await states()).toEqual(['auto'])
    clock.set(at('14 08:18'))
    await count(3, 'Three walked on')
    await evaluate('14 08:19')
    expect(await states()).toEqual(['open', 'auto'])
  })

  test('that differs is over when the departure is', async () => {
    const { caller, clock, at, count, alertsOf, evaluate, id } = await boarding()
    clock.set(at('14 09:00'))
    await setStatus(caller, id, { to: 'in_progress', reason: 'Test' })
    await count(1, 'One walked on')
    await evaluate('14 09:10')
    await setStatus(caller, id, { to: 'aborted', reason: 'Test' })
    await evaluate('14 09:11')
    await evaluate('14 09:12')
    expect(await alertsOf()).toMatchObject([{ ...byItself, resolutionFacts: { status: 'aborted' } }])
  })
})

describe('a hold that ends soon', () => {
  const hold = async (holdMinutes = 180) => {
    const desk = await office('hold_expiring', '10 08:00')
    const booking = await book(desk.caller, desk.id, 2, { mode: 'hold', holdMinutes })
    return { ...desk, booking }
  }

  test('is an alert from exactly two hours before its end, until it has ended', async () => {
    const { evaluate, states, alertsOf, booking, id } = await hold()
    await evaluate('10 08:59:59')
    expect(await states()).toEqual([])
    await evaluate('10 09:00:00')
    await evaluate('10 10:00')
    expect(await alertsOf()).toMatchObject([
      {
        status: 'open',
        severity: 'info',
        subjectType: 'booking',
        subjectId: booking.id,
        departure: { id },
        evidence: { bookingRef: booking.bookingRef, pax: 2, contactName: 'Amara Okafor' },
      },
    ])
    expect(await (await stranger()).call(verbOf(listAlerts), {})).toMatchObject({ total: 0 })
    await evaluate('10 10:59:59')
    expect(await states()).toEqual(['open'])
    await evaluate('10 11:00:00')
    await evaluate('10 11:01:00')
    expect(await alertsOf()).toMatchObject([byItself])
  })

  test('is none where it was never meant to last longer than that', async () => {
    const { evaluate, states } = await hold(120)
    await evaluate('10 08:01')
    await evaluate('10 09:59')
    expect(await states()).toEqual([])
  })

  test('is none a minute after the party has confirmed', async () => {
    const { caller, evaluate, states, alertsOf, booking } = await hold()
    await evaluate('10 09:30')
    await caller.call(coreVerbOf(confirmBooking), { id: booking.id, version: booking.version })
    await evaluate('10 09:31:00')
    expect(await states()).toEqual(['open'])
    await evaluate('10 09:32:00')
    expect(await alertsOf()).toMatchObject([{ ...byItself, resolutionFacts: { bookingStatus: 'confirmed' } }])
  })

  test('is none while it is extended, and again two hours before its new end', async () => {
    const { caller, at, evaluate, states, alertsOf, booking } = await hold()
    await evaluate('10 09:30')
    const until = at('10 15:00').toISOString()
    await caller.call(coreVerbOf(extendHold), { id: booking.id, version: booking.version, until })
    await evaluate('10 09:31')
    await evaluate('10 09:32')
    expect(await states()).toEqual(['auto'])
    await evaluate('10 12:59:59')
    expect(await states()).toEqual(['auto'])
    await evaluate('10 13:00:00')
    const found = (await alertsOf()).find(({ status }) => status === 'open')
    expect(found?.evidence).toMatchObject({ bookingRef: booking.bookingRef })
    expect(Date.parse(String(found?.evidence['expiresAt']))).toBe(Date.parse(until))
  })
})

test('a certificate that was renewed ends its alert, which says until when the new one is valid', async () => {
  const { caller, evaluate, alertsOf } = await office('certificate_expiring', '14 08:00')
  const staffId = newId()
  const certify = (validUntil: string) =>
    caller.transaction((tx) =>
      sql`insert into staff_certificates (org_id, id, staff_id, kind, valid_until)
        values (${caller.orgId}, ${newId()}, ${staffId}, 'first_aid', ${validUntil})`.execute(tx),
    )
  await caller.transaction((tx) =>
    sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${caller.orgId}, ${staffId}, 'S1', 'Jonas', 'Berg')`.execute(
      tx,
    ),
  )
  await certify('2030-07-20')
  await evaluate('14 08:00')
  expect(await alertsOf()).toMatchObject([{ status: 'open' }])
  await certify('2032-07-20')
  await evaluate('14 08:01')
  await evaluate('14 08:02')
  expect(await alertsOf()).toMatchObject([
    { ...byItself, resolutionFacts: { holderStatus: 'active', certificates: 2, validUntil: '2032-07-20' } },
  ])
})
