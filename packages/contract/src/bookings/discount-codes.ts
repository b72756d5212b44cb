import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id, MoneyMinor, text } from '../fields.ts'
import { record } from '../record.ts'
import {
  choice,
  choiceWithUsual,
  line,
  optionalDate,
  optionalLine,
  references,
  wholeNumber,
  wholeNumberOr,
} from '../record-fields.ts'
import { listTours } from '../tours/tours.ts'

/** A code that makes a sale cheaper; archived ones are not taken any more. */
export const discountRecord = record({
  table: 'discount_codes',
  nouns: ['a discount code', 'discount codes'],
  read: 'bookings:read',
  manage: 'tours:manage',
  reach: 'nobody',
  fields: {
    code: line(40),
    kind: choice(['percent', 'amount']),
    /** Percent, or whole units of the currency. */
    value: wholeNumber(1, 1_000_000),
    currency: optionalLine(3),
    /** Which day counts. */
    validBy: choiceWithUsual(['sale', 'departure']),
    validFrom: optionalDate(),
    validUntil: optionalDate(),
    /** None: every tour. */
    tourIds: references('tours', listTours),
    /** 0: without a limit. */
    maxUses: wholeNumberOr(0, 1_000_000, 0),
  },
  title: 'code',
  sort: ['code', 'kind', 'value', 'validFrom', 'validUntil', 'maxUses'],
  filters: ['kind', 'tourIds'],
  search: ['code'],
  derived: {
    /** Bookings that have it and have not ended. */
    uses: z.int(),
  },
  topics: ['bookings'],
})

/** What a code takes off: one of both. */
export const Discount = z.object({
  code: z.string(),
  percent: z.nullable(z.int()),
  amountMinor: z.nullable(MoneyMinor),
})
export type Discount = z.output<typeof Discount>

/** Off what the seats cost, and never more than that. Minor units. */
export const discountMinorOf = ({ percent, amountMinor }: Omit<Discount, 'code'>, listMinor: number): number =>
  Math.min(listMinor, percent === null ? (amountMinor ?? 0) : Math.round((listMinor * percent) / 100))

/** A total that was agreed on, with another discount than it has. Minor units. */
export const totalAtDiscountMinor = (totalMinor: number, beforeMinor: number, afterMinor: number): number =>
  Math.max(0, totalMinor + beforeMinor - afterMinor)

export const checkDiscount = callable({
  name: 'discounts-check',
  kind: 'read',
  permission: 'bookings:manage',
  summary:
    'What a discount code takes off on a departure, for a sale at this moment; a code that is not taken there is refused with the reason. The sale checks it again.',
  input: z.object({ departureId: Id, code: text(40) }),
  output: Discount,
  topics: ['bookings', 'discount_codes', 'org_settings', 'tour_revisions'],
  rowTopics: ['departures'],
})
