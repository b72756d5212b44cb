import { balanceOf } from '@tour-ops/contract/bookings/cancellation'
import type { ReactNode } from 'react'
import { entryProblem } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { MoneyInput } from '../../ui/form/money-input.tsx'
import { formatDay, formatLocalTime, formatMoney } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { contactIn } from './booking-edit.ts'
import { unitCount } from './booking-labels.ts'
import { Line } from './booking-summary.tsx'
import { FeeFields } from './cancellation-fee.tsx'
import { DiscountField } from './price-fields.tsx'
import { TellContact } from './tell-guest.tsx'
import type { BookingEdit } from './use-booking-edit.ts'

/** What the booking costs, and why. */
export function EditedPrice({ edit }: { edit: BookingEdit }) {
  const { booking, choices, set, total, computedMinor, thereMinor, givenUp } = edit
  const { currency } = booking
  const isOther = total !== computedMinor
  return (
    <>
      {typeof thereMinor === 'number' && (
        <Checkbox
          className="coarse:min-h-11 coarse:items-center"
          label={m.bookings_move_at_price_there()}
          checked={choices.atPriceThere}
          onChange={(event) => set({ atPriceThere: event.target.checked, totalMinor: null })}
        />
      )}
      {thereMinor === null && <p className="text-ink-2">{m.bookings_move_no_price_there()}</p>}
      {givenUp && (
        <FeeFields
          fee={givenUp.fee}
          rule={givenUp.rule}
          isByRule={booking.departureStatus !== 'cancelled'}
          atMostMinor={givenUp.minor}
          currency={currency}
          error={edit.error}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-[160px_160px_minmax(0,1fr)]">
        <DiscountField key={booking.version} draft={edit} />
        <Field
          label={m.bookings_total()}
          hint={isOther ? m.bookings_list_price({ amount: formatMoney(computedMinor, currency) }) : undefined}
          error={typeof total === 'string' ? m.bookings_no_amount() : entryProblem(edit.error, 'amountTotalMinor')}
        >
          <MoneyInput
            currency={currency}
            value={total}
            onChange={(entry) => set({ totalMinor: entry === computedMinor ? null : entry })}
          />
        </Field>
        <Field label={m.bookings_price_reason()} required={isOther} error={entryProblem(edit.error, 'priceReason')}>
          <TextInput
            maxLength={200}
            value={choices.priceReason}
            onChange={(event) => set({ priceReason: event.target.value })}
          />
        </Field>
      </div>
      <Checkbox
        className="coarse:min-h-11 coarse:items-center"
        label={m.bookings_payment_agent_credit()}
        checked={choices.isOnAgentCredit}
        onChange={(event) => set({ isOnAgentCredit: event.target.checked })}
      />
    </>
  )
}

/** The total as it will be. */
export const totalText = ({ total, booking: { currency } }: BookingEdit): string =>
  typeof total === 'number' ? formatMoney(total, currency) : '–'

/** What it becomes and what that costs, next to the fields. */
export function EditSummary({ edit, children }: { edit: BookingEdit; children: ReactNode }) {
  const { booking, departure, tour, party, total, choices, offer } = edit
  if (!departure || !tour || !offer) return null
  const money = (minor: number) => formatMoney(minor, booking.currency)
  const { dueMinor, refundMinor } = balanceOf({
    ...booking,
    amountTotalMinor: typeof total === 'number' ? total : booking.amountTotalMinor,
    paymentStatus: choices.isOnAgentCredit
      ? 'agent_credit'
      : booking.paymentStatus === 'agent_credit'
        ? 'unpaid'
        : booking.paymentStatus,
  })
  return (
    <Card>
      <div className="grid gap-1 p-4">
        <Ltr className="text-xs text-ink-2">{departure.code}</Ltr>
        <b className="text-base font-semibold text-ink-strong">
          <Ltr>{formatLocalTime(departure.startTimeLocal)}</Ltr> {tour.name}
        </b>
        <span className="text-ink-2">{formatDay(departure.startsAt, offer.timeZone)}</span>
      </div>
      <dl className="grid gap-1.5 border-t border-line p-4">
        {party.units.map((unit) => (
          <Line key={unit.unitType} label={unitCount(unit)}>
            {null}
          </Line>
        ))}
        {edit.discount.code !== null && (
          <Line label={m.bookings_discount({ code: edit.discount.code })}>{money(0 - edit.discount.amountMinor)}</Line>
        )}
        {total !== booking.amountTotalMinor && (
          <Line label={m.bookings_edit_total_before()} quiet>
            {money(booking.amountTotalMinor)}
          </Line>
        )}
        <div className="flex justify-between gap-3 border-t border-line pt-2 text-base font-semibold text-ink-strong">
          <dt>{m.bookings_total()}</dt>
          <dd className="num">{totalText(edit)}</dd>
        </div>
        <Line label={m.bookings_edit_paid()}>{money(booking.amountPaidMinor)}</Line>
        {refundMinor > 0 ? (
          <Line label={m.bookings_edit_refund()}>
            <span className="text-warn">{money(refundMinor)}</span>
          </Line>
        ) : (
          <Line label={m.bookings_edit_due()}>{money(dueMinor)}</Line>
        )}
      </dl>
      <div className="border-t border-line p-4 empty:hidden">
        <TellContact
          event="booking_changed"
          booking={{
            ...booking,
            startsAt: departure.startsAt,
            contact: { ...booking.contact, ...contactIn(booking, choices) },
          }}
          checked={choices.isTold}
          onChange={(isTold) => edit.set({ isTold })}
        />
      </div>
      <div className="grid gap-2 border-t border-line p-4 max-lg:hidden">{children}</div>
    </Card>
  )
}
