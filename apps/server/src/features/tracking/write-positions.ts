import type { DropReason } from '@tour-ops/contract/tracking/duty-fixes'
import type { TrackingProtocol } from '@tour-ops/contract/tracking/devices'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { Fix, Parsed } from './fix.ts'
import { judge, type Place, type Trail } from './jumps.ts'
import { type Session, sessionFor } from './sessions.ts'
import {
  type DropCount,
  insertDrops,
  insertPositions,
  type StoredFix,
  selectDevices,
  selectSessions,
  type SendingDevice,
  upsertLatest,
  upsertSignals,
} from './positions-store.ts'

/** Who sends: the token's hash is compared again in the transaction that writes. */
export interface Sender {
  readonly orgId: string
  readonly deviceId: string
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string
}

/** One request, read. */
export interface Delivery {
  readonly sender: Sender
  readonly protocol: TrackingProtocol
  readonly receivedAt: Date
  readonly parsed: Parsed
}

export type Dropped = Partial<Record<DropReason, number>>

/** What became of a delivery: null for a device that was revoked. */
export type Outcome = { readonly dropped: Dropped } | null

/** What a batch has done, once its transaction has committed. */
export interface Written {
  readonly outcomes: readonly Outcome[]
  readonly trails: ReadonlyMap<string, Trail>
}

const minuteMs = 60_000
/** A moment further ahead of ours is no fix but a wrong clock. */
const aheadMs = 5 * minuteMs
/** What a phone stored longer is of no use, and its day may have been dropped. */
const oldestDays = 30
/** Clocks that differ less are right, seconds. */
export const rightWithinS = 60
/** The same clock, measured twice over a slow line, seconds. */
const sameSkewS = 15

/** The device's clock less ours, seconds, and stable between two sendings of the same fixes; null where the protocol does not say it. */
function skewOf({ parsed, receivedAt }: Delivery, known: number | null): number | null {
  if (!parsed.sentAt) return null
  const measured = Math.round((parsed.sentAt.getTime() - receivedAt.getTime()) / 1000)
  return known !== null && Math.abs(measured - known) < sameSkewS ? known : measured
}

/** The fix by our clock. */
const corrected = (fix: Fix, skewS: number | null): Fix =>
  skewS === null || Math.abs(skewS) < rightWithinS
    ? fix
    : { ...fix, recordedAt: new Date(fix.recordedAt.getTime() - skewS * 1000) }

/**
 * Writes deliveries of one organization in its transaction: what belongs to a duty is stored, everything else is counted. It may run again
 * after a conflict, so it changes nothing but the database.
 */
export async function writePositions(
  tx: Tx,
  orgId: string,
  deliveries: readonly Delivery[],
  trails: ReadonlyMap<string, Trail>,
): Promise<Written> {
  const devices = await selectDevices(tx, orgId, [...new Set(deliveries.map(({ sender }) => sender.deviceId))])
  const known = new Set(deliveries.filter(({ sender }) => devices.get(sender.deviceId)?.tokenHash === sender.tokenHash))
  const sessions = await sessionsOf(tx, orgId, [...known], devices)
  const batch = new Batch(devices, sessions, trails)
  const outcomes = deliveries.map((delivery) => (known.has(delivery) ? batch.take(delivery) : null))
  await insertPositions(tx, orgId, batch.kept)
  await insertDrops(tx, orgId, batch.drops)
  await upsertLatest(tx, orgId, batch.kept)
  await upsertSignals(tx, orgId, batch.signals)
  return { outcomes, trails: batch.trails }
}

/** Sessions of the senders, around the times of their fixes. */
async function sessionsOf(
  tx: Tx,
  orgId: string,
  deliveries: readonly Delivery[],
  devices: ReadonlyMap<string, SendingDevice>,
): Promise<readonly Session[]> {
  const times = deliveries.flatMap((delivery) => {
    const skewS = skewOf(delivery, devices.get(delivery.sender.deviceId)?.clockSkewS ?? null)
    return delivery.parsed.fixes.map((fix) => corrected(fix, skewS).recordedAt.getTime())
  })
  if (times.length === 0) return []
  const [from, to] = times.reduce(([min, max], ms) => [Math.min(min, ms), Math.max(max, ms)], [Infinity, -Infinity])
  const subjects = [...new Set(deliveries.map(({ sender }) => sender.deviceId))].flatMap((id) => {
    const device = devices.get(id)
    return device?.subjectId ? [device.subjectId] : []
  })
  return selectSessions(tx, orgId, subjects, new Date(from), new Date(to))
}

class Batch {
  readonly kept: StoredFix[] = []
  readonly signals: {
    deviceId: string
    protocol: TrackingProtocol
    batteryPct: number | null
    clockSkewS: number | null
    at: Date
  }[] = []
  readonly trails = new Map<string, Trail>()
  readonly #drops = new Map<string, DropCount>()
  readonly #devices: ReadonlyMap<string, SendingDevice>
  readonly #sessions: ReadonlyMap<string, readonly Session[]>
  readonly #before: ReadonlyMap<string, Trail>

  constructor(
    devices: ReadonlyMap<string, SendingDevice>,
    sessions: readonly Session[],
    before: ReadonlyMap<string, Trail>,
  ) {
    this.#devices = devices
    this.#sessions = Map.groupBy(sessions, ({ staffId, vehicleId }) => staffId ?? vehicleId ?? '')
    this.#before = before
  }

  get drops(): readonly DropCount[] {
    return [...this.#drops.values()]
  }

  take(delivery: Delivery): { readonly dropped: Dropped } {
    const { sender, parsed, receivedAt } = delivery
    const device = this.#devices.get(sender.deviceId)
    const dropped: Dropped = {}
    if (!device) return { dropped }
    const skewS = skewOf(delivery, device.clockSkewS)
    const fixes = parsed.fixes.map((fix) => corrected(fix, skewS))
    for (const fix of fixes) {
      const session = this.#sessionOf(device, fix, receivedAt)
      if (typeof session === 'string') this.#drop(dropped, device.id, session, fix.recordedAt)
      else this.#keep(device, session, fix, receivedAt)
    }
    for (let count = 0; count < parsed.malformed; count += 1) this.#drop(dropped, device.id, 'malformed', receivedAt)
    this.#signal(delivery, fixes, skewS)
    return { dropped }
  }

  #sessionOf(device: SendingDevice, { recordedAt }: Fix, receivedAt: Date): Session | DropReason {
    const ageMs = receivedAt.getTime() - recordedAt.getTime()
    if (ageMs < -aheadMs) return 'clock_wrong'
    if (ageMs > Math.min(oldestDays, device.positionsDays) * 24 * 60 * minuteMs) return 'too_old'
    return sessionFor(this.#sessions.get(device.subjectId ?? '') ?? [], recordedAt)
  }

  #keep(device: SendingDevice, session: Session, fix: Fix, receivedAt: Date): void {
    const before = this.trails.get(device.id) ?? this.#before.get(device.id) ?? trailFrom(device.last)
    const { isValid, trail } = judge(before, fix)
    if (trail) this.trails.set(device.id, trail)
    this.kept.push({
      deviceId: device.id,
      sessionId: session.id,
      staffId: session.staffId,
      vehicleId: session.vehicleId,
      receivedAt,
      ...fix,
      isValid,
    })
  }

  #drop(dropped: Dropped, deviceId: string, reason: DropReason, at: Date): void {
    dropped[reason] = (dropped[reason] ?? 0) + 1
    const day = at.toISOString().slice(0, 10)
    const key = `${deviceId} ${reason} ${day}`
    const count = (this.#drops.get(key)?.count ?? 0) + 1
    this.#drops.set(key, { deviceId, reason, day, count })
  }

  /** A clock that is ahead shows by its fixes even where the protocol does not say it; one that is behind looks like a late fix. */
  #signal({ sender, protocol, receivedAt }: Delivery, fixes: readonly Fix[], skewS: number | null): void {
    const newest = fixes.reduce<Fix | undefined>(
      (last, fix) => (last && last.recordedAt > fix.recordedAt ? last : fix),
      undefined,
    )
    const aheadS = newest ? Math.round((newest.recordedAt.getTime() - receivedAt.getTime()) / 1000) : null
    const seenS = aheadS === null || aheadS < -2 * rightWithinS ? null : Math.abs(aheadS) < rightWithinS ? 0 : aheadS
    this.signals.push({
      deviceId: sender.deviceId,
      protocol,
      batteryPct: newest?.batteryPct ?? null,
      clockSkewS: skewS ?? seenS,
      at: receivedAt,
    })
  }
}

const trailFrom = (last: Place | null): Trail | undefined => (last ? { trusted: last } : undefined)

/** Makes the days of fixes that no job has made: a phone that reconnects after days, or a server that was off for longer. */
export async function ensureDays(tx: Tx, from: Date, to: Date): Promise<void> {
  await sql`select ensure_position_days((${from}::timestamptz at time zone 'UTC')::date, (${to}::timestamptz at time zone 'UTC')::date)`.execute(
    tx,
  )
}
