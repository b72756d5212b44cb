import type { CancellationRule } from '@tour-ops/contract/bookings/cancellation'
import { useState } from 'react'
import { entryProblem } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatMoney } from '../../ui/format.ts'
import type { MinorEntry } from '../../ui/form/minor-of.ts'
import { MoneyInput } from '../../ui/form/money-input.tsx'

/** What is kept of seats that are given up, while somebody decides. */
export interface KeptFee {
  /** What is kept so far; what is no amount counts as what the rule says. Minor units. */
  readonly minor: number
  readonly entry: MinorEntry
  readonly reason: string
  readonly isOther: boolean
  /** What is wrong with the amount. */
  readonly amountProblem: string | undefined
  /** Why it cannot be saved yet. */
  readonly problem: string | undefined
  /** For the call. */
  readonly input: { feeMinor: number; feeReason: string | null }
  readonly setEntry: (entry: MinorEntry) => void
  readonly setReason: (reason: string) => void
}

/** @param proposedMinor By the rule of the tour; it counts until another amount is typed. */
export function useKeptFee(proposedMinor: number, atMostMinor: number): KeptFee {
  const [typed, setTyped] = useState<MinorEntry | undefined>()
  const [reason, setReason] = useState('')
  const entry = typed === undefined ? proposedMinor : (typed ?? 0)
  const minor = typeof entry === 'number' ? entry : proposedMinor
  const isOther = entry !== proposedMinor
  const amountProblem =
    typeof entry !== 'number' ? m.bookings_no_amount() : entry > atMostMinor ? m.bookings_fee_above() : undefined
  const lacksReason = isOther && reason.trim() === ''
  return {
    minor,
    entry,
    reason,
    isOther,
    amountProblem,
    problem: amountProblem ?? (lacksReason ? m.bookings_fee_reason_missing() : undefined),
    input: { feeMinor: minor, feeReason: (isOther && reason.trim()) || null },
    setEntry: setTyped,
    setReason,
  }
}

interface FeeFieldsProps {
  fee: KeptFee
  rule: CancellationRule
  /** Whether the rule counts: not where nothing of it is the guest's doing. */
  isByRule: boolean
  atMostMinor: number
  currency: string
  error: unknown
}

/** What the rule says, and what is kept. */
export function FeeFields({ fee, rule, isByRule, atMostMinor, currency, error }: FeeFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-[160px_minmax(0,1fr)]">
      <p className="sm:col-span-2">{isByRule ? ruleText(rule) : m.bookings_fee_free()}</p>
      <Field
        label={m.bookings_fee()}
        hint={m.bookings_fee_of({ amount: formatMoney(atMostMinor, currency) })}
        error={fee.amountProblem ?? entryProblem(error, 'feeMinor')}
      >
        <MoneyInput currency={currency} value={fee.entry} onChange={fee.setEntry} />
      </Field>
      {fee.isOther && (
        <Field label={m.bookings_fee_reason()} required error={entryProblem(error, 'feeReason')}>
          <TextInput maxLength={200} value={fee.reason} onChange={(event) => fee.setReason(event.target.value)} />
        </Field>
      )}
    </div>
  )
}

function ruleText({ daysBefore, refundPercent }: CancellationRule): string {
  if (refundPercent === null) return m.bookings_fee_no_rule()
  if (daysBefore < 0) return m.bookings_fee_rule_late({ percent: refundPercent })
  return daysBefore === 0
    ? m.bookings_fee_rule_today({ percent: refundPercent })
    : m.bookings_fee_rule({ count: daysBefore, percent: refundPercent })
}
