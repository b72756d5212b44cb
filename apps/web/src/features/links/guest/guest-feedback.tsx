import { giveFeedback, type SharedFeedback } from '@tour-ops/contract/links/shared-page'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Stars } from '../../../records/stars.tsx'
import { Button } from '../../../ui/button.tsx'
import { loadLater, onIntent } from '../../../ui/load-later.tsx'
import type { Opinion, OpinionFormProps } from './opinion-form.tsx'
import { useGuestAct } from './use-guest-act.ts'

const OpinionForm = loadLater<OpinionFormProps>(async () => (await import('./opinion-form.tsx')).OpinionForm)

interface GuestFeedbackProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  feedback: SharedFeedback
  organization: string
}

/** "How was it?", once the tour is over: asked, or what the party has said with a way to change it. */
export function GuestFeedback({ token, isPreview, feedback, organization }: GuestFeedbackProps) {
  const { said, guideName } = feedback
  // What somebody types stays when another phone of the party is faster.
  const [isOpen, setOpen] = useState(said === null)
  const { mutate, isPending, error } = useGuestAct(
    token,
    (opinion: Opinion) => currentBackend().call(giveFeedback, { token, ...opinion }),
    (after) => ({ feedback: after }),
  )
  return (
    <section className="share-block" aria-labelledby="guest-feedback" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-feedback" className="mb-3 text-[20px] font-semibold text-ink-strong">
          {m.links_opinion_title()}
        </h2>
        {said === null || isOpen ? (
          <OpinionForm
            said={said}
            guideName={guideName}
            organization={organization}
            pending={isPending}
            wasRefused={error !== null}
            onSend={(opinion) => mutate(opinion, { onSuccess: () => setOpen(false) })}
            onCancel={said === null ? undefined : () => setOpen(false)}
          />
        ) : (
          <>
            <Stars rating={said.tourRating} size={28} />
            {said.comment !== null && (
              <p className="mt-2 break-words whitespace-pre-line">
                <bdi>{said.comment}</bdi>
              </p>
            )}
            <Button
              size="lg"
              icon={Pencil}
              className="mt-4 w-full"
              {...onIntent(OpinionForm)}
              onClick={() => setOpen(true)}
            >
              {m.links_opinion_change()}
            </Button>
          </>
        )}
        {error && (
          <p role="alert" className="mt-3 font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
        <p role="status" className="mt-3 text-ink-2">
          {said !== null && !isOpen && m.links_opinion_thanks({ organization })}
        </p>
      </fieldset>
    </section>
  )
}
