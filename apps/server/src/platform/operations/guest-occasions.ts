import {
  delayStepOf,
  type GuestEvent,
  guestRuleSettings,
  moreDelayMinutes,
} from '@tour-ops/contract/notifications/guest-rules'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { addMinutes } from '../local-time.ts'
import { isInAudience } from './guest-rules.ts'
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
  { id, departureId, now }: ToldBooking,
  { occurrence, said, before, dueAt = now }: Occasion,
): Promise<void> {
  await sql`
    insert into guest_occasions (org_id, id, event, booking_id, departure_id, occurrence, final_at, said, said_before)
    values (${orgId}, ${newId()}, ${event}, ${id}, ${departureId}, ${occurrence}, ${dueAt}, ${JSON.stringify(said)}::jsonb,
      ${before && JSON.stringify(before)}::jsonb)
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

/** Rows like those of messages: what the changes of a booking would have said, while their rule is switched off or for others. */
export const changesUnsaid = (orgId: string, bookingId: string): RawBuilder<unknown> => sql`
  select o.event, o.said, o.at, o.id from guest_occasions o
  where o.org_id = ${orgId} and o.booking_id = ${bookingId} and o.event = 'booking_changed' and exists (
    select from notification_rules r join bookings b on b.org_id = r.org_id and b.id = o.booking_id
    where r.org_id = o.org_id and r.event = o.event and r.audience = 'travelers' and not (r.enabled and ${isInAudience(sql`r.audience_selector`)}))`

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

/** Whether a delay would be told by any setting of the rule. What is not needs no note: it changes what no guest knows. */
export const isWorthNoting = (delay: SeenDelay, noted: readonly SeenDelay[]): boolean =>
  (guestRuleSettings.delay_notice?.choices ?? []).some((from) => toldDelays([...noted, delay], from).at(-1) === delay)

/** Notes how late the vehicle of a booking is, so that every setting of the rule can say what it would have written. */
export async function noteDelay(
  { tx, orgId }: SeatCall,
  bookingId: string,
  departureId: string,
  localDate: string,
  { delayMinutes, expectedAt }: SeenDelay,
): Promise<void> {
  const occurrence = `delay_notice ${departureId} ${localDate} ${delayMinutes} ${expectedAt.toISOString()}`
  await sql`
    insert into guest_occasions (org_id, id, event, booking_id, departure_id, occurrence, local_date, delay_minutes, expected_at)
    values (${orgId}, ${newId()}, 'delay_notice', ${bookingId}, ${departureId}, ${occurrence}, ${localDate}, ${delayMinutes}, ${expectedAt})
    on conflict do nothing`.execute(tx)
}
