import { acceptAssignment, type FitReason } from '@tour-ops/contract/field-staff/assignments'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { fitReasonText } from './fit-labels.ts'
import { acceptRefusal, reasonsSince } from './fit-refusals.ts'

interface Offer {
  readonly id: string
  readonly version: number
}

export interface Accepting {
  readonly accept: (offer: Offer) => void
  readonly isPending: boolean
  /** The text of the refusal; null while the question shows it. */
  readonly refusal: string | null
  /** Asks the office why it accepts what breaks a rule by now. */
  readonly question: ReactNode
}

/** An offer with what speaks against it, as it was last known: a call that is under way, or fails for something else, does not change that. */
interface Asked extends Offer {
  readonly reasons: readonly FitReason[]
}

/** Says yes to an offer. Where that now breaks a rule, the office is asked for a reason, and anybody else sees the rule. */
export function useAccepting(onAccepted?: () => void): Accepting {
  const { can } = useAccess()
  const [asked, setAsked] = useState<Asked | null>(null)
  const accept = useCall(acceptAssignment, {
    onError: (error, { id, version }) => {
      const reasons = reasonsSince(error)
      if (reasons && can('departures:dispatch')) setAsked({ id, version, reasons })
    },
    onSuccess: () => {
      setAsked(null)
      onAccepted?.()
    },
  })
  const reasons = reasonsSince(accept.error)
  return {
    accept: (offer) => accept.mutate({ ...offer, overrideReason: null }),
    isPending: accept.isPending,
    refusal: asked ? null : acceptRefusal(accept.error),
    question: asked && (
      <ReasonDialog
        isRequired
        title={m.field_staff_override_accept()}
        text={
          <>
            <p>{m.field_staff_override_accept_text()}</p>
            <ul>
              {asked.reasons.map(fitReasonText).map((sentence) => (
                <li key={sentence} className="text-warn">
                  {sentence}
                </li>
              ))}
            </ul>
          </>
        }
        confirmLabel={m.field_staff_accept()}
        pending={accept.isPending}
        error={reasons ? null : accept.error}
        onClose={() => {
          setAsked(null)
          accept.reset()
        }}
        onConfirm={(overrideReason) => accept.mutate({ id: asked.id, version: asked.version, overrideReason })}
      />
    ),
  }
}
