import { type DutyFixes, maxFixesOfRequest } from '@tour-ops/contract/tracking/duty-fixes'
import type { DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import type { Office } from './office.ts'
import { type PhoneState, type ReportingEnd, usePhone } from './phone.ts'
import type { Owner } from './phone-storage.ts'
import type { PositionStorage, Reporting, Sender } from './position-storage.ts'
import { oneOnly } from './one-only.ts'

/** Fixes that wait for a signal; older ones go first, since the track of an hour ago says less than the present one. */
const mostWaiting = 5_000
/** Phones report about twenty times a minute: one fix in this many seconds is stored. */
const leastSecondsBetween = 5
/** Until the office sends an interval, seconds. */
const usualIntervalS = 15

type Standing =
  /** On duty, agreed to be seen, no break. */
  | 'followed'
  /** No position is taken; what was taken before may still be sent. */
  | 'paused'
  /** Not agreed, or no longer: nothing may be sent. */
  | 'unwilling'

function standing(): Standing {
  const { day, kept } = usePhone.getState()
  const session = day?.duty?.session
  // what was tapped last counts at once, also without a signal
  const isAbout = ({ kind }: DutyEvent) => kind === 'duty' || kind === 'consent'
  const last = kept.findLast(({ event }) => isAbout(event))?.event
  if (last?.kind === 'consent' && !last.agrees) return 'unwilling'
  if (last?.kind === 'duty' && (last.to === 'end' || last.to === 'break')) return 'paused'
  if (session == null) return 'paused'
  if (session.consentVersion === null) return 'unwilling'
  return session.breakStartedAt === null ? 'followed' : 'paused'
}

export interface PositionParts {
  readonly storage: PositionStorage
  /** Reaches the office; asked when there is something to send. */
  readonly office: () => Promise<Office>
  readonly owner: () => Owner | null
}

export interface Positions {
  /** Reports where the phone is while its person is on duty, and at no other time. @returns How to stop. */
  start(): () => void
  /** Sends from this phone again after another one, or the office, has ended it. Only the person may ask for that. */
  reportHere(): Promise<void>
}

/** Takes positions, keeps them on the phone until the office has them, and says when it takes no more of them. One per page. */
export function makePositions({ storage, office, owner }: PositionParts): Positions {
  let watch: number | null = null
  let lastAt = 0
  /** Where the phone is, until it is time to keep that. */
  let next: ReturnType<typeof setTimeout> | undefined
  let lock: WakeLockSentinel | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Of `readFor`; undefined until it was read. */
  let reporting: Reporting | undefined
  let readFor: string | null = null
  let was: Standing | undefined
  /** The office's last question that this page knows of. */
  let question: string | null = null
  /** Whether it waits for the next position. */
  let isAsked = false

  function show(tracking: PhoneState['tracking']): void {
    if (usePhone.getState().tracking !== tracking) usePhone.setState({ tracking })
  }

  function follow(): void {
    const of = owner()
    if ((of?.key ?? null) !== readFor) return void read(of)
    if (!of || !reporting) return end()
    const now = standing()
    if (now === 'unwilling' && was !== now) void storage.dropFixes(of)
    was = now
    if (now !== 'followed') return end()
    if (reporting.ended !== null) return end(reporting.ended)
    hear(usePhone.getState().day?.duty?.session?.askedAt ?? null)
    begin()
  }

  /** What this phone knows of itself as a device of its person. */
  async function read(of: Owner | null): Promise<void> {
    readFor = of?.key ?? null
    reporting = undefined
    const found = of && (await storage.reporting(of))
    if (readFor !== (of?.key ?? null)) return
    reporting = found ?? undefined
    follow()
    // a page that was closed has left some, perhaps of a duty that is over
    if (of) plan(2)
  }

  /** A watch that begins anew says where the phone is now: one that stands still, or was let sleep, says nothing by itself. */
  function hear(askedAt: string | null): void {
    if (askedAt !== null && askedAt !== question) {
      isAsked = true
      endWatch()
    }
    question = askedAt
  }

  function endWatch(): void {
    // a position from before must not pass for the next one
    clearTimeout(next)
    if (watch !== null) navigator.geolocation.clearWatch(watch)
    watch = null
  }

  function begin(): void {
    if (watch !== null) return
    if (!('geolocation' in navigator)) return show('unavailable')
    watch = navigator.geolocation.watchPosition(take, refuse, {
      enableHighAccuracy: true,
      maximumAge: isAsked ? 0 : 5_000,
    })
    show('on')
    plan(2)
    void keepAwake()
  }

  function end(why: 'off' | ReportingEnd = 'off'): void {
    isAsked = false
    endWatch()
    void letSleep()
    if (usePhone.getState().place !== null) usePhone.setState({ place: null })
    show(why)
  }

  /** Of a few seconds the last position counts: a phone that stands still from then on reports no other. */
  function take(position: GeolocationPosition): void {
    if (watch === null) return
    show('on')
    clearTimeout(next)
    const early = lastAt + leastSecondsBetween * 1000 - position.timestamp
    if (early > 0 && !isAsked) next = setTimeout(() => keep(position), early)
    else keep(position)
  }

  function keep({ coords, timestamp }: GeolocationPosition): void {
    const of = owner()
    if (watch === null || !of) return
    lastAt = timestamp
    const { latitude, longitude, accuracy, speed, heading, altitude } = coords
    const recordedAt = new Date(timestamp).toISOString()
    usePhone.setState({ place: { lat: latitude, lng: longitude, at: recordedAt } })
    const fix = {
      recordedAt,
      lat: latitude,
      lng: longitude,
      accuracyM: accuracy,
      speedMps: speed,
      headingDeg: heading === null || Number.isNaN(heading) ? null : heading,
      altitudeM: altitude,
    }
    storage
      .addFix(of, fix)
      .then(sendAnswer)
      .catch((error: unknown) => console.warn('A position was not kept.', error))
  }

  /** The office waits for this one. */
  function sendAnswer(): void {
    if (isAsked) plan(0)
    isAsked = false
  }

  function refuse({ code, PERMISSION_DENIED }: GeolocationPositionError): void {
    if (code !== PERMISSION_DENIED) return show('unavailable')
    if (watch !== null) navigator.geolocation.clearWatch(watch)
    show('denied')
    void letSleep()
  }

  const mayFollow = (): boolean => watch !== null && usePhone.getState().tracking !== 'denied'

  /** A screen that is off stops the watch: it stays on while somebody may be followed, where the browser allows that. */
  async function keepAwake(): Promise<void> {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    // refused with a low battery, for one: positions continue while somebody looks
    const granted = await navigator.wakeLock.request('screen').catch(() => null)
    const before = lock
    lock = granted
    await before?.release()
    // the duty may have ended while the browser answered
    if (!mayFollow()) await letSleep()
  }

  async function letSleep(): Promise<void> {
    const held = lock
    lock = null
    await held?.release()
  }

  /** Sends after this many seconds, and continues as long as there is anything to send. */
  function plan(seconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void sendAndPlan(), seconds * 1000)
  }

  async function sendAndPlan(): Promise<void> {
    try {
      await oneOnly('duty-positions', sendWaiting)
    } catch (error) {
      console.warn('Positions wait for a signal.', error)
    }
    const of = owner()
    const isMore = watch !== null || (of !== null && (await storage.countFixes(of)) > 0)
    if (isMore) plan(reporting?.sender?.reportIntervalS ?? usualIntervalS)
  }

  async function sendWaiting(): Promise<void> {
    const of = owner()
    if (!of) return
    const kept = await storage.fixes(of, maxFixesOfRequest)
    if (kept.length === 0) return
    const sender = await senderOf(of)
    if (!sender) return
    const body: DutyFixes = { fixes: kept.map(({ fix }) => fix), sentAt: new Date().toISOString() }
    const answer = await fetch(`/track/${sender.token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.ok) await storage.dropFixes(of, kept.at(-1)?.seq)
    else await takeRefusal(of, sender, answer)
    await keepWithinLimit(of)
  }

  /** The token of this phone. It is asked for once: by itself only where this phone has never had one. */
  async function senderOf(of: Owner): Promise<Sender | null> {
    // another tab may have registered, or received the end
    const known = await storage.reporting(of)
    if (known.sender || known.ended) return (await remember(of, known)).sender
    return (await remember(of, { sender: await (await office()).registerPhone(phoneName()), ended: null })).sender
  }

  async function remember(of: Owner, next: Reporting): Promise<Reporting> {
    await storage.keepReporting(of, next)
    if (readFor === of.key) reporting = next
    return next
  }

  async function takeRefusal(of: Owner, { token }: Sender, answer: Response): Promise<void> {
    const { reason, ended = 'unknown' } = await detailsOf(answer)
    const known = await storage.reporting(of)
    if (reason !== 'device_not_paired' || known.sender?.token !== token) return
    await storage.dropFixes(of)
    await remember(of, { sender: null, ended })
    follow()
  }

  async function keepWithinLimit(of: Owner): Promise<void> {
    const tooMany = (await storage.countFixes(of)) - mostWaiting
    if (tooMany > 0) await storage.dropFixes(of, (await storage.fixes(of, tooMany)).at(-1)?.seq)
  }

  return {
    start() {
      const stop = usePhone.subscribe(follow)
      const shown = () => mayFollow() && void keepAwake()
      document.addEventListener('visibilitychange', shown)
      follow()
      return () => {
        stop()
        document.removeEventListener('visibilitychange', shown)
        clearTimeout(timer)
        end()
      }
    },
    async reportHere() {
      const of = owner()
      if (!of) return
      await remember(of, { sender: null, ended: null })
      follow()
    },
  }
}

/** Why a request was refused; empty where the answer is not the server's own. */
async function detailsOf(answer: Response): Promise<{ reason?: string; ended?: ReportingEnd }> {
  const body = (await answer.json().catch(() => null)) as { error?: { details?: object } } | null
  return body?.error?.details ?? {}
}

/** As the office sees the device in its list. */
const phoneName = (): string => (/iPhone|iPad/.test(navigator.userAgent) ? 'iPhone' : 'Android')
