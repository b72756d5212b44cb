import {
  delayStepOf,
  type GuestEvent,
  moreDelayMinutes,
  settingChoices,
} from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { addMinutes } from '../local-time.ts'
import { isStoredRuleFor, partyNoted } from './guest-rules.ts'
import type { SeatCall } from './seat-call.ts'
import type { ToldBooking } from './told-booking.ts'

/** What guests know of their booking, and are told again when it is otherwise. */
export interface Known {
  readonly departureId: string
  /** `2 adult`, by name. */
  readonly seats: readonly string[]
  readonly meetingAt: string | null
  readonly meetingPlace: string | null
}

/** What a rule would have written that is switched off, or is for others. */
interface Occasion {
  readonly occurrence: string
  readonly said: Known
  readonly before: Known | null
  /** When it would have left at the earliest; until then it may be undone. */
  readonly dueAt: Date | undefined
}

/** Notes what a rule would have written if it were switched on and for this guest, in the place of the message. */
export async function noteOccasion(
  { tx, orgId }: SeatCall,
  event: GuestEvent,
  { id, departureId, pax, dueMinor, now }: ToldBooking,
  { occurrence, said, before, dueAt = now }: Occasion,
): Promise<void> {
  await sql`
    insert into guest_occasions (org_id, id, event, booking_id, departure_id, occurrence, final_at, said, said_before, pax, owes)
    values (${orgId}, ${newId()}, ${event}, ${id}, ${departureId}, ${occurrence}, ${dueAt}, ${JSON.stringify(said)}::jsonb,
      ${before && JSON.stringify(before)}::jsonb, ${pax}, ${dueMinor > 0})
    on conflict do nothing`.execute(tx)
}

interface OpenOccasion {
  readonly id: string
  readonly to: null
  readonly said: Known | null
  readonly before: Known | null
}

/** Of a booking: what would wait to be sent now if its rule were switched on and for it, the oldest first. */
export async function selectOpenOccasions(tx: Tx, orgId: string, bookingId: string): Promise<OpenOccasion[]> {
  const { rows } = await sql<Omit<OpenOccasion, 'to'>>`
    select id, said, said_before as before from guest_occasions
    where org_id = ${orgId} and booking_id = ${bookingId} and event in ('booking_changed', 'booking_cancelled') and final_at > app_now()
    order by at, id`.execute(tx)
  return rows.map((row) => ({ ...row, to: null }))
}

/**
 * Rows like those of messages: what the changes of a booking would have said, while their rule is switched off or for others, or where its
 * conditions did not hold. So what is a change is the same by all conditions, and each can be counted back; see docs/decisions/0157.
 */
export const changesUnsaid = (orgId: string, bookingId: string): RawBuilder<unknown> => sql`
  select o.event, o.said, o.at, o.id from guest_occasions o
  where o.org_id = ${orgId} and o.booking_id = ${bookingId} and o.event = 'booking_changed' and exists (
    select from notification_rules r join bookings b on b.org_id = r.org_id and b.id = o.booking_id
    where r.org_id = o.org_id and r.event = o.event and r.audience = 'travelers' and not (r.enabled and ${isStoredRuleFor(partyNoted('o'))}))`

/** How late the vehicle of a booking was when somebody looked. */
export interface SeenDelay {
  readonly delayMinutes: number
  readonly expectedAt: Date
}

/** What a guest has last read of a delay; null where nothing. */
export interface SaidStep {
  readonly step: number
  readonly expectedAt: Date
}

/**
 * The step of which a guest is to be told now: it is above what they read, and they wait noticeably longer than they know.
 *
 * @param from The smallest delay that is told.
 * @returns undefined where there is nothing to tell.
 */
export function newDelayStep(
  { delayMinutes, expectedAt }: SeenDelay,
  said: SaidStep | null,
  from: number,
): number | undefined {
  const step = delayStepOf(delayMinutes, from)
  if (step === undefined || said === null) return step
  return step > said.step && expectedAt >= addMinutes(said.expectedAt, moreDelayMinutes) ? step : undefined
}

/** Of delays in the order in which they were seen those of which a guest is told. @param from As of `newDelayStep`. */
export function toldDelays<Seen extends SeenDelay>(seen: readonly Seen[], from: number): Seen[] {
  let said: SaidStep | null = null
  const told: Seen[] = []
  for (const delay of seen) {
    const step = newDelayStep(delay, said, from)
    if (step === undefined) continue
    said = { step, expectedAt: delay.expectedAt }
    told.push(delay)
  }
  return told
}

/** A delay with the party as it was when it was seen. */
export interface PartyDelay extends SeenDelay {
  readonly pax: number
  readonly owes: boolean
}

/**
 * Whether a delay would be told by any setting of the rule and any conditions. What is not needs no note: it changes what no guest knows. Conditions
 * differ only by which parties they hold for: sizes from one that was seen to another, and what was due as now or in any case.
 */
export function isWorthNoting(delay: PartyDelay, noted: readonly PartyDelay[]): boolean {
  const sizes = [...new Set([...noted, delay].map(({ pax }) => pax))]
  const byCondition = sizes
    .filter((least) => least <= delay.pax)
    .flatMap((least) => sizes.filter((most) => most >= delay.pax).map((most) => ({ least, most })))
    .flatMap(({ least, most }) => {
      const fitting = noted.filter(({ pax }) => pax >= least && pax <= most)
      return [fitting, fitting.filter(({ owes }) => owes === delay.owes)]
    })
  return byCondition.some((seen) =>
    settingChoices('delay_notice').some((from) => toldDelays([...seen, delay], from).at(-1) === delay),
  )
}

/** Notes how late the vehicle of a booking is, so that every setting of the rule can say what it would have written. */
export async function noteDelay(
  { tx, orgId }: SeatCall,
  bookingId: string,
  departureId: string,
  localDate: string,
  { delayMinutes, expectedAt, pax, owes }: PartyDelay,
): Promise<void> {
  const occurrence = `delay_notice ${departureId} ${localDate} ${delayMinutes} ${expectedAt.toISOString()} ${pax} ${owes}`
  await sql`
    insert into guest_occasions (org_id, id, event, booking_id, departure_id, occurrence, local_date, delay_minutes, expected_at, pax, owes)
    values (${orgId}, ${newId()}, 'delay_notice', ${bookingId}, ${departureId}, ${occurrence}, ${localDate}, ${delayMinutes}, ${expectedAt}, ${pax}, ${owes})
    on conflict do nothing`.execute(tx)
}
