import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { toldSoFar } from '@tour-ops/contract/monitoring/told-so-far'
import { sendGuestMessage } from '@tour-ops/contract/notifications/guest-messages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { afterAWhile, failToSend, sentMails } from '../../../testing/guest-mail.ts'
import { addDeparture, book, publishedTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { guestMessageVerbs } from '../notifications/guest-messages-service.ts'
import { guestRuleVerbs } from '../notifications/guest-rules-service.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
}, 60_000)
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
