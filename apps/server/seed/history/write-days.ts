import { usualPoorestStars } from '@tour-ops/contract/reports/poor-rating'
import { sql } from 'kysely'
import { newId } from '../../src/platform/ids.ts'
import { asRows, iso, type PastWrites } from './as-they-ended.ts'
import { isCarried, type PastLife } from './lives.ts'

const hasRun = ({ cancelReason }: PastLife): boolean => cancelReason === null

/** How departures ended, and when they were at their stops. */
export async function writeDays({ tx, orgId }: PastWrites, lives: readonly PastLife[]): Promise<void> {
  const rows = lives.map((life) => ({
    id: life.departure.id,
    status: hasRun(life) ? 'completed' : 'cancelled',
    reason: life.cancelReason,
    left: hasRun(life) ? iso(life.startedAt) : null,
    back: hasRun(life) ? iso(life.endedAt) : null,
    late: hasRun(life) ? lateS(life.stops.at(-1)) : 0,
  }))
  await sql`
    update departures d set status = l.status, sales_status = 'closed', cancel_reason = l.reason, actual_start_at = l.left, actual_end_at = l.back,
      delay_seconds = l.late
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as l (id uuid, status text, reason text, "left" timestamptz, back timestamptz, late int)
    where d.org_id = ${orgId} and d.id = l.id`.execute(tx)
  const visits = lives.filter(hasRun).flatMap((life) =>
    life.stops.map((stop, place) => {
      const leftAt = !stop.isSkipped && place < life.stops.length - 1 ? iso(stop.leftAt) : null
      return {
        id: stop.id,
        status: stop.isSkipped ? 'skipped' : leftAt ? 'departed' : 'arrived',
        arrived: stop.isSkipped ? null : iso(stop.arrivedAt),
        left: leftAt,
        late: stop.isSkipped ? 0 : lateS(stop),
        aboard: stop.headcount && !stop.isSkipped ? aboard(life) : null,
      }
    }),
  )
  await sql`
    update departure_stops s set status = v.status, skip_reason = case when v.status = 'skipped' then 'No time' end,
      actual_arrive_at = v.arrived, source = case when v.arrived is not null then 'gps' end,
      actual_depart_at = v."left", depart_source = case when v."left" is not null then 'gps' end,
      delay_seconds = v.late, headcount_expected = v.aboard, headcount_actual = v.aboard
    from jsonb_to_recordset(${asRows(visits)}::jsonb) as v (id uuid, status text, arrived timestamptz, "left" timestamptz, late int, aboard int)
    where s.org_id = ${orgId} and s.id = v.id`.execute(tx)
}

const lateS = (stop: { readonly arrivedAt: number; readonly arriveAt: number } | undefined): number =>
  stop ? Math.max(0, Math.round((stop.arrivedAt - stop.arriveAt) / 1000)) : 0

const aboard = (life: PastLife): number =>
  life.parties.reduce(
    (sum, party) => sum + (party.cancelledAt === null ? party.entries.filter(isCarried).length : 0),
    0,
  )

const leaderOf = ({ crew }: PastLife): string | null => crew.duties?.[0]?.staffId ?? null

/** Who was checked in where, and how heads were counted. */
export async function writeCounts({ tx, orgId }: PastWrites, lives: readonly PastLife[], by: string): Promise<void> {
  const checkIns = lives.filter(hasRun).flatMap((life) =>
    life.parties
      .filter(({ cancelledAt }) => cancelledAt === null)
      .flatMap(({ entries }) => entries.filter(isCarried))
      .map((entry) => ({
        id: newId(),
        entry: entry.id,
        stop: life.stops[0]?.id ?? null,
        guide: leaderOf(life),
        at: iso(entry.checkedInAt),
      })),
  )
  await sql`
    insert into check_ins (org_id, id, manifest_entry_id, departure_stop_id, kind, at, by_staff_id, by_user_id, method, client_event_id, device_at, synced_at)
    select ${orgId}, c.id, c.entry, c.stop, 'board', c.at, c.guide, ${by}, 'scan', c.id::text, c.at, c.at
    from jsonb_to_recordset(${asRows(checkIns)}::jsonb) as c (id uuid, entry uuid, stop uuid, guide uuid, at timestamptz)`.execute(
    tx,
  )
  const counts = lives.filter(hasRun).flatMap((life) =>
    life.stops
      .filter(({ headcount, isSkipped }) => headcount && !isSkipped)
      .map((stop) => ({
        id: newId(),
        stop: stop.id,
        heads: aboard(life),
        guide: leaderOf(life),
        at: iso(stop.leftAt),
      })),
  )
  await sql`
    insert into headcounts (org_id, id, departure_stop_id, expected, counted, by_staff_id, by_user_id, at)
    select ${orgId}, c.id, c.stop, c.heads, c.heads, c.guide, ${by}, c.at
    from jsonb_to_recordset(${asRows(counts)}::jsonb) as c (id uuid, stop uuid, heads int, guide uuid, at timestamptz)`.execute(
    tx,
  )
}

/** Guests' feedback; poor ratings are followed up within two days. */
export async function writeFeedback({ tx, orgId }: PastWrites, lives: readonly PastLife[], by: string): Promise<void> {
  const rows = lives.filter(hasRun).flatMap((life) =>
    life.parties
      .filter(({ cancelledAt }) => cancelledAt === null)
      .flatMap(({ id: booking, opinion, entries: [first] }) =>
        opinion && first
          ? [
              {
                ...opinion,
                id: newId(),
                departure: life.departure.id,
                booking,
                guest: first.guest.id,
                language: first.guest.language,
                guide: leaderOf(life),
                at: iso(opinion.ratedAt),
              },
            ]
          : [],
      ),
  )
  await sql`
    insert into feedback (org_id, id, departure_id, booking_id, traveler_id, staff_id, tour_rating, guide_rating, nps, language, at, created_at)
    select ${orgId}, f.id, f.departure, f.booking, f.guest, f.guide, f.rating, f."guideRating", f.nps, f.language, f.at, f.at
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as f (id uuid, departure uuid, booking uuid, guest uuid, guide uuid, rating smallint,
      "guideRating" smallint, nps smallint, language text, at timestamptz)`.execute(tx)
  await sql`
    insert into feedback_follow_ups (org_id, id, owner_user_id, note, closed_at, closed_by, created_at, updated_at)
    select org_id, id, ${by}, 'Called, voucher sent.', at + interval '1 day', ${by}, at, at + interval '1 day' from feedback
    where org_id = ${orgId} and least(tour_rating, guide_rating) <= ${usualPoorestStars}
      and at < (select max(at) from feedback where org_id = ${orgId}) - interval '2 days'`.execute(tx)
}
