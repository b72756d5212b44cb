import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getSharedPage, giveFeedback, type SharedFeedback, type SharedPage } from '@tour-ops/contract/links/links'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Stars } from '../../../records/stars.tsx'
import { Button } from '../../../ui/button.tsx'
import { loadLater, onIntent } from '../../../ui/load-later.tsx'
import type { Opinion, OpinionFormProps } from './opinion-form.tsx'

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
  const [isChanging, setChanging] = useState(false)
  const { give, isPending, error } = useGiving(token, () => setChanging(false))
  return (
    <section className="share-block" aria-labelledby="guest-feedback" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-feedback" className="mb-3 text-[20px] font-semibold text-ink-strong">
          {m.links_opinion_title()}
        </h2>
        {said === null || isChanging ? (
          <OpinionForm
            said={said}
            guideName={guideName}
            organization={organization}
            pending={isPending}
            onSend={(opinion) => give({ ...opinion, version: said?.version ?? null })}
            onCancel={said === null ? undefined : () => setChanging(false)}
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
              onClick={() => setChanging(true)}
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
          {said !== null && !isChanging && m.links_opinion_thanks({ organization })}
        </p>
      </fieldset>
    </section>
  )
}

/** Writes what the party says, and shows what the office has then. */
function useGiving(token: string, onDone: () => void) {
  const cache = useQueryClient()
  const queryKey = [getSharedPage.name, token]
  const { mutate, error, isPending } = useMutation({
    mutationFn: (opinion: Opinion & { version: number | null }) =>
      currentBackend().call(giveFeedback, { token, ...opinion }),
    onSuccess: async (feedback) => {
      // An answer that is on its way may be from before.
      await cache.cancelQueries({ queryKey })
      cache.setQueryData<SharedPage>(queryKey, (page) => page && { ...page, feedback })
      onDone()
    },
    onError: () => void cache.invalidateQueries({ queryKey }),
  })
  return { give: mutate, error, isPending }
}
