import { revealTraveler, type Traveler } from '@tour-ops/contract/travelers/travelers'
import { Lock } from 'lucide-react'
import { useEffect, useEffectEvent, useId, type ReactNode } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'

export interface Revealed {
  dateOfBirth: string | null
  medicalNote: string | null
}

interface CoveredFieldProps {
  traveler: Traveler
  field: 'medical' | 'date_of_birth'
  label: string
  onReveal: (facts: Revealed) => void
  /** The control itself, once the fact is uncovered. */
  children: ReactNode
  className?: string
}

/**
 * A fact in a form that stays covered until somebody asks for it; the server writes down who did. The control comes only then: while it is
 * not there, the form sends nothing about it, and the server keeps what it has.
 */
export function CoveredField({ traveler, field, label, onReveal, children, className }: CoveredFieldProps) {
  const labelId = useId()
  const reveal = useCall(revealTraveler)
  // Once the control is there: the form takes no value for a field that it does not have yet.
  const fill = useEffectEvent((facts: Revealed) => onReveal(facts))
  useEffect(() => {
    if (reveal.data) fill(reveal.data)
  }, [reveal.data])
  if (reveal.data) return children
  return (
    <div className={className} role="group" aria-labelledby={labelId}>
      <span id={labelId} className="lbl">
        {label}
      </span>
      <span className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
        <Lock size={15} aria-hidden />
        {m.travelers_hidden()}
        <Button
          size="sm"
          pending={reveal.isPending}
          onClick={() => reveal.mutate({ id: traveler.id, fields: [field] })}
        >
          {m.travelers_show()}
        </Button>
        <span className="text-xs">
          {reveal.error ? m.travelers_refused({ reason: refusalText(reveal.error) }) : m.travelers_views_recorded()}
        </span>
      </span>
    </div>
  )
}
