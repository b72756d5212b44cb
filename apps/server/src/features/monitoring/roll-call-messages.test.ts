import { answerRollCall, getSharedPage } from '@tour-ops/contract/links/shared-page'
import { reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { askRollCall } from '@tour-ops/contract/monitoring/roll-calls'
import { toldSoFar } from '@tour-ops/contract/monitoring/told-so-far'
import { answerThread } from '@tour-ops/contract/bookings/booking-thread'
import { setOptOut } from '@tour-ops/contract/notifications/opt-outs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesOf, sentMails } from '../../../testing/guest-mail.ts'
import { guestOf } from '../../../testing/links.ts'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'

// A roll call reaches guests who are not looking at their page.

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** An incident on the second night of a trek, with a party that can be written to and one that cannot. */
async function nightOnTrek() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T10:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const email = `ana.${newId()}@example.com`
  const booking = await book(caller, departureId, 2, { contact: { name: 'Ana López', email, locale: 'es' } })
  await book(caller, departureId, 1)
  clock.set(new Date('2030-07-10T10:05:00Z'))
  const mails = async () => (await sentMails(world, clock)).filter(({ to }) => to === email)
  await mails()
  clock.set(new Date('2030-07-14T23:30:00Z'))
  await mails()
  const { id: incidentId } = await caller.call(verbOf(reportIncident), {
    category: 'weather',
    severity: 1,
    title: 'Landslide',
    departureId,
  })
  const ask = (question: string | null = null, isTold = true) =>
    caller.call(verbOf(askRollCall), { incidentId, question, isTold })
  const answer = async (body: string) => {
    const token = /\/share\/(\S+)/.exec(body)?.[1] ?? ''
    const asGuest = guestOf(world, clock)
    const { rollCall } = await asGuest(getSharedPage, { token })
    const people = rollCall?.people.map(({ id }) => id) ?? []
    await asGuest(answerRollCall, { token, people, answer: 'safe' })
    return people.length
  }
  return { caller, clock, departureId, booking, incidentId, mails, ask, answer }
}

test('parties are written to at once, at night too, in their language and with the page on which one tap answers', async () => {
  const { caller, booking, incidentId, mails, ask, answer } = await nightOnTrek()
  // who wants only what is needed needs this
  await caller.call(verbOf(setOptOut), { id: booking.id, isOptedOut: true })
  expect(await ask('Hay un desprendimiento en la carretera.')).toMatchObject({ people: 3, written: 1 })
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail?.subject).toMatch(/^¿Están a salvo\? /)
  expect(mail?.body).toContain('Hay un desprendimiento en la carretera.')
  const { messages } = await caller.call(verbOf(toldSoFar), { id: incidentId })
  expect(messages).toMatchObject([{ kind: 'roll_call', sent: 2 }])
  expect(await answer(mail?.body ?? '')).toBe(2)
})

test('who has answered is not written to again, nor who is not to be written to', async () => {
  const { mails, ask, answer } = await nightOnTrek()
  expect(await ask(null, false)).toMatchObject({ people: 3, written: 0 })
  expect(await mails()).toEqual([])
  await ask()
  const [mail] = await mails()
  await answer(mail?.body ?? '')
  expect(await ask()).toMatchObject({ people: 3, written: 0 })
  expect(await mails()).toEqual([])
})

test('asked again before it has left, a party reads the last question alone', async () => {
  const { mails, ask } = await nightOnTrek()
  await ask('The road is closed.')
  await ask('The road is closed. Stay inside.')
  const sent = await mails()
  expect(sent.map(({ body }) => /The road is closed\..*/.exec(body)?.[0])).toEqual(['The road is closed. Stay inside.'])
})

test('the page that it opens is open for two days after each time, and is none of another message', async () => {
  const { caller, clock, booking, mails, ask } = await nightOnTrek()
  const links = async () => {
    const { rows } = await caller.transaction((tx) =>
      sql<{
        hours: number
        asks: boolean
      }>`select round(extract(epoch from expires_at - app_now()) / 3600)::int as hours,
          coalesce((scopes ->> 'details')::boolean, false) as asks
        from shared_links where org_id = ${caller.orgId} and subject_id = ${booking.id} and not ends_with_departure order by asks`.execute(
        tx,
      ),
    )
    return rows
  }
  await ask()
  await mails()
  clock.set(new Date('2030-07-16T22:30:00Z'))
  await ask()
  await mails()
  expect(await links()).toEqual([{ hours: 48, asks: true }])
  await caller.call(verbOf(answerThread), { id: booking.id, seen: null, body: 'We have found your jacket.' })
  clock.set(new Date('2030-07-16T22:35:00Z'))
  await mails()
  expect((await links()).map(({ asks }) => asks)).toEqual([false, true])
})

test('a message that waits for a provider is not sent once the incident is over', async () => {
  const { caller, booking, incidentId, mails, ask } = await nightOnTrek()
  await ask()
  for (const [version, to] of [
    [1, 'triaged'],
    [2, 'active'],
    [3, 'stabilised'],
    [4, 'resolved'],
  ] as const) {
    await caller.call(verbOf(setIncidentStatus), { id: incidentId, version, to, note: 'Over' })
  }
  expect(await mails()).toEqual([])
  expect(await messagesOf(caller, booking.id)).toContain('roll_call suppressed')
})
