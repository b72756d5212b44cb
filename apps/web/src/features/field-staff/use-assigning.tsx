import type { Out } from '@tour-ops/contract/callable'
import type { AppError } from '@tour-ops/contract/errors'
import {
  type AgainstPeople,
  createAssignment,
  offerAssignment,
  type suggestStaff,
} from '@tour-ops/contract/field-staff/assignments'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import type { StaffRole } from './crew-labels.ts'
import { fitReasonText } from './fit-labels.ts'
import { againstIn } from './fit-refusals.ts'

type Fit = Out<typeof suggestStaff>['fits'][number]

/** One person at once, or several who are asked until a moment. */
interface Wanted {
  readonly departureId: string
  readonly role: StaffRole
  readonly staffIds: readonly string[]
  readonly respondBy: string | null
}

interface AssigningOptions {
  readonly fits: readonly Fit[]
  readonly onAssigned: (staffId: string) => void
  readonly onOffered: (count: number) => void
}

export interface Assigning {
  /** Puts somebody on a departure at once. */
  readonly assign: (duty: Pick<Wanted, 'departureId' | 'role'>, staffId: string) => void
  /** Asks several; the first to accept gets it. */
  readonly offer: (duty: Pick<Wanted, 'departureId' | 'role'>, staffIds: readonly string[], respondBy: string) => void
  readonly assigningId: string | null
  readonly isOffering: boolean
  /** A refusal that the question about the reason does not show itself. */
  readonly error: AppError | null
  /** The question why a rule is overridden, while it is open. */
  readonly question: ReactNode
}

/** What the question about the reason is about. */
interface Asked {
  readonly wanted: Wanted
  /** As it was last known: a call that is under way, or fails for something else, says nothing about it. */
  readonly against: AgainstPeople
}

/** Assigns and asks people. Where that breaks a rule it asks why first; the server insists on the reason. */
export function useAssigning({ fits, onAssigned, onOffered }: AssigningOptions): Assigning {
  const [asked, setAsked] = useState<Asked | null>(null)
  const known = (staffIds: readonly string[]): AgainstPeople =>
    fits
      .filter((fit) => staffIds.includes(fit.staffId))
      .map(({ staffId, name, reasons }) => ({ staffId, name, reasons: reasons.filter(({ ok }) => !ok) }))
      .filter(({ reasons }) => reasons.length > 0)
  // What is known here may be older than what the server knows.
  const askIfAboutReason = (error: AppError, wanted: Wanted) => {
    if (!error.details.fieldIssues?.['overrideReason']) return
    // Somebody who was dropped on a row need not be among those who were suggested: the server knows more.
    setAsked({ wanted, against: againstIn(error) ?? known(wanted.staffIds) })
  }
  const assign = useCall(createAssignment, {
    onError: (error, { departureId, role, staffId }) =>
      askIfAboutReason(error, { departureId, role, staffIds: [staffId], respondBy: null }),
    onSuccess: (_, { staffId }) => {
      setAsked(null)
      onAssigned(staffId)
    },
  })
  const offer = useCall(offerAssignment, {
    onError: askIfAboutReason,
    onSuccess: ({ ids }) => {
      setAsked(null)
      onOffered(ids.length)
    },
  })
  const send = ({ departureId, role, staffIds, respondBy }: Wanted, overrideReason: string | null) => {
    const [staffId = ''] = staffIds
    if (respondBy === null) assign.mutate({ departureId, staffId, role, overrideReason })
    else offer.mutate({ departureId, staffIds: [...staffIds], role, respondBy, overrideReason })
  }
  const want = (wanted: Wanted) => {
    assign.reset()
    offer.reset()
    const against = known(wanted.staffIds)
    if (against.length > 0) setAsked({ wanted, against })
    else send(wanted, null)
  }
  const failure = assign.error ?? offer.error
  const isAboutReason = failure?.details.fieldIssues?.['overrideReason'] !== undefined
  return {
    assign: (duty, staffId) => want({ ...duty, staffIds: [staffId], respondBy: null }),
    offer: (duty, staffIds, respondBy) => want({ ...duty, staffIds, respondBy }),
    assigningId: assign.isPending ? assign.variables.staffId : null,
    isOffering: offer.isPending,
    error: asked || isAboutReason ? null : failure,
    question: asked && (
      <ReasonDialog
        isRequired
        title={asked.wanted.respondBy === null ? m.field_staff_override_assign() : m.field_staff_override_offer()}
        text={
          <ul className="grid gap-2">
            {asked.against.map(({ staffId, name, reasons }) => (
              <li key={staffId}>
                <b className="font-medium text-ink-strong">
                  <bdi>{name}</bdi>
                </b>
                {reasons.map((reason) => (
                  <span key={reason.reason} className="block text-warn">
                    {fitReasonText(reason)}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        }
        confirmLabel={
          asked.wanted.respondBy === null
            ? m.field_staff_override_assign_confirm()
            : m.field_staff_override_offer_confirm()
        }
        pending={assign.isPending || offer.isPending}
        error={isAboutReason ? null : failure}
        onClose={() => setAsked(null)}
        onConfirm={(reason) => send(asked.wanted, reason)}
      />
    ),
  }
}
