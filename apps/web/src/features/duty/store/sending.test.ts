import type { DutyDay, DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import { AppError } from '@tour-ops/contract/errors'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Office } from './office.ts'
import { usePhone } from './phone.ts'
import { memoryStorage } from './phone-storage.ts'
import { makeSending } from './sending.ts'

const departureId = '0190a000-0000-7000-8000-000000000001'
const entryId = '0190a000-0000-7000-8000-000000000002'
const day = { asOf: '2030-07-14T08:00:00Z', departures: [] } as unknown as DutyDay

/** A fake office that accepts everything, until set otherwise. */
function played(outcome: (event: DutyEvent) => DutyOutcome['outcome'] = () => 'done', linkToken: string | null = null) {
  const sent: DutyEvent[][] = []
  const state = { isAway: false, person: 'org ana' as string | null, answer: Promise.resolve(day) }
  const office: Office = {
    Root: () => null,
    whoIsHere: async () => {
      if (state.isAway) throw new AppError('unavailable', 'away')
      return state.person === null ? null : { kind: 'member', key: state.person }
    },
    day: () => state.answer,
    send: async (_owner, events) => {
      sent.push([...events])
      return events.map((event) => ({
        id: event.id,
        outcome: outcome(event),
        reason: null,
        params: null,
        office: null,
      }))
    },
    registerPhone: async () => ({ token: 'T', reportIntervalS: 15 }),
    signOut: async () => undefined,
  }
  const storage = memoryStorage()
  const sending = makeSending({ storage, office: async () => office, linkToken })
  return { sending, state, sent, storage }
}

const checkIn = { kind: 'check_in', departureId, entryId } as const
const waiting = (): number => usePhone.getState().kept.filter(({ outcome }) => outcome === null).length

beforeEach(() => {
  usePhone.setState({ day: null, kept: [], person: 'unknown', offlineSince: null })
})

test('what is done without a signal waits in its order, and goes out once in requests of at most 100', async () => {
  const { sending, state, sent } = played()
  await sending.refresh()
  state.isAway = true
  for (let tap = 0; tap < 205; tap += 1) await sending.record({ ...checkIn, method: 'tap' })
  await sending.refresh()
  expect(waiting()).toBe(205)
  expect(usePhone.getState().offlineSince).not.toBeNull()
  const inOrder = usePhone.getState().kept.map(({ event }) => event.id)
  state.isAway = false
  await sending.refresh()
  await sending.refresh()
  expect(sent.map((batch) => batch.length)).toEqual([100, 100, 5])
  expect(sent.flat().map(({ id }) => id)).toEqual(inOrder)
  expect(usePhone.getState()).toMatchObject({ kept: [], offlineSince: null })
})

test('what the office refuses stays until it was read', async () => {
  const { sending } = played(() => 'refused')
  await sending.refresh()
  const [id = ''] = await sending.record(checkIn)
  await sending.refresh()
  expect(usePhone.getState().kept).toMatchObject([{ event: { id }, outcome: { outcome: 'refused' } }])
  await sending.dismiss(id)
  expect(usePhone.getState().kept).toEqual([])
})

test('what one person left waiting is not sent by another who signs in on the phone', async () => {
  const { sending, state, sent } = played()
  await sending.refresh()
  state.isAway = true
  await sending.record(checkIn)
  await sending.refresh()
  Object.assign(state, { isAway: false, person: 'org ben' })
  await sending.refresh()
  expect(sent).toEqual([])
  state.person = 'org ana'
  await sending.refresh()
  expect(sent.flat()).toHaveLength(1)
})

test('a session that has ended asks to sign in again, and keeps day and marks', async () => {
  const { sending, state } = played()
  await sending.refresh()
  state.person = null
  await sending.record(checkIn)
  await sending.refresh()
  expect(usePhone.getState().person).toBe('expired')
  expect(waiting()).toBe(1)
  expect(usePhone.getState().day).toBe(day)
})

test('a day that arrives after its person has signed out is neither stored nor shown', async () => {
  const { sending, state, storage } = played()
  await sending.refresh()
  const owner = sending.owner()
  const late = Promise.withResolvers<DutyDay>()
  state.answer = late.promise
  const asked = sending.refresh()
  // the question is on its way
  await new Promise((resolve) => setTimeout(resolve, 0))
  await sending.signOut()
  late.resolve(day)
  await asked
  expect(owner && (await storage.day(owner))).toBeNull()
  expect(usePhone.getState()).toMatchObject({ person: 'signed-out', day: null })
})

test('a link that does not open yet says when it does, and shows the day once it has opened', async () => {
  const opensAt = '2030-07-12T08:00:00.000Z'
  const { sending, state } = played(undefined, 'T')
  const early = new AppError('not-found', 'Early', { details: { reason: 'shared_link_early', opensAt } })
  state.answer = Promise.reject(early)
  const window = new EventTarget()
  const listeners = {
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  }
  for (const [name, value] of Object.entries({ ...listeners, document: listeners })) vi.stubGlobal(name, value)
  const stop = await sending.start()
  await sending.refresh()
  expect(usePhone.getState()).toMatchObject({ person: 'link-early', opensAt, offlineSince: null })
  state.answer = Promise.resolve(day)
  await sending.refresh()
  expect(usePhone.getState()).toMatchObject({ person: 'link', day })
  stop()
  vi.unstubAllGlobals()
})

test('a mark that has not left the phone is undone as if it had never been made', async () => {
  const { sending, state, sent } = played()
  await sending.refresh()
  state.isAway = true
  const ids = await sending.record(checkIn)
  await sending.refresh()
  expect(await sending.takeBack(ids)).toBe(true)
  state.isAway = false
  await sending.refresh()
  expect(sent).toEqual([])
})

test('a phone without a signal on which nobody is known asks to sign in, and is not loading for ever', async () => {
  const { sending, state } = played()
  state.isAway = true
  await sending.refresh()
  expect(usePhone.getState()).toMatchObject({ person: 'signed-out', day: null })
  state.isAway = false
  await sending.refresh()
  expect(usePhone.getState()).toMatchObject({ person: 'member', day })
})
