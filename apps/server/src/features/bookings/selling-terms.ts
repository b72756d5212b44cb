import { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { TourUnit } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

export interface Terms {
  prices: TourUnit[]
  currency: string
  holdMinutes: number
  refPrefix: string
}

/** Prices of the revision that the departure was sold with, and the rules of the organization. */
export async function selectTerms(call: SeatCall, revisionId: string): Promise<Terms> {
  const { rows } = await sql<Omit<Terms, 'prices'> & { content: unknown }>`
    select r.content, s.currency, s.hold_minutes as "holdMinutes", s.booking_ref_prefix as "refPrefix"
    from org_settings s left join tour_revisions r on r.org_id = s.org_id and r.id = ${revisionId}
    where s.org_id = ${call.orgId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('settings')
  const { content, ...rules } = row
  const prices = TourContent.parse(content ?? {}).units
  return { ...rules, prices, currency: prices[0]?.currency ?? rules.currency }
}

/** The same for a departure. @throws AppError `not-found`. */
export async function selectTermsOf(call: SeatCall, departureId: string): Promise<Terms> {
  const { rows } = await sql<{ revisionId: string }>`select revision_id as "revisionId" from departures
    where org_id = ${call.orgId} and id = ${departureId}`.execute(call.tx)
  if (!rows[0]) throw notFound('departure')
  return selectTerms(call, rows[0].revisionId)
}
