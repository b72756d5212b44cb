import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { toldSoFar } from '@tour-ops/contract/monitoring/told-so-far'
import { seeRunSheet } from '@tour-ops/contract/departures/run-sheet'
import { sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, failToSend, sentMails, withoutQuietHours } from '../../../testing/guest-mail.ts'
import {
  addDeparture,
  assignGuide,
  book,
  coreVerbOf,
  drawWay,
  publishedTour,
  setStatus,
} from '../../../testing/operations.ts'
import { newId } from '../../platform/ids.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestMessageVerbs } from '../notifications/guest-messages-service.ts'
import { guestRuleVerbs } from '../notifications/guest-rules-service.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...guestMessageVerbs, ...guestRuleVerbs, ...monitoringVerbs])
const write = (caller: TestCaller, audience: object, count: number, subject = 'The road is closed') =>
  caller.call(verbOf(sendGuestMessage), {
    audience,
    count,
    texts: [{ language: 'en', subject, body: 'Please wait at the hotel.' }],
  })
const report = (caller: TestCaller, departureId?: string) =>
  caller.call(verbOf(reportIncident), { category: 'weather', severity: 2, title: 'Storm', departureId })
const toldOf = (caller: TestCaller, id: string) => caller.call(verbOf(toldSoFar), { id })

/** A departure with Ana (two guests) and Bo, who have addresses, and Carl, who can only be called; and a storm. */
async function storm() {
  const caller = await world.as('operations_manager')
  await withoutQuietHours(caller)
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const sell = (name: string, pax: number, contact: object) =>
    book(caller, departureId, pax, { contact: { name, ...contact }, tellGuest: false })
  const ana = await sell('Ana', 2, { email: 'ana@example.com' })
  const bo = await sell('Bo', 1, { email: 'bo@example.com' })
  await sell('Carl', 1, { phone: '+3545550101' })
  const { id } = await report(caller, departureId)
  return { caller, tourId, departureId, ana, bo, id, all: { departureIds: [departureId] } }
}

describe('an incident shows which guests have been written to', () => {
  test('nobody at first, and who has to be called', async () => {
    const { caller, id } = await storm()
    expect(await toldOf(caller, id)).toMatchObject({
      guests: 4,
      told: 0,
      messages: [],
      untold: [
        { name: 'Ana', pax: 2, reason: 'not_written' },
        { name: 'Bo', pax: 1, reason: 'not_written' },
        { name: 'Carl', phone: '+3545550101', reason: 'no_address' },
      ],
      untoldCount: 3,
    })
  })

  test('who wants only the e-mails that are needed has to be called', async () => {
    const { caller, id, bo } = await storm()
    await caller.call(verbOf(setOptOut), { id: bo.id, isOptedOut: true })
    expect((await toldOf(caller, id)).untold).toMatchObject([{ name: 'Ana' }, { name: 'Bo', reason: 'opted_out' }, {}])
  })

  test('as soon as the e-mail has left, and not before', async () => {
    const { caller, id, all } = await storm()
    await write(caller, all, 2)
    expect(await toldOf(caller, id)).toMatchObject({
      told: 0,
      messages: [{ subject: 'The road is closed', sentAt: null, sent: 0, waiting: 3, failed: 0 }],
      untold: [
        { name: 'Ana', reason: 'waiting' },
        { name: 'Bo', reason: 'waiting' },
        { name: 'Carl', reason: 'no_address' },
      ],
    })
    await afterAWhile(caller)
    await sentMails(world)
    const told = await toldOf(caller, id)
    expect(told).toMatchObject({ told: 3, messages: [{ sent: 3, waiting: 0 }], untold: [{ name: 'Carl' }] })
    expect(told.messages[0]?.sentAt).not.toBeNull()
    expect(told.messages[0]?.writtenBy).not.toBeNull()
  })

  test('not those whose e-mail the mail server could not take', async () => {
    const { caller, id, bo } = await storm()
    await write(caller, { bookingIds: [bo.id] }, 1)
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await afterAWhile(caller)
      await failToSend(world)
    }
    await world.rows(`update deliveries set status = 'failed' where booking_id = '${bo.id}' and status = 'queued'`)
    expect(await toldOf(caller, id)).toMatchObject({
      told: 0,
      messages: [{ sent: 0, failed: 1 }],
      untold: [{ name: 'Ana' }, { name: 'Bo', reason: 'failed' }, { name: 'Carl' }],
    })
  })

  test('not by what was written before it was reported, and by what was written since the first of those merged into it', async () => {
    const { caller, id, departureId, all } = await storm()
    await write(caller, all, 2)
    await afterAWhile(caller)
    await sentMails(world)
    const later = await report(caller, departureId)
    expect(await toldOf(caller, later.id)).toMatchObject({ told: 0, messages: [] })
    await caller.call(verbOf(mergeIncident), { id, version: 1, intoId: later.id })
    expect(await toldOf(caller, later.id)).toMatchObject({ told: 3 })
  })

  test('also those who were booked until the departure was cancelled', async () => {
    const { caller, id, departureId } = await storm()
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    expect(await toldOf(caller, id)).toMatchObject({ guests: 4, untoldCount: 3 })
  })

  test('nobody where it is about no departure; another organization and a guide see nothing', async () => {
    const { caller, id } = await storm()
    const elsewhere = await report(caller)
    expect(await toldOf(caller, elsewhere.id)).toMatchObject({ guests: 0, untoldCount: 0 })
    const guide = await world.as('guide', { orgId: caller.orgId })
    await expect(toldOf(guide, id)).rejects.toMatchObject({ code: 'permission-denied' })
    await expect(toldOf(await world.as('dispatcher'), id)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('and who of the crew knows', () => {
  /** A storm with a guide on the crew who has an account. */
  async function crewed() {
    const office = await storm()
    const staffId = await assignGuide(office.caller, office.departureId, { role: 'lead_guide' })
    const guide = await world.as('guide', { orgId: office.caller.orgId, staffId })
    const crewOf = async (id = office.id) => (await toldOf(office.caller, id)).crew
    return { ...office, staffId, guide, crewOf }
  }

  test('nobody at first, each with the phone to call for those who may see it', async () => {
    const { caller, staffId, id, crewOf } = await crewed()
    await caller.transaction((tx) =>
      sql`update field_staff set phone = '+3545550199' where org_id = ${caller.orgId} and id = ${staffId}`.execute(tx),
    )
    expect(await crewOf()).toEqual([
      { staffId, name: 'Björn Ólafsson', role: 'lead_guide', phone: '+3545550199', state: 'not_written', at: null },
    ])
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    expect((await toldOf(viewer, id)).crew).toMatchObject([{ name: 'Björn Ólafsson', phone: null }])
  })

  test('who has the plan that was changed since on screen, and who does not', async () => {
    const { caller, tourId, departureId, guide, crewOf } = await crewed()
    await guide.call(coreVerbOf(seeRunSheet), { id: departureId })
    expect(await crewOf()).toMatchObject([{ state: 'not_written' }])
    await drawWay(caller, tourId, [
      [-21.9, 64.1],
      [-20.3, 64.3],
    ])
    await caller.transaction((tx) =>
      sql`update departures set revision_id = (select id from tour_revisions where tour_id = ${tourId} order by number desc limit 1)
        where org_id = ${caller.orgId} and id = ${departureId}`.execute(tx),
    )
    expect(await crewOf()).toMatchObject([{ state: 'plan_not_seen', at: null }])
    await guide.call(coreVerbOf(seeRunSheet), { id: departureId })
    expect(await crewOf()).toMatchObject([{ state: 'seen', at: expect.any(String) }])
  })

  test('whom an e-mail about the departure has left to since, and not one about another departure', async () => {
    const { caller, departureId, staffId, tourId, crewOf } = await crewed()
    const other = await addDeparture(caller, tourId, { startTimeLocal: '15:00' })
    const send = (about: string, status: string) =>
      caller.transaction(async (tx) => {
        const messageId = newId()
        await sql`insert into messages (org_id, id, source, status, departure_id) values (${caller.orgId}, ${messageId}, 'system', 'sending', ${about})`.execute(
          tx,
        )
        await sql`insert into deliveries (org_id, id, message_id, recipient, channel, staff_id) values
          (${caller.orgId}, ${messageId}, ${messageId}, 'guide@example.com', 'email', ${staffId})`.execute(tx)
        if (status !== 'queued')
          await sql`update deliveries set status = ${status}, sent_at = case when ${status} = 'sent' then app_now() end
            where org_id = ${caller.orgId} and id = ${messageId}`.execute(tx)
      })
    await send(other, 'sent')
    expect(await crewOf()).toMatchObject([{ state: 'not_written' }])
    await send(departureId, 'failed')
    expect(await crewOf()).toMatchObject([{ state: 'failed' }])
    await send(departureId, 'queued')
    expect(await crewOf()).toMatchObject([{ state: 'waiting' }])
    await send(departureId, 'sent')
    expect(await crewOf()).toMatchObject([{ state: 'sent', at: expect.any(String) }])
  })

  test('who reported it, and who was on the crew until the departure was cancelled', async () => {
    const { caller, departureId, guide, crewOf } = await crewed()
    await caller.transaction((tx) =>
      sql`update incidents set reported_by = ${guide.userId} where org_id = ${caller.orgId}`.execute(tx),
    )
    expect(await crewOf()).toMatchObject([{ state: 'wrote', at: expect.any(String) }])
    await setStatus(caller, departureId, { to: 'cancelled', cancelReason: 'weather' })
    expect(await crewOf()).toMatchObject([{ state: 'wrote' }])
  })
})
