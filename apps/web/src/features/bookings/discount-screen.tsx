import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { m } from '../../paraglide/messages.js'
import { recordScreen } from '../../plain-records/record-screen.ts'

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
    tourId: m.bookings_discounts_tour,
    maxUses: m.bookings_discounts_max_uses,
  },
  choices: {
    kind: { percent: m.bookings_discounts_percent, amount: m.bookings_discounts_amount },
    validBy: { sale: m.bookings_discounts_by_sale, departure: m.bookings_discounts_by_departure },
  },
  columns: {
    code: { width: 180, grow: true },
    kind: {},
    value: {},
    currency: {},
    tourId: {},
    validFrom: {},
    validUntil: {},
    maxUses: {},
  },
  derived: {
    uses: { label: m.bookings_discounts_uses, width: 90, cell: ({ uses }) => <span className="num">{uses}</span> },
  },
})
