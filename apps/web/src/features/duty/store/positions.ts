import { maxFixesOfRequest, type DutyFix, type DutyFixes } from '@tour-ops/contract/tracking/duty-fixes'
import type { Office } from './office.ts'
import { usePhone } from './phone.ts'

/** Fixes that wait for a signal; older ones go first, since the track of an hour ago says less than the present one. */
const mostWaiting = 5_000
/** Phones report about twenty times a minute: one fix in so many seconds is kept. */
const leastSecondsBetween = 5

/** Whether the person is on duty, agreed to be seen and has no break: otherwise the phone asks for no position. */
const mayFollow = (): boolean => {
  const { day, kept } = usePhone.getState()
  const session = day?.duty?.session
  // what was tapped last counts at once, also without a signal
  const last = kept.findLast(({ event }) => event.kind === 'duty' || event.kind === 'consent')?.event
  if (last?.kind === 'consent' && !last.agrees) return false
  if (last?.kind === 'duty' && (last.to === 'end' || last.to === 'break')) return false
  return session != null && session.consentVersion !== null && session.breakStartedAt === null
}

/**
 * Reports where the phone is while its person is on duty, and at no other time.
 *
 * @param office Reaches the office; asked when there is something to send.
 * @returns How to stop.
 */
export function followPositions(office: () => Promise<Office>): () => void {
  let watch: number | null = null
  let waiting: DutyFix[] = []
  let lock: WakeLockSentinel | null = null
  let sender: { token: string; reportIntervalS: number } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = usePhone.setState

  function follow(): void {
    if (mayFollow()) begin()
    else end()
  }

  function begin(): void {
    if (watch !== null) return
    if (!('geolocation' in navigator)) return show({ tracking: 'unavailable' })
    watch = navigator.geolocation.watchPosition(take, refuse, { enableHighAccuracy: true, maximumAge: 5_000 })
    timer = setTimeout(send, 2_000)
    void keepAwake()
  }

  function end(): void {
    if (watch !== null) navigator.geolocation.clearWatch(watch)
    watch = null
    waiting = []
    clearTimeout(timer)
    void lock?.release()
    lock = null
    if (usePhone.getState().tracking !== 'off') show({ tracking: 'off' })
  }

  function take({ coords, timestamp }: GeolocationPosition): void {
    show({ tracking: 'on' })
    const last = waiting.at(-1)
    if (last && timestamp - Date.parse(last.recordedAt) < leastSecondsBetween * 1000) return
    const { latitude, longitude, accuracy, speed, heading, altitude } = coords
    waiting.push({
      recordedAt: new Date(timestamp).toISOString(),
      lat: latitude,
      lng: longitude,
      accuracyM: accuracy,
      speedMps: speed,
      headingDeg: heading === null || Number.isNaN(heading) ? null : heading,
      altitudeM: altitude,
    })
    if (waiting.length > mostWaiting) waiting.shift()
  }

  function refuse({ code, PERMISSION_DENIED }: GeolocationPositionError): void {
    if (code !== PERMISSION_DENIED) return show({ tracking: 'unavailable' })
    if (watch !== null) navigator.geolocation.clearWatch(watch)
    show({ tracking: 'denied' })
  }

  /** A screen that is off stops the watch: it stays on while somebody may be followed, where the browser allows that. */
  async function keepAwake(): Promise<void> {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
    lock = await navigator.wakeLock.request('screen').catch(() => null)
  }

  function send(): void {
    void sendWaiting().finally(() => {
      if (watch !== null) timer = setTimeout(send, (sender?.reportIntervalS ?? 15) * 1000)
    })
  }

  async function sendWaiting(): Promise<void> {
    const fixes = waiting.slice(0, maxFixesOfRequest)
    if (fixes.length === 0) return
    try {
      sender ??= await (await office()).registerPhone(phoneName())
      const body: DutyFixes = { fixes, sentAt: new Date().toISOString() }
      const answer = await fetch(`/track/${sender.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      // another phone of the same person was registered meanwhile
      if (answer.status === 404) sender = null
      if (answer.ok) waiting = waiting.slice(fixes.length)
    } catch (error) {
      console.warn('Positions wait for a signal.', error)
    }
  }

  const stop = usePhone.subscribe(follow)
  const shown = () => document.visibilityState === 'visible' && watch !== null && void keepAwake()
  document.addEventListener('visibilitychange', shown)
  follow()
  return () => {
    stop()
    document.removeEventListener('visibilitychange', shown)
    end()
  }
}

/** As the office sees the device in its list. */
const phoneName = (): string => (/iPhone|iPad/.test(navigator.userAgent) ? 'iPhone' : 'Android').slice(0, 80)
