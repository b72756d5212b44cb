import { type Discount, checkDiscount, discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { fieldError } from '@tour-ops/contract/field-rules'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { fractionDigits } from '../../platform/currency-digits.ts'
import { recordVerbs } from '../../platform/records/record-verbs.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { selectTerms } from './selling-terms.ts'

const uses = sql<number>`(select count(*)::int from bookings b where b.org_id = r.org_id and b.discount_code_id = r.id and uses_discount(b.status))`

const codes = recordVerbs(discountRecord, { derived: { uses: () => uses } })

interface CodeRow {
  id: string
  code: string
  kind: 'percent' | 'amount'
  value: number
  currency: string | null
  isForTour: boolean
  isValid: boolean
  isUsedUp: boolean
}

interface Asked {
  readonly code: string
  readonly departureId: string
  /** Of the tour's prices. */
  readonly currency: string
  /** Where it was typed. */
  readonly path: string
}

/** Days are those of the tour's zone: of the sale, or of the departure. */
async function selectCode(call: MemberCall, { code, departureId }: Asked): Promise<CodeRow | undefined> {
  const { rows } = await sql<CodeRow>`
    select r.id, r.code, r.kind, r.value, r.currency, (cardinality(r.tour_ids) = 0 or d.tour_id = any (r.tour_ids)) as "isForTour",
      (case r.valid_by when 'departure' then d.local_date else (app_now() at time zone d.time_zone)::date end
        between coalesce(r.valid_from, '-infinity') and coalesce(r.valid_until, 'infinity')) as "isValid",
      (r.max_uses > 0 and ${uses} >= r.max_uses) as "isUsedUp"
    from discount_codes r join departures d on d.org_id = r.org_id and d.id = ${departureId}
    where r.org_id = ${call.orgId} and upper(r.code) = upper(${code}) and r.archived_at is null`.execute(call.tx)
  return rows[0]
}

/**
 * What a code takes off. That it is used up is checked once more by the schema when the booking is written, where two may want the last use.
 *
 * @throws AppError `invalid-argument` where the code is not taken here or today; `aborted`, reason `discount_used_up`.
 */
export async function requireDiscount(call: MemberCall, asked: Asked): Promise<Discount & { id: string }> {
  const found = await selectCode(call, asked)
  if (!found) throw fieldError(asked.path, 'discount_unknown')
  if (!found.isForTour) throw fieldError(asked.path, 'discount_other_tour')
  if (!found.isValid) throw fieldError(asked.path, 'discount_not_valid')
  const isAmount = found.kind === 'amount'
  if (isAmount && found.currency !== asked.currency) throw fieldError(asked.path, 'discount_other_currency')
  if (found.isUsedUp) throw refuse('discount_used_up')
  return {
    id: found.id,
    code: found.code,
    percent: isAmount ? null : found.value,
    amountMinor: isAmount ? found.value * 10 ** fractionDigits(asked.currency) : null,
  }
}

const check = verb(checkDiscount, async (call, { departureId, code }) => {
  const { currency } = await selectTerms(call, departureId)
  const { id: _id, ...discount } = await requireDiscount(call, { code, departureId, currency, path: 'code' })
  return discount
})

export const discountsVerbs: Verb[] = [codes, check].flat()
