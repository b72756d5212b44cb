import { DatabaseError } from '@tour-ops/contract/database-codes'
import type { DocumentSnapshot } from '@tour-ops/contract/live/documents'
import { positionTable } from '@tour-ops/contract/live/position-table'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TargetStore } from './target-store.ts'

const presence = 'orgs/north/presence'
const ada: DocumentSnapshot = { path: `${presence}/ada`, data: { n: 1 }, createTime: 'c', updateTime: 'u' }
const observer = () => ({ next: vi.fn<() => void>(), error: vi.fn<(error: DatabaseError) => void>() })
const settle = () => new Promise<void>((resolve) => queueMicrotask(resolve))
/** What changes later is told when a test says so. */
const stillClock = { now: () => 0, setTimeout: () => undefined }

/** A store that holds one document of a target with one listener. */
function filled() {
  const store = new TargetStore(stillClock)
  const first = observer()
  store.observe(presence, first)
  store.apply([{ event: 'hello', data: { fresh: [presence] } }])
  store.apply([{ event: 'document', data: ada }])
  store.apply([{ event: 'current', data: { targets: [presence] } }])
  return { store, first }
}

test('a later listener is given the stored state, once', async () => {
  const { store } = filled()
  const later = observer()
  store.observe(presence, later)
  await settle()
  expect(later.next).toHaveBeenCalledWith({ target: presence, documents: [ada] })
})

test('positions that come by columns are documents like others', () => {
  const positions = 'orgs/north/positions'
  const document = (subjectId: string, lat: number): DocumentSnapshot => ({
    path: `${positions}/${subjectId}`,
    data: {
      subjectKind: 'staff',
      subjectId,
      departureId: null,
      recordedAt: '2026-07-01T10:00:00Z',
      receivedAt: '2026-07-01T10:00:01Z',
      lat,
      lng: -21,
      accuracyM: 5,
      speedMps: null,
      headingDeg: 359,
      altitudeM: -1,
      batteryPct: 80,
      isMoving: true,
    },
    createTime: '2026-07-01T10:00:01Z',
    updateTime: '2026-07-01T10:00:01Z',
  })
  const store = new TargetStore(stillClock)
  store.observe(positions, observer())
  store.apply([
    { event: 'hello', data: { fresh: [positions] } },
    { event: 'document', data: document('ada', 64) },
    { event: 'current', data: { targets: [positions] } },
  ])
  const moved = [document('ada', 65), document('bo', 0)]
  store.apply([{ event: 'positions', data: positionTable(positions, moved) }])
  expect(store.documentsOf(positions)).toEqual(moved)
})

test('another person starts empty: no listener is given the previous state, the listeners stay', async () => {
  const { store, first } = filled()
  store.forget()
  expect(store.held()).toEqual([])
  expect(store.wanted()).toEqual([presence])
  const later = observer()
  store.observe(presence, later)
  await settle()
  expect(first.next).not.toHaveBeenCalled()
  expect(later.next).not.toHaveBeenCalled()
})

test('a snapshot that was arriving for the person before is not completed for the next', async () => {
  const store = new TargetStore(stillClock)
  store.observe(presence, observer())
  store.apply([{ event: 'hello', data: { fresh: [presence] } }])
  store.apply([{ event: 'document', data: ada }])
  store.forget()
  store.apply([{ event: 'current', data: { targets: [presence] } }])
  expect(store.documentsOf(presence)).toEqual([])
})

test('a refused target is reported once and dropped; listening again starts it again', () => {
  const { store, first } = filled()
  const refusal = new DatabaseError('permission-denied', 'no')
  store.refuse(presence, refusal)
  store.refuse(presence, refusal)
  expect(first.error).toHaveBeenCalledOnce()
  expect(store.wanted()).toEqual([])
  expect(store.documentsOf(presence)).toBeUndefined()
  expect(store.observe(presence, first)).toBe(true)
})

describe('by a clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  async function listening() {
    const store = new TargetStore({ now: () => Date.now(), setTimeout: (run, ms) => setTimeout(run, ms) })
    const { next, error } = observer()
    store.observe(presence, { next, error })
    store.apply([
      { event: 'hello', data: { fresh: [presence] } },
      { event: 'current', data: { targets: [presence] } },
    ])
    await settle()
    next.mockClear()
    return { next, say: (document: DocumentSnapshot) => store.apply([{ event: 'document', data: document }]) }
  }

  test('what changes within a moment is told once, in the order of the paths', async () => {
    const { next, say } = await listening()
    const person = (name: string, n: number): DocumentSnapshot => ({ ...ada, path: `${presence}/${name}`, data: { n } })
    say(person('grace', 1))
    say(person('ada', 1))
    say(person('grace', 2))
    expect(next).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(next).toHaveBeenCalledOnce()
    expect(next).toHaveBeenCalledWith({ target: presence, documents: [person('ada', 1), person('grace', 2)] })
  })

  test('what comes in pieces is told when no more come, and what never ends four times a second', async () => {
    const { next, say } = await listening()
    const sayFor = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10) {
        say(ada)
        vi.advanceTimersByTime(10)
      }
    }
    sayFor(150)
    expect(next).not.toHaveBeenCalled()
    vi.advanceTimersByTime(100)
    expect(next).toHaveBeenCalledOnce()
    sayFor(1_000)
    expect(next).toHaveBeenCalledTimes(5)
  })
})
