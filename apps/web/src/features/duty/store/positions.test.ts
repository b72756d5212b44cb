import type { DutyDay, DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import type { DutyFixes } from '@tour-ops/contract/tracking/duty-fixes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Office } from './office.ts'
import { usePhone } from './phone.ts'
import type { Owner } from './phone-storage.ts'
import { memoryPositions, type PositionStorage } from './position-storage.ts'
import { makePositions } from './positions.ts'

const ana: Owner = { kind: 'member', key: 'org ana' }
const onDuty = {
  duty: { session: { status: 'open', consentVersion: '2026-11', breakStartedAt: null } },
} as unknown as DutyDay
const start = Date.parse('2030-07-14T08:00:00Z')

/** By the clock of the test. */
const soonAnswered = () => new Promise((resolve) => setTimeout(resolve, 1000))

/** A screen that stays on while somebody holds it; the browser answers a second after it was asked, what was asked meanwhile at once with it. */
function heldScreen() {
  let held = 0
  let answer: Promise<unknown> | undefined
  const release = async () => void (held -= 1)
  const request = async () => {
    answer ??= soonAnswered()
    await answer
    answer = undefined
    held += 1
    return { release }
  }
  return { wakeLock: { request }, held: () => held }
}

/** The browser and the office around one phone. */
function played(storage: PositionStorage = memoryPositions()) {
  const office = { registered: 0, taken: [] as string[], answer: () => new Response('{}') }
  let report: PositionCallback | undefined
  let refuse: PositionErrorCallback | undefined
  /** The oldest position that each watch has asked for, ms. */
  const watches: (number | undefined)[] = []
  const screen = heldScreen()
  const page = { visibilityState: 'visible', shown: () => undefined as unknown }
  vi.stubGlobal('document', {
    ...page,
    addEventListener: (_: string, shown: () => unknown) => Object.assign(page, { shown }),
    removeEventListener: vi.fn(),
  })
  vi.stubGlobal('navigator', {
    userAgent: 'Android',
    wakeLock: screen.wakeLock,
    geolocation: {
      watchPosition: (take: PositionCallback, refused: PositionErrorCallback, { maximumAge }: PositionOptions) => {
        watches.push(maximumAge)
        report = take
        refuse = refused
        return 1
      },
      clearWatch: () => {
        report = undefined
      },
    },
  })
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    const answer = office.answer()
    const { fixes } = JSON.parse(body) as DutyFixes
    if (answer.ok) office.taken.push(...fixes.map(({ recordedAt }) => `${address} ${recordedAt.slice(11, 19)}`))
    return answer
  })
  const reached = {
    registerPhone: async () => ({ token: `T${(office.registered += 1)}`, reportIntervalS: 15 }),
  } as unknown as Office
  const positions = makePositions({ storage, office: async () => reached, owner: () => ana })
  /** Where the phone is, this many seconds after the start. */
  const at = (seconds: number) =>
    report?.({
      coords: { latitude: 64, longitude: -21, accuracy: 5, speed: null, heading: null, altitude: null },
      timestamp: start + seconds * 1000,
    } as GeolocationPosition)
  const deny = () => refuse?.({ code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError)
  const show = () => page.shown()
  return { storage, office, positions, at, isWatched: () => report !== undefined, screen, show, deny, watches }
}

const ended = (by?: string) => () =>
  Response.json({ error: { details: { reason: 'device_not_paired', ended: by } } }, { status: 400 })
const soon = (seconds = 20) => vi.advanceTimersByTimeAsync(seconds * 1000)
const tracking = () => usePhone.getState().tracking

beforeEach(() => {
  vi.useFakeTimers({ now: start })
  usePhone.setState({ day: onDuty, kept: [], tracking: 'off', place: null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('on duty the phone registers once and sends where it is; one fix in five seconds is enough', async () => {
  const { positions, office, at } = played()
  const stop = positions.start()
  await soon(1)
  for (const seconds of [0, 2, 5]) at(seconds)
  await soon()
  at(20)
  await soon()
  stop()
  expect(office.registered).toBe(1)
  expect(office.taken).toEqual(['/track/T1 08:00:00', '/track/T1 08:00:05', '/track/T1 08:00:20'])
})

test('where a phone stops is sent, however soon after the position before; of a few seconds the last one', async () => {
  const { positions, office, at } = played()
  const stop = positions.start()
  await soon(1)
  for (const seconds of [0, 2, 3]) at(seconds)
  await soon()
  stop()
  expect(office.taken).toEqual(['/track/T1 08:00:00', '/track/T1 08:00:03'])
})

test('a position that was not kept yet is dropped where the duty ends', async () => {
  const { positions, office, at } = played()
  const stop = positions.start()
  await soon(1)
  for (const seconds of [0, 2]) at(seconds)
  usePhone.setState({ kept: [{ seq: 1, event: { kind: 'duty', to: 'end' } as DutyEvent, outcome: null }] })
  await soon()
  stop()
  expect(office.taken).toEqual(['/track/T1 08:00:00'])
})

test.each([
  ['by_office', 'by_office'],
  ['by_other_phone', 'by_other_phone'],
  [undefined, 'unknown'],
])('a phone whose token was ended (%s) says so and registers again only when the person asks', async (by, shown) => {
  const { positions, office, at, isWatched, storage } = played()
  const stop = positions.start()
  await soon(1)
  at(0)
  await soon()
  office.answer = ended(by)
  at(30)
  await soon()
  expect([tracking(), isWatched(), office.registered]).toEqual([shown, false, 1])
  expect(await storage.countFixes(ana)).toBe(0)

  // neither time nor a new page changes that
  stop()
  office.answer = () => new Response('{}')
  const again = played(storage)
  const stopAgain = again.positions.start()
  await soon(60)
  expect([tracking(), again.isWatched(), again.office.registered]).toEqual([shown, false, 0])

  await again.positions.reportHere()
  again.at(90)
  await soon()
  stopAgain()
  expect([tracking(), again.office.registered, again.office.taken]).toEqual(['off', 1, ['/track/T1 08:01:30']])
})

test('another refusal, and no answer at all, lose no position', async () => {
  const { positions, office, at } = played()
  const stop = positions.start()
  await soon(1)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  at(0)
  office.answer = () => new Response('busy', { status: 503 })
  await soon()
  office.answer = () => {
    throw new TypeError('no network')
  }
  await soon()
  office.answer = () => new Response('{}')
  await soon()
  stop()
  expect([office.taken, office.registered]).toEqual([['/track/T1 08:00:00'], 1])
})

test('what a closed page left is sent by the next one, also after the duty has ended', async () => {
  const first = played()
  const stop = first.positions.start()
  await soon(1)
  first.at(0)
  stop()
  usePhone.setState({ kept: [{ seq: 1, event: { kind: 'duty', to: 'end' } as DutyEvent, outcome: null }] })
  const second = played(first.storage)
  const stopSecond = second.positions.start()
  await soon()
  stopSecond()
  expect([second.office.taken, second.isWatched()]).toEqual([['/track/T1 08:00:00'], false])
})

test('nothing waits of somebody who no longer agrees to be seen', async () => {
  const { positions, office, at, storage, isWatched } = played()
  const stop = positions.start()
  await soon(1)
  at(0)
  usePhone.setState({ kept: [{ seq: 1, event: { kind: 'consent', agrees: false } as DutyEvent, outcome: null }] })
  await soon()
  stop()
  expect([office.taken, await storage.countFixes(ana), isWatched()]).toEqual([[], 0, false])
})

const endDuty = () =>
  usePhone.setState({ kept: [{ seq: 1, event: { kind: 'duty', to: 'end' } as DutyEvent, outcome: null }] })

test('the screen stays on while the person is followed, held once however often it is shown, and goes off with the duty', async () => {
  const { positions, screen, show } = played()
  const stop = positions.start()
  await soon(2)
  expect(screen.held()).toBe(1)
  show()
  show()
  await soon(2)
  expect(screen.held()).toBe(1)
  endDuty()
  await soon(2)
  expect(screen.held()).toBe(0)
  stop()
})

test('a screen that the browser holds only after the duty has ended is let go at once', async () => {
  const { positions, screen } = played()
  const stop = positions.start()
  await soon(0.5)
  endDuty()
  await soon(2)
  expect(screen.held()).toBe(0)
  stop()
})

test('the screen goes off where the phone may not say where it is, and stays so when it is shown again', async () => {
  const { positions, screen, show, deny } = played()
  const stop = positions.start()
  await soon(2)
  deny()
  show()
  await soon(2)
  expect([tracking(), screen.held()]).toEqual(['denied', 0])
  stop()
})

/** The office has asked where the phone is, and the phone has learned of it. */
const asked = (at: string) =>
  usePhone.setState({
    day: { ...onDuty, duty: { session: { ...onDuty.duty?.session, askedAt: at } } } as unknown as DutyDay,
  })

test('a question of the office begins the watch anew, and its position is sent at once; once for each question', async () => {
  const { positions, office, at, watches } = played()
  const stop = positions.start()
  await soon(1)
  at(0)
  await soon(3)
  asked('2030-07-14T08:00:03Z')
  expect(watches).toEqual([5_000, 0])
  at(4)
  await soon(1)
  expect(office.taken).toEqual(['/track/T1 08:00:00', '/track/T1 08:00:04'])
  asked('2030-07-14T08:00:03Z')
  expect(watches).toHaveLength(2)
  asked('2030-07-14T08:01:00Z')
  expect(watches).toHaveLength(3)
  stop()
})

test('a question is not answered by a phone whose person is not followed', async () => {
  const { positions, watches, at, office } = played()
  endDuty()
  const stop = positions.start()
  await soon(1)
  asked('2030-07-14T08:00:03Z')
  at(4)
  await soon()
  expect([watches, office.taken]).toEqual([[], []])
  stop()
})
