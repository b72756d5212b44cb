import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { type OptionPrices, type TourUnit, unitsAt } from '@tour-ops/contract/units'
import { sql } from 'kysely'
import type { SeatCall } from '../../platform/operations/seat-call.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

export interface Terms {
  prices: TourUnit[]
  currency: string
  holdMinutes: number
  refPrefix: string
}

type TermsRow = Omit<Terms, 'prices'> & { content: unknown; optionPrices: OptionPrices | null }

/**
 * Prices of the revision that a departure is sold with, as its option asks them, and the rules of the organization.
 *
 * @throws AppError `not-found`.
 */
export async function selectTerms(call: SeatCall, departureId: string): Promise<Terms> {
  const { rows } = await sql<TermsRow>`
    select r.content, o.prices as "optionPrices", s.currency, s.hold_minutes as "holdMinutes", s.booking_ref_prefix as "refPrefix"
    from departures d join org_settings s on s.org_id = d.org_id
    left join tour_revisions r on r.org_id = d.org_id and r.id = d.revision_id
    left join tour_options o on o.org_id = d.org_id and o.id = d.option_id
    where d.org_id = ${call.orgId} and d.id = ${departureId}`.execute(call.tx)
  const row = rows[0]
  if (!row) throw notFound('departure')
  const { content, optionPrices, ...rules } = row
  const prices = unitsAt(TourContent.parse(content ?? {}).units, optionPrices)
  return { ...rules, prices, currency: prices[0]?.currency ?? rules.currency }
}
