import { sql } from 'kysely'
import { newId } from '../../src/platform/ids.ts'
import { asRows, iso, type PastWrites } from './as-they-ended.ts'
import type { PastDuty } from './crews.ts'
import type { PastLife } from './lives.ts'
import { hourMs } from '../spans.ts'

/** Crews are settled so long before the start; who is asked has a day to answer and takes some hours. */
const settledMs = 96 * hourMs
const answerMs = 5 * hourMs
const respondMs = 24 * hourMs

interface Offer {
  readonly id: string
  readonly entry: string
  readonly departure: string
  readonly staff: string
  readonly role: string
  readonly status: 'completed' | 'released' | 'declined' | 'expired'
  readonly asked: boolean
  readonly from: string
  readonly to: string
  readonly settled: string
  readonly answered: string | null
  readonly respondBy: string
  readonly broken: readonly string[]
}

/** Who was asked and who went, in which vehicle; a person and a vehicle are taken for as long as they were. */
export async function writeCrews({ tx, orgId }: PastWrites, lives: readonly PastLife[]): Promise<void> {
  const rows = asRows(lives.flatMap(offersOf))
  await sql`
    insert into staff_calendar_entries (org_id, id, staff_id, during, kind, status, created_at)
    select ${orgId}, o.entry, o.staff, tstzrange(o."from", o."to"), 'assignment', case when o.status = 'completed' then 'confirmed' else 'cancelled' end,
      o.settled
    from jsonb_to_recordset(${rows}::jsonb) as o (entry uuid, staff uuid, "from" timestamptz, "to" timestamptz, status text, settled timestamptz)`.execute(
    tx,
  )
  await sql`
    insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, report_at, release_at, offered_at, respond_by,
      responded_at, decline_reason, release_reason, broken_rules, override_reason, created_at)
    select ${orgId}, o.id, o.entry, o.departure, o.staff, o.role, o.status, o."from", o."to",
      case when o.asked then o.settled end, case when o.asked then o."respondBy" end, o.answered,
      case when o.status = 'declined' then 'Not free that day' end, case when o.status = 'released' then 'Departure cancelled' end,
      o.broken, case when cardinality(o.broken) > 0 then 'Nobody else was free' end, o.settled
    from jsonb_to_recordset(${rows}::jsonb) as o (id uuid, entry uuid, departure uuid, staff uuid, role text, status text, asked boolean,
      "from" timestamptz, "to" timestamptz, settled timestamptz, answered timestamptz, "respondBy" timestamptz, broken text[])`.execute(
    tx,
  )
  await writeVehicles(tx, orgId, lives)
}

function offersOf({ crew, departure, cancelReason }: PastLife): Offer[] {
  const settledAt = departure.startsAt - settledMs
  const offer = (
    { departureId, role, from, to }: PastDuty,
    who: Pick<Offer, 'staff' | 'asked' | 'status' | 'broken'>,
    askedAt: number,
  ): Offer => ({
    ...who,
    id: newId(),
    entry: newId(),
    departure: departureId,
    role,
    from: iso(from),
    to: iso(to),
    settled: iso(askedAt),
    answered: who.status === 'expired' ? null : iso(who.asked ? askedAt + answerMs : askedAt),
    respondBy: iso(askedAt + respondMs),
  })
  return (crew.duties ?? []).flatMap((duty) => {
    const { refusal, staffId: staff, asked, broken } = duty
    const status = cancelReason === null ? ('completed' as const) : ('released' as const)
    const went = offer(duty, { staff, asked, status, broken }, settledAt)
    if (!refusal) return [went]
    const first = { staff: refusal.staffId, asked: true, status: refusal.how, broken: [] }
    return [offer(duty, first, settledAt - respondMs), went]
  })
}

async function writeVehicles(tx: PastWrites['tx'], orgId: string, lives: readonly PastLife[]): Promise<void> {
  const rows = asRows(
    lives.flatMap(({ departure: { id, startsAt, endsAt }, crew: { vehicleId }, cancelReason }) =>
      vehicleId === null
        ? []
        : [
            {
              entry: newId(),
              vehicle: vehicleId,
              departure: id,
              from: iso(startsAt),
              to: iso(endsAt),
              status: cancelReason === null ? 'confirmed' : 'cancelled',
            },
          ],
    ),
  )
  await sql`
    insert into vehicle_calendar_entries (org_id, id, vehicle_id, during, kind, status)
    select ${orgId}, v.entry, v.vehicle, tstzrange(v."from", v."to"), 'departure', v.status
    from jsonb_to_recordset(${rows}::jsonb) as v (entry uuid, vehicle uuid, "from" timestamptz, "to" timestamptz, status text)`.execute(
    tx,
  )
  await sql`
    insert into vehicle_assignments (org_id, calendar_entry_id, departure_id)
    select ${orgId}, v.entry, v.departure from jsonb_to_recordset(${rows}::jsonb) as v (entry uuid, departure uuid)`.execute(
    tx,
  )
}
