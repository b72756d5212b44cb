import { type CancellationStep, maxCancellationSteps } from '@tour-ops/contract/tours/cancellation-steps'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Field, NumberInput } from '../../ui/field.tsx'
import { problemsOf } from '../../ui/form/form-errors.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { TourForm } from './tour-values.ts'

/** What the first steps say, until somebody changes them. */
const usualSteps = [
  { daysBefore: 14, refundPercent: 100 },
  { daysBefore: 7, refundPercent: 50 },
  { daysBefore: 1, refundPercent: 0 },
]

interface TypedStep {
  /** Of the row on screen. */
  readonly key: string
  readonly daysBefore: string
  readonly refundPercent: string
}

const typedOf = (steps: readonly CancellationStep[]): TypedStep[] =>
  steps.map(({ daysBefore, refundPercent }) => ({
    key: crypto.randomUUID(),
    daysBefore: String(daysBefore),
    refundPercent: String(refundPercent),
  }))

const numberOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed))

/** How much goes back to guests who cancel, by how many days before. What is typed stays as typed. */
export function CancellationStepsField({ form }: { form: TourForm }) {
  'use no memo' // The form library changes its state object in place.
  const stored = useWatch({ control: form.control, name: 'cancellationSteps' }) ?? []
  const [typed, setTyped] = useState<readonly TypedStep[]>(() => typedOf(stored))
  const { errors, isSubmitted } = useFormState({ control: form.control })
  const problem = problemsOf({ cancellationSteps: errors.cancellationSteps })[0]?.message
  const change = (steps: readonly TypedStep[]) => {
    setTyped(steps)
    const values = steps.map((step) => ({
      daysBefore: numberOf(step.daysBefore),
      refundPercent: numberOf(step.refundPercent),
    }))
    form.setValue('cancellationSteps', values, { shouldDirty: true, shouldValidate: isSubmitted })
  }
  const set = (at: number, part: Partial<TypedStep>) =>
    change(typed.map((step, index) => (index === at ? { ...step, ...part } : step)))
  return (
    <fieldset className="col-span-full min-w-0" aria-describedby="cancellation-steps-hint">
      <legend className="lbl">{m.tours_cancellation_steps()}</legend>
      <ul className="grid gap-2">
        {typed.map((step, at) => (
          <li key={step.key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2 sm:max-w-md">
            <Field label={m.tours_days_before()}>
              <NumberInput
                min={0}
                max={365}
                value={step.daysBefore}
                onChange={(event) => set(at, { daysBefore: event.target.value })}
              />
            </Field>
            <Field label={m.tours_goes_back()}>
              <NumberInput
                min={0}
                max={100}
                unit="%"
                value={step.refundPercent}
                onChange={(event) => set(at, { refundPercent: event.target.value })}
              />
            </Field>
            <IconButton
              label={m.tours_remove_step({ number: at + 1 })}
              icon={Trash2}
              onClick={() => change(typed.filter((_, index) => index !== at))}
            />
          </li>
        ))}
      </ul>
      <p id="cancellation-steps-hint" className="py-1.5 text-xs text-ink-2">
        {typed.length === 0 ? m.tours_no_steps() : m.tours_after_steps()}
      </p>
      {problem && (
        <p role="alert" className="pb-1.5 text-xs text-bad">
          {problem}
        </p>
      )}
      <Button
        size="sm"
        icon={Plus}
        disabled={typed.length >= maxCancellationSteps}
        onClick={() => change(typed.length === 0 ? typedOf(usualSteps) : [...typed, nextOf(typed)])}
      >
        {m.tours_add_step()}
      </Button>
    </fieldset>
  )
}

/** Below the last one. */
function nextOf(typed: readonly TypedStep[]): TypedStep {
  const last = typed.at(-1)
  const days = Math.max(0, Math.floor(numberOf(last?.daysBefore ?? '')) - 1)
  return { key: crypto.randomUUID(), daysBefore: Number.isNaN(days) ? '' : String(days), refundPercent: '0' }
}
