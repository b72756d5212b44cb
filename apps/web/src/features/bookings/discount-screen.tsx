import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { m } from '../../paraglide/messages.js'
import { recordScreen } from '../../plain-records/record-screen.ts'
import { formatNumber } from '../../ui/format.ts'

/** How often it was used, of how many where there is a limit. */
const usesText = ({ uses, maxUses }: { uses: number; maxUses: number }) => (
  <span className="num">{maxUses > 0 ? `${formatNumber(uses)} / ${formatNumber(maxUses)}` : formatNumber(uses)}</span>
)

export const discountScreen = recordScreen(discountRecord, {
  path: '/discount-codes',
  title: m.bookings_discounts_title,
  add: m.bookings_discounts_add,
  edit: m.bookings_discounts_edit,
  labels: {
    code: m.bookings_discounts_code,
    kind: m.bookings_discounts_kind,
    value: m.bookings_discounts_value,
    currency: m.bookings_discounts_currency,
    validBy: m.bookings_discounts_valid_by,
    validFrom: m.bookings_discounts_from,
    validUntil: m.bookings_discounts_until,
    tourIds: m.bookings_discounts_tour,
    maxUses: m.bookings_discounts_max_uses,
  },
  choices: {
    kind: { percent: m.bookings_discounts_percent, amount: m.bookings_discounts_amount },
    validBy: { sale: m.bookings_discounts_by_sale, departure: m.bookings_discounts_by_departure },
  },
  columns: {
    code: { width: 180, grow: true },
    kind: { width: 100 },
    value: { header: m.bookings_discounts_value_short },
    currency: { header: m.bookings_discounts_currency_short, width: 90 },
    tourIds: { header: m.bookings_discounts_tour_short },
    validFrom: {},
    validUntil: {},
  },
  derived: {
    uses: { label: m.bookings_discounts_uses, width: 90, cell: usesText },
  },
})
