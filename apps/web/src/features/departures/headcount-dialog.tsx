import type { Departure } from '@tour-ops/contract/departures/departures'
import { type DepartureStop, recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import { Minus, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { presentCount } from './manifest-model.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'
import { useManifest } from './use-manifest.ts'

const reasons = {
  stays: m.departures_count_reason_stays,
  left: m.departures_count_reason_left,
  office: m.departures_count_reason_office,
  other: m.departures_count_reason_other,
} as const
type Reason = keyof typeof reasons

export interface HeadcountDialogProps {
  departure: Departure
  /** Where it is counted; where the group is now when left out. */
  stop?: DepartureStop | undefined
  onClose: () => void
  /** What the count was asked for, named on the button: "Start tour". */
  then?: { label: string; run: () => void } | undefined
  /** Continues without a count, by a reason. */
  onWithout?: (() => void) | undefined
}

/** How many are there? A number that differs from who is aboard needs a reason. See docs/domain.md, "Head counts". */
export function HeadcountDialog({ departure, stop, onClose, then, onWithout }: HeadcountDialogProps) {
  const { data: manifest } = useManifest(departure.id)
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState<Reason | null>(null)
  const [note, setNote] = useState('')
  const expected = manifest ? presentCount(manifest) : departure.counts.aboard
  const write = useDepartureWrite(recordHeadcount, ({ counted }) => {
    toast(m.departures_count_saved({ count: counted }))
    onClose()
    then?.run()
  })
  const counted = typed === '' ? null : Number(typed)
  const differs = counted !== null && counted !== expected
  const words = reason === null ? '' : reason === 'other' ? note.trim() : reasons[reason]()
  const problem =
    counted === null ? m.departures_count_first() : differs && words === '' ? m.departures_reason_first() : undefined
  const send = () =>
    counted !== null &&
    write.mutate({ departureId: departure.id, stopId: stop?.id ?? null, counted, reason: differs ? words : null })
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.departures_headcount_title()}
      description={stop ? `${stop.placeName} · ${departure.tourName}` : departure.tourName}
      locked={write.isPending}
      actions={
        <>
          {onWithout && (
            <Button variant="ghost" className="me-auto" onClick={onWithout}>
              {m.departures_without_count()}
            </Button>
          )}
          <Button variant="primary" pending={write.isPending} disabledReason={problem} onClick={send}>
            {then?.label ?? m.departures_count_save()}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <CountInput value={typed} expected={expected} onChange={setTyped} />
        {differs && (
          <>
            <Banner tone="bad" role="status" title={differenceText(counted - expected)}>
              {m.departures_count_differs_text()}
            </Banner>
            <RadioCards
              label={m.departures_count_reason()}
              columns={1}
              value={reason}
              onChange={setReason}
              options={(Object.keys(reasons) as Reason[]).map((value) => ({ value, label: reasons[value]() }))}
            />
            {reason === 'other' && (
              <Field label={m.departures_reason()} required>
                <TextArea value={note} maxLength={300} onChange={(event) => setNote(event.target.value)} />
              </Field>
            )}
          </>
        )}
        {write.error && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(write.error)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

const differenceText = (difference: number): string =>
  difference < 0
    ? m.departures_count_missing({ count: -difference })
    : m.departures_count_too_many({ count: difference })

interface CountInputProps {
  value: string
  expected: number
  onChange: (value: string) => void
}

/** A large number with − and +; the first press on + or − starts from who is aboard. */
function CountInput({ value, expected, onChange }: CountInputProps) {
  const id = useId()
  const step = (by: number) => onChange(String(Math.max(0, (value === '' ? expected : Number(value)) + by)))
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="lbl">
        {m.departures_counted_label()}
      </label>
      <div className="flex items-center justify-between gap-4">
        <IconButton
          label={m.ui_one_fewer({ what: m.departures_counted_label() })}
          icon={Minus}
          className="size-12 border border-ctl"
          onClick={() => step(-1)}
        />
        <span className="flex items-baseline gap-2">
          <input
            id={id}
            className="inp num h-14 w-24 text-center text-[32px] font-semibold"
            inputMode="numeric"
            pattern="\d*"
            autoComplete="off"
            maxLength={4}
            value={value}
            onChange={(event) => onChange(event.target.value.replaceAll(/\D/g, ''))}
          />
          <span className={expected === 0 ? 'text-ink-2' : 'num text-lg text-ink-2'}>
            {expected === 0 ? m.departures_count_nobody() : m.departures_count_of({ expected })}
          </span>
        </span>
        <IconButton
          label={m.ui_one_more({ what: m.departures_counted_label() })}
          icon={Plus}
          className="size-12 border border-ctl"
          onClick={() => step(1)}
        />
      </div>
    </div>
  )
}
