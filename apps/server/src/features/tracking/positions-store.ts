import type { DropReason } from '@tour-ops/contract/tracking/duty-fixes'
import type { TrackingProtocol } from '@tour-ops/contract/tracking/devices'
import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { markDueFrom } from '../../platform/operations/alert-dues.ts'
import { ruleIn } from '../../platform/operations/alert-limits.ts'
import type { Fix } from './fix.ts'
import type { Place } from './jumps.ts'
import type { Session } from './sessions.ts'

/** A device that may send. */
export interface SendingDevice {
  readonly id: string
  /** Staff member or vehicle. */
  readonly subjectId: string | null
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string
  readonly clockSkewS: number | null
  /** How long positions are stored, days. */
  readonly positionsDays: number
  /** Its last accepted position, if it is that of its subject. */
  readonly last: Place | null
}

/** Devices that may send now, by id. */
export async function selectDevices(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SendingDevice>> {
  const { rows } = await sql<
    Omit<SendingDevice, 'last'> & { at: Date | null; lat: number | null; lng: number | null; accuracyM: number | null }
  >`
    select d.id, coalesce(d.staff_id, d.vehicle_id) as "subjectId", encode(d.token_hash, 'hex') as "tokenHash", g.clock_skew_s as "clockSkewS",
      coalesce((select positions_days from org_settings where org_id = ${orgId}), 0) as "positionsDays",
      l.recorded_at as at, l.lat, l.lng, l.accuracy_m as "accuracyM"
    from devices d
      left join device_signals g on g.org_id = d.org_id and g.device_id = d.id
      left join latest_positions l on l.org_id = d.org_id and l.subject_id = coalesce(d.staff_id, d.vehicle_id) and l.device_id = d.id
    where d.org_id = ${orgId} and d.id = any (${[...ids]}::uuid[]) and d.archived_at is null and d.token_expires_at > app_now()`.execute(
    tx,
  )
  return new Map(
    rows.map(({ at, lat, lng, accuracyM, ...device }) => [
      device.id,
      { ...device, last: at && lat !== null && lng !== null ? { recordedAt: at, lat, lng, accuracyM } : null },
    ]),
  )
}

/** Duty that may hold fixes of these times, with the grace on both ends. */
export async function selectSessions(
  tx: Tx,
  orgId: string,
  subjectIds: readonly string[],
  from: Date,
  to: Date,
): Promise<readonly Session[]> {
  const ids = sql`${[...subjectIds]}::uuid[]`
  const { rows } = await sql<Omit<Session, 'breaks'> & { breaks: readonly (readonly [string, string])[] }>`
    select u.id, u.staff_id as "staffId", u.vehicle_id as "vehicleId", u.started_at as "startedAt", u.ended_at as "endedAt",
      u.tracked_from as "trackedFrom", u.break_started_at as "breakStartedAt",
      (select coalesce(jsonb_agg(jsonb_build_array(lower(b), upper(b))), '[]') from unnest(u.breaks) b) as breaks
    from duty_sessions u
    where u.org_id = ${orgId} and (u.staff_id = any (${ids}) or u.vehicle_id = any (${ids}))
      and u.started_at between ${from}::timestamptz - make_interval(hours => ${longestDutyHours + 1}) and ${to}::timestamptz + interval '5 minutes'
      and (u.ended_at is null or u.ended_at >= ${from}::timestamptz - interval '5 minutes')`.execute(tx)
  return rows.map((row) => ({
    ...row,
    breaks: row.breaks.map(([since, until]) => ({ from: new Date(since), to: new Date(until) })),
  }))
}

export interface StoredFix extends Fix {
  readonly deviceId: string
  readonly sessionId: string
  readonly staffId: string | null
  readonly vehicleId: string | null
  readonly receivedAt: Date
}

const isoOf = (at: Date): string => at.toISOString()

/** All in one statement. What is there already stays as it came first. */
export async function insertPositions(tx: Tx, orgId: string, fixes: readonly StoredFix[]): Promise<void> {
  if (fixes.length === 0) return
  await sql`
    insert into positions (org_id, device_id, duty_session_id, recorded_at, received_at, lat, lng, accuracy_m, speed_mps, heading_deg,
      altitude_m, battery_pct, is_moving, valid)
    select ${orgId}, f.* from unnest(${fixes.map((fix) => fix.deviceId)}::uuid[], ${fixes.map((fix) => fix.sessionId)}::uuid[],
      ${fixes.map((fix) => isoOf(fix.recordedAt))}::timestamptz[], ${fixes.map((fix) => isoOf(fix.receivedAt))}::timestamptz[],
      ${fixes.map((fix) => fix.lat)}::float8[], ${fixes.map((fix) => fix.lng)}::float8[], ${fixes.map((fix) => fix.accuracyM)}::real[],
      ${fixes.map((fix) => fix.speedMps)}::real[], ${fixes.map((fix) => fix.headingDeg)}::real[], ${fixes.map((fix) => fix.altitudeM)}::real[],
      ${fixes.map((fix) => fix.batteryPct)}::smallint[], ${fixes.map((fix) => fix.isMoving)}::boolean[], ${fixes.map((fix) => fix.isValid)}::boolean[]) f
    on conflict do nothing`.execute(tx)
}

export interface DropCount {
  readonly deviceId: string
  readonly reason: DropReason
  /** Civil date in UTC. */
  readonly day: string
  readonly count: number
}

/** Sorted, as all rows are that two processes may write at once. */
export async function insertDrops(tx: Tx, orgId: string, drops: readonly DropCount[]): Promise<void> {
  if (drops.length === 0) return
  const sorted = drops.toSorted((a, b) =>
    `${a.deviceId}${a.day}${a.reason}`.localeCompare(`${b.deviceId}${b.day}${b.reason}`),
  )
  await sql`
    insert into position_drops as n (org_id, device_id, day, reason, dropped)
    select ${orgId}, f.* from unnest(${sorted.map((drop) => drop.deviceId)}::uuid[], ${sorted.map((drop) => drop.day)}::date[],
      ${sorted.map((drop) => drop.reason)}::text[], ${sorted.map((drop) => drop.count)}::int[]) f
    on conflict (org_id, device_id, day, reason) do update set dropped = n.dropped + excluded.dropped`.execute(tx)
}

/**
 * Positions are in no change log, so whoever writes them says whose alerts they may change: of those who were not heard on this duty, or not
 * for as long as makes them silent, and of those whose battery is low or was. Between fixes `f` and what was known before. All others cost a look at
 * one row, which is written anyway.
 */
const dueByPositions = (orgId: string): RawBuilder<unknown> =>
  markDueFrom(
    orgId,
    sql`
    select 'departure', duty.departure_id
    from f join duty_sessions duty on duty.org_id = ${orgId} and duty.id = f.duty_session_id and duty.departure_id is not null
      cross join lateral (select ${ruleIn('r', 'batteryPct')} as battery_pct,
        least(${ruleIn('r', 'signalLostMin')}, ${ruleIn('r', 'signalLostDaysMin')}) as silent_min
        from (select) as one left join org_settings r on r.org_id = ${orgId}) limits
      left join latest_positions l on l.org_id = ${orgId} and l.subject_id = coalesce(f.staff_id, f.vehicle_id)
    where l.duty_session_id is distinct from f.duty_session_id or f.recorded_at > l.recorded_at and (
      l.recorded_at <= app_now() - make_interval(mins => limits.silent_min)
      or l.battery_pct is distinct from f.battery_pct and least(l.battery_pct, f.battery_pct) <= limits.battery_pct)`,
  )

/** The newest accepted position of each subject. */
export async function upsertLatest(tx: Tx, orgId: string, kept: readonly StoredFix[]): Promise<void> {
  const newest = new Map<string, StoredFix>()
  for (const fix of kept) {
    const subject = fix.staffId ?? fix.vehicleId ?? ''
    const other = newest.get(subject)
    if (fix.isValid && (!other || other.recordedAt < fix.recordedAt)) newest.set(subject, fix)
  }
  if (newest.size === 0) return
  const fixes = [...newest].toSorted(([a], [b]) => a.localeCompare(b)).map(([, fix]) => fix)
  await sql`
    with f as (
      select * from unnest(${fixes.map((fix) => fix.staffId)}::uuid[], ${fixes.map((fix) => fix.vehicleId)}::uuid[],
        ${fixes.map((fix) => fix.deviceId)}::uuid[], ${fixes.map((fix) => fix.sessionId)}::uuid[],
        ${fixes.map((fix) => isoOf(fix.recordedAt))}::timestamptz[], ${fixes.map((fix) => isoOf(fix.receivedAt))}::timestamptz[],
        ${fixes.map((fix) => fix.lat)}::float8[], ${fixes.map((fix) => fix.lng)}::float8[], ${fixes.map((fix) => fix.accuracyM)}::real[],
        ${fixes.map((fix) => fix.speedMps)}::real[], ${fixes.map((fix) => fix.headingDeg)}::real[], ${fixes.map((fix) => fix.altitudeM)}::real[],
        ${fixes.map((fix) => fix.batteryPct)}::smallint[], ${fixes.map((fix) => fix.isMoving)}::boolean[])
        f (staff_id, vehicle_id, device_id, duty_session_id, recorded_at, received_at, lat, lng, accuracy_m, speed_mps, heading_deg, altitude_m,
          battery_pct, is_moving)
    ), due as (${dueByPositions(orgId)})
    insert into latest_positions as n (org_id, staff_id, vehicle_id, device_id, duty_session_id, recorded_at, received_at, lat, lng, accuracy_m,
      speed_mps, heading_deg, altitude_m, battery_pct, is_moving)
    select ${orgId}, f.* from f
    on conflict (org_id, subject_id) do update set device_id = excluded.device_id, duty_session_id = excluded.duty_session_id,
      recorded_at = excluded.recorded_at, received_at = excluded.received_at, lat = excluded.lat, lng = excluded.lng,
      accuracy_m = excluded.accuracy_m, speed_mps = excluded.speed_mps, heading_deg = excluded.heading_deg, altitude_m = excluded.altitude_m,
      battery_pct = excluded.battery_pct, is_moving = excluded.is_moving
    where excluded.recorded_at > n.recorded_at`.execute(tx)
}

/** The last status report of each device. */
export async function upsertSignals(
  tx: Tx,
  orgId: string,
  signals: readonly {
    deviceId: string
    protocol: TrackingProtocol
    batteryPct: number | null
    clockSkewS: number | null
    at: Date
  }[],
): Promise<void> {
  if (signals.length === 0) return
  const last = [...new Map(signals.map((signal) => [signal.deviceId, signal])).values()].toSorted((a, b) =>
    a.deviceId.localeCompare(b.deviceId),
  )
  await sql`
    insert into device_signals as n (org_id, device_id, last_seen_at, protocol, battery_pct, clock_skew_s)
    select ${orgId}, f.* from unnest(${last.map((each) => each.deviceId)}::uuid[], ${last.map((each) => isoOf(each.at))}::timestamptz[],
      ${last.map((each) => each.protocol)}::text[], ${last.map((each) => each.batteryPct)}::smallint[], ${last.map((each) => each.clockSkewS)}::int[]) f
    on conflict (org_id, device_id) do update set last_seen_at = greatest(n.last_seen_at, excluded.last_seen_at), protocol = excluded.protocol,
      battery_pct = coalesce(excluded.battery_pct, n.battery_pct), clock_skew_s = coalesce(excluded.clock_skew_s, n.clock_skew_s)`.execute(
    tx,
  )
}
