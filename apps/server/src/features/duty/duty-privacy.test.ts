import { getManifest } from '@tour-ops/contract/bookings/manifest'
import {
  getDutyDay,
  getLinkedDutyDay,
  type NewDutyEvent,
  sendDutyEvents,
  sendLinkedDutyEvents,
} from '@tour-ops/contract/duty/duty-phone'
import { scopeOf } from '@tour-ops/contract/identity/access'
import { createLink } from '@tour-ops/contract/links/links'
import { registerDutyPhone } from '@tour-ops/contract/tracking/devices'
import { getTraveler, revealTraveler, updateTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, assignGuide, book, officeWithTour, setStatus } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const start = new Date('2030-07-14T08:00:00Z')
const secret = 'Marked secret: epilepsy'

/** A departure that boards, a guest with a medical note, a guide with an account and one with a run sheet link. */
async function morning() {
  const { caller, clock, tourId } = await officeWithTour(world, start)
  const departureId = await addDeparture(caller, tourId)
  const { guests } = await book(caller, departureId, 2)
  const { travelerId = '' } = guests[0] ?? {}
  const { version, lastName } = await caller.call(verbOf(getTraveler), { id: travelerId })
  await caller.call(verbOf(updateTraveler), { id: travelerId, version, lastName, medicalNote: secret })
  const staffId = await assignGuide(caller, departureId)
  const guide = await world.as('guide', { orgId: caller.orgId, staffId, clock })
  await setStatus(caller, departureId, { to: 'boarding' })
  const scopes = { checkin: true }
  const { token } = await caller.call(verbOf(createLink), {
    kind: 'staff_runsheet',
    subjectId: departureId,
    label: 'Freelancer',
    scopes,
  })
  return { caller, guide, clock, departureId, travelerId, token, entryIds: guests.map(({ entryId }) => entryId ?? '') }
}

test('no answer that a phone gets holds a medical note: a guide may not read it, and neither may the holder of a link', async () => {
  const { caller, guide, clock, departureId, travelerId, token, entryIds } = await morning()
  const revealed = await caller.call(verbOf(revealTraveler), { id: travelerId, fields: ['medical'] })
  expect(revealed.medicalNote, 'there is something to be kept from them').toBe(secret)
  expect(scopeOf('guide', 'travelers_sensitive:read')).toBeUndefined()

  const sentAt = start.toISOString()
  /** One that is taken, one that is met, one that is refused and says what counts at the office; a report about it all. */
  const events = (entryId = ''): NewDutyEvent[] => [
    { kind: 'check_in', id: newId(), at: sentAt, departureId, entryId },
    { kind: 'check_in', id: newId(), at: sentAt, departureId, entryId },
    { kind: 'no_show', id: newId(), at: sentAt, departureId, entryId },
    { kind: 'guest', id: newId(), at: sentAt, departureId, entryId, to: 'missing' },
    { kind: 'incident', id: newId(), at: sentAt, departureId, category: 'medical', severity: 3, title: 'Fainted' },
  ]
  const request = { requestId: newId(), ip: null, signal: new AbortController().signal }
  const services = { ...world.services, clock }
  const byMember = { sentAt, events: events(entryIds[0]) }
  const byLink = { token, sentAt, events: events(entryIds[1]) }
  const answers = [
    await guide.call(verbOf(getDutyDay), {}),
    await execute(services, request, null, verbOf(getLinkedDutyDay), { token }),
    await guide.call(verbOf(registerDutyPhone), { label: 'Phone' }),
    await guide.call(verbOf(sendDutyEvents), byMember),
    await guide.call(verbOf(sendDutyEvents), byMember),
    await execute(services, request, null, verbOf(sendLinkedDutyEvents), byLink),
    await execute(services, request, null, verbOf(sendLinkedDutyEvents), byLink),
    await guide.call(verbOf(getDutyDay), {}),
    await execute(services, request, null, verbOf(getLinkedDutyDay), { token }),
    await guide.call(verbOf(getManifest), { departureId }),
  ]
  const text = JSON.stringify(answers)
  for (const entryId of entryIds) expect(text, 'the guests are in the answers').toContain(entryId)
  expect(text).toContain('"refused"')
  expect(text).not.toContain('Marked secret')
  expect(text).not.toContain('epilepsy')
  expect(text.toLowerCase()).not.toContain('medicalnote')
})
