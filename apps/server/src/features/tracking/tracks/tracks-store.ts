import { longestDutyHours } from '@tour-ops/contract/tracking/duty-terms'
import { maxAccuracyM } from '@tour-ops/contract/tracking/arrivals/evidence'
import type { TrackedRef } from '@tour-ops/contract/tracking/tracked-ref'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { isOut } from '../../../platform/operations/departure-phase.ts'
import type { Span, TrackFix } from './track-line.ts'

/** Whose tracks, and when. */
export interface AskedTracks {
  readonly staffId: readonly string[]
  readonly vehicleId: readonly string[]
  readonly from: Date
  readonly to: Date
}

/** The people and vehicles that are there, in the order of their names. */
export async function selectSubjects(tx: Tx, orgId: string, asked: AskedTracks): Promise<TrackedRef[]> {
  const { rows } = await sql<TrackedRef>`
    select 'staff' as kind, s.id, trim(s.first_name || ' ' || s.last_name) as name from field_staff s
    where s.org_id = ${orgId} and s.id = any (${[...asked.staffId]}::uuid[])
    union all select 'vehicle', v.id, v.label from vehicles v where v.org_id = ${orgId} and v.id = any (${[...asked.vehicleId]}::uuid[])
    order by 3, 2`.execute(tx)
  return rows
}

/** Duty in which positions may have been taken. */
export interface TrackSession {
  readonly id: string
  readonly subjectId: string
  readonly startedAt: Date
  /** Null while it lasts. */
  readonly endedAt: Date | null
  readonly departure: { readonly id: string; readonly code: string } | null
  /** One that lasts has no end. */
  readonly breaks: readonly Span[]
}

/** Of duty `u`: it touches the time, and may have positions. */
const isTrackedWithin = ({ from, to }: Pick<AskedTracks, 'from' | 'to'>): RawBuilder<boolean> =>
  sql<boolean>`u.started_at between ${from}::timestamptz - make_interval(hours => ${longestDutyHours + 1}) and ${to}::timestamptz
      and (u.ended_at is null or u.ended_at > ${from}) and u.tracked_from is not null`

/** Who was on duty in a time and may have positions: ids of people, and of vehicles. */
export async function selectSubjectsOnDuty(
  tx: Tx,
  orgId: string,
  span: Pick<AskedTracks, 'from' | 'to'>,
): Promise<Pick<AskedTracks, 'staffId' | 'vehicleId'>> {
  const { rows } = await sql<{ staffId: string | null; vehicleId: string | null }>`
    select distinct u.staff_id as "staffId", u.vehicle_id as "vehicleId" from duty_sessions u
    where u.org_id = ${orgId} and ${isTrackedWithin(span)}`.execute(tx)
  return {
    staffId: rows.flatMap(({ staffId }) => staffId ?? []),
    vehicleId: rows.flatMap(({ vehicleId }) => vehicleId ?? []),
  }
}

/** Duty that touches the time, the earliest first. */
export async function selectTrackSessions(tx: Tx, orgId: string, asked: AskedTracks): Promise<TrackSession[]> {
  const { rows } = await sql<
    Omit<TrackSession, 'breaks'> & { breaks: readonly (readonly [string, string])[]; breakStartedAt: Date | null }
  >`
    select u.id, coalesce(u.staff_id, u.vehicle_id) as "subjectId", u.started_at as "startedAt", u.ended_at as "endedAt",
      u.break_started_at as "breakStartedAt",
      (select coalesce(jsonb_agg(jsonb_build_array(lower(b), upper(b))), '[]') from unnest(u.breaks) b) as breaks,
      case when d.id is not null then jsonb_build_object('id', d.id, 'code', d.code) end as departure
    from duty_sessions u left join departures d on d.org_id = u.org_id and d.id = u.departure_id
    where u.org_id = ${orgId} and (u.staff_id = any (${[...asked.staffId]}::uuid[]) or u.vehicle_id = any (${[...asked.vehicleId]}::uuid[]))
      and ${isTrackedWithin(asked)}
    order by u.started_at, u.id`.execute(tx)
  return rows.map(({ breaks, breakStartedAt, ...session }) => ({
    ...session,
    breaks: [
      ...breaks.map(([from, to]) => ({ from: Date.parse(from), to: Date.parse(to) })),
      ...(breakStartedAt ? [{ from: breakStartedAt.getTime(), to: Infinity }] : []),
    ],
  }))
}

/** Duty that somebody is on with a departure that is out, and may be followed on. */
export interface DrivenSession {
  readonly id: string
  readonly staffId: string | null
  readonly vehicleId: string | null
  readonly startedAt: Date
}

/** Present duty on a departure: none where it is not out, and none of those who have not agreed. Null where there is no such departure. */
export async function selectDrivenSessions(
  tx: Tx,
  orgId: string,
  departureId: string,
): Promise<DrivenSession[] | null> {
  const { rows } = await sql<{ sessions: DrivenRow[] }>`
    select (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'staffId', u.staff_id, 'vehicleId', u.vehicle_id, 'startedAt', u.started_at)), '[]')
      from duty_sessions u
      where u.org_id = d.org_id and u.departure_id = d.id and u.status = 'open' and u.consent_version is not null and ${isOut}) as sessions
    from departures d where d.org_id = ${orgId} and d.id = ${departureId}`.execute(tx)
  return rows[0]?.sessions.map((session) => ({ ...session, startedAt: new Date(session.startedAt) })) ?? null
}

interface DrivenRow extends Omit<DrivenSession, 'startedAt'> {
  readonly startedAt: string
}

/** How often the devices of people and vehicles report, seconds; those without a device now are missing. */
export async function selectIntervals(tx: Tx, orgId: string, asked: AskedTracks): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ subjectId: string; intervalS: number }>`
    select coalesce(v.staff_id, v.vehicle_id) as "subjectId", max(v.report_interval_s) as "intervalS" from devices v
    where v.org_id = ${orgId} and v.archived_at is null
      and (v.staff_id = any (${[...asked.staffId]}::uuid[]) or v.vehicle_id = any (${[...asked.vehicleId]}::uuid[]))
    group by 1`.execute(tx)
  return new Map(rows.map(({ subjectId, intervalS }) => [subjectId, intervalS]))
}

/** Of positions `p`: the index of one session and time, in the partitions of the days that the time touches. */
const isWithin = (
  orgId: string,
  sessionIds: readonly string[],
  { from, to }: Pick<AskedTracks, 'from' | 'to'>,
): RawBuilder<boolean> =>
  sql<boolean>`p.org_id = ${orgId} and p.duty_session_id = any (${[...sessionIds]}::uuid[])
      and p.recorded_at >= ${from} and p.recorded_at < ${to}`

interface FixRow extends Omit<TrackFix, 'at'> {
  readonly at: Date
}

/** The most exact position per this many seconds, as the engine of arrivals prefers them (`evidence.ts`): a day of one device may have 50,000. */
export const trackFixes = (
  orgId: string,
  sessionIds: readonly string[],
  { from, to }: AskedTracks,
  everyS: number,
): RawBuilder<FixRow> => sql<FixRow>`
    select distinct on (p.duty_session_id, taken.slot) p.duty_session_id as "sessionId", p.recorded_at as at, p.lat, p.lng,
      p.speed_mps as "speedMps", p.altitude_m as "altitudeM", p.battery_pct as "batteryPct"
    from positions p cross join lateral (select floor(extract(epoch from p.recorded_at) / ${everyS}::float8) as slot) taken
    where ${isWithin(orgId, sessionIds, { from, to })} and p.valid and coalesce(p.accuracy_m, 0) <= ${sql.lit(maxAccuracyM)}
    order by p.duty_session_id, taken.slot, coalesce(p.accuracy_m, 25), p.recorded_at`

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Number(value.toFixed(digits))

/** By session; places to 10 cm, speeds and heights to a tenth. */
export async function selectTrackFixes(tx: Tx, ...asked: Parameters<typeof trackFixes>): Promise<TrackFix[]> {
  const { rows } = await trackFixes(...asked).execute(tx)
  return rows.map(({ at, lat, lng, speedMps, altitudeM, batteryPct, sessionId }) => ({
    sessionId,
    at: at.getTime(),
    lat: Number(lat.toFixed(6)),
    lng: Number(lng.toFixed(6)),
    speedMps: rounded(speedMps, 1),
    altitudeM: rounded(altitudeM, 1),
    batteryPct,
  }))
}

export interface FixCounts {
  readonly fixes: number
  readonly implausible: number
}

/** How many positions there are, and how many of them nobody can have been at, by session. */
export async function countFixes(
  tx: Tx,
  orgId: string,
  sessionIds: readonly string[],
  asked: AskedTracks,
): Promise<ReadonlyMap<string, FixCounts>> {
  const { rows } = await sql<FixCounts & { sessionId: string }>`
    select p.duty_session_id as "sessionId", (count(*) filter (where p.valid))::int as fixes, (count(*) filter (where not p.valid))::int as implausible
    from positions p where ${isWithin(orgId, sessionIds, asked)} group by 1`.execute(tx)
  return new Map(rows.map(({ sessionId, ...counts }) => [sessionId, counts]))
}

export interface NearPlace {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly exitM: number
}

interface Frame {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** Places of the organization in a frame. */
export async function selectPlacesWithin(tx: Tx, orgId: string, frame: Frame): Promise<NearPlace[]> {
  const { rows } = await sql<NearPlace>`
    select p.name, p.lat, p.lng, p.exit_m as "exitM" from places p where p.org_id = ${orgId} and p.archived_at is null
      and p.lat between ${frame.south} and ${frame.north} and p.lng between ${frame.west} and ${frame.east}`.execute(tx)
  return rows
}
