import { useState } from 'react'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatMoment, formatMoney } from '../../ui/format.ts'
import { MoneyInput } from '../../ui/form/money-input.tsx'
import { holdEnd } from './booking-choice.ts'
import { methodOptions } from './payment-labels.ts'
import type { BookingDraft, DraftDiscount, FormDraft } from './use-booking-draft.ts'

/** Minutes that seats may be held for, besides the usual time of the organization. */
const holdTimes = [60, 4 * 60, 24 * 60, 3 * 24 * 60, 7 * 24 * 60]

/** How long seats are held, what the party is to cost, and what is paid at once. */
export function PriceFields({ draft }: { draft: BookingDraft }) {
  const { choices, listMinor, total, currency } = draft
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      {choices.mode === 'hold' && <HoldTime draft={draft} />}
      {currency && (
        <>
          <DiscountField draft={draft} />
          <Field
            label={m.bookings_total()}
            hint={isAgreed(draft) ? m.bookings_list_price({ amount: formatMoney(listMinor, currency) }) : undefined}
            error={typeof total === 'string' ? m.bookings_no_amount() : entryProblem(draft.error, 'amountTotalMinor')}
          >
            <MoneyInput
              currency={currency}
              value={total}
              onChange={(entry) => draft.set({ totalMinor: entry === listMinor ? null : entry })}
            />
          </Field>
          <Field
            label={m.bookings_paid_now()}
            error={
              typeof choices.paidMinor === 'string'
                ? m.bookings_no_amount()
                : entryProblem(draft.error, 'amountPaidMinor')
            }
          >
            <MoneyInput
              currency={currency}
              value={choices.paidMinor}
              onChange={(paidMinor) => draft.set({ paidMinor })}
            />
          </Field>
          {typeof choices.paidMinor === 'number' && choices.paidMinor > 0 && (
            <Field label={m.bookings_paid_by()} required>
              <Select
                value={choices.paidBy}
                placeholder={m.bookings_choose()}
                onChange={(event) => draft.set({ paidBy: event.target.value as typeof choices.paidBy })}
                options={methodOptions()}
              />
            </Field>
          )}
          {isAgreed(draft) && (
            <Field
              label={m.bookings_price_reason()}
              required
              className="sm:col-span-3"
              error={entryProblem(draft.error, 'priceReason')}
            >
              <TextInput
                maxLength={200}
                value={choices.priceReason}
                onChange={(event) => draft.set({ priceReason: event.target.value })}
              />
            </Field>
          )}
        </>
      )}
    </div>
  )
}

/** Whether another price was typed than the seats cost. */
export const isAgreed = ({ total, listMinor }: BookingDraft): boolean => total !== listMinor

/** A code is asked for when the field is left: half a code is none. */
export function DiscountField({
  draft: { choices, discount, error, set },
}: {
  draft: FormDraft & { discount: DraftDiscount }
}) {
  const [typed, setTyped] = useState(choices.discountCode)
  const refusal = discount.error ?? error
  const problem = discount.error
    ? (entryProblem(discount.error, 'code') ?? refusalText(discount.error))
    : entryProblem(refusal, 'discountCode')
  const take = () => typed.trim() !== choices.discountCode && set({ discountCode: typed.trim(), totalMinor: null })
  return (
    <Field label={m.bookings_discount_code()} error={problem}>
      <TextInput
        maxLength={40}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => event.key === 'Enter' && take()}
      />
    </Field>
  )
}

function HoldTime({ draft: { choices, set, departure, offer, now, usualHoldMinutes } }: { draft: BookingDraft }) {
  if (!departure || !offer) return null
  const endOf = (minutes: number | null) => holdEnd(now, minutes ?? usualHoldMinutes, departure.startsAt)
  const ends = [null, ...holdTimes].map((minutes) => ({ value: String(minutes ?? ''), end: endOf(minutes) }))
  // beyond the start there is nothing to hold
  const offered = ends.filter(({ end }, at) => ends.findIndex((one) => one.end === end) === at)
  return (
    <Field label={m.bookings_hold_time()}>
      <Select
        value={offered.find(({ end }) => end === endOf(choices.holdMinutes))?.value}
        onChange={(event) => set({ holdMinutes: event.target.value === '' ? null : Number(event.target.value) })}
        options={offered
          .toSorted((a, b) => Date.parse(a.end) - Date.parse(b.end))
          .map(({ value, end }) => ({ value, label: formatMoment(end, offer.timeZone) }))}
      />
    </Field>
  )
}
