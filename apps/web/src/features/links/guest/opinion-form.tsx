import type { SharedFeedback } from '@tour-ops/contract/links/shared-page'
import { Star } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'

export type Opinion = Omit<NonNullable<SharedFeedback['said']>, 'version'> & {
  /** Of what was said before; null for the first time. */
  version: number | null
}

export interface OpinionFormProps {
  said: SharedFeedback['said']
  guideName: string | null
  organization: string
  pending: boolean
  /** Said why it was not saved: the guest knows by now that somebody of the party was faster. */
  wasRefused: boolean
  onSend: (opinion: Opinion) => void
  /** Where something was said before. */
  onCancel: (() => void) | undefined
}

const stars = [1, 2, 3, 4, 5]
const points = Array.from({ length: 11 }, (_, at) => at)

/** Two ratings, a recommendation, and why; only the first is asked for. */
export function OpinionForm(props: OpinionFormProps) {
  const { said, guideName, organization, pending, wasRefused, onSend, onCancel } = props
  // As it was seen: what somebody else says meanwhile is not overwritten unread.
  const [seen] = useState(said)
  const [tour, setTour] = useState(said?.tourRating ?? null)
  const [guide, setGuide] = useState(said?.guideRating ?? null)
  const [nps, setNps] = useState(said?.nps ?? null)
  const [comment, setComment] = useState(said?.comment ?? '')
  const [isChecked, setChecked] = useState(false)
  const isMissing = isChecked && tour === null
  const send = () => {
    setChecked(true)
    if (tour === null) return
    const version = (wasRefused ? said : seen)?.version ?? null
    onSend({ version, tourRating: tour, guideRating: guide, nps, comment: comment.trim() || null })
  }
  return (
    <form
      className="grid gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) send()
      }}
    >
      <StarChoice
        label={m.links_opinion_tour()}
        value={tour}
        onChange={setTour}
        error={isMissing ? m.links_opinion_choose() : undefined}
      />
      {guideName !== null && (
        <StarChoice label={m.links_opinion_guide({ name: guideName })} value={guide} onChange={setGuide} />
      )}
      <Choice label={m.links_opinion_recommend({ organization })}>
        {(name) => (
          <>
            <div className="grid grid-cols-6 gap-1.5">
              {points.map((point) => (
                <label key={point} className="share-point">
                  <input
                    type="radio"
                    name={name}
                    className="share-radio"
                    checked={nps === point}
                    onChange={() => setNps(point)}
                  />
                  {point}
                </label>
              ))}
            </div>
            <p className="mt-1 flex justify-between gap-4 text-sm text-ink-2">
              <span>{m.links_opinion_not_at_all()}</span>
              <span>{m.links_opinion_by_all_means()}</span>
            </p>
          </>
        )}
      </Choice>
      <Field label={m.links_opinion_comment()}>
        <TextArea rows={4} value={comment} maxLength={2000} onChange={(event) => setComment(event.target.value)} />
      </Field>
      <div className="grid gap-2">
        <Button type="submit" size="lg" variant="primary" className="w-full" pending={pending}>
          {m.links_opinion_send()}
        </Button>
        {onCancel && (
          <Button size="lg" className="w-full" onClick={onCancel}>
            {m.ui_cancel()}
          </Button>
        )}
      </div>
    </form>
  )
}

interface StarChoiceProps {
  label: string
  value: number | null
  onChange: (stars: number) => void
  error?: string | undefined
}

/** One to five stars: a group of radio buttons, so that arrow keys and readers work as ever. */
function StarChoice({ label, value, onChange, error }: StarChoiceProps) {
  return (
    <Choice label={label} error={error}>
      {(name) => (
        <div className="flex gap-1">
          {stars.map((count) => (
            <label key={count} className="share-star" data-on={(value !== null && count <= value) || undefined}>
              <input
                type="radio"
                name={name}
                className="share-radio"
                aria-label={m.links_opinion_star({ count })}
                checked={value === count}
                onChange={() => onChange(count)}
              />
              <Star size={34} aria-hidden />
            </label>
          ))}
        </div>
      )}
    </Choice>
  )
}

interface ChoiceProps {
  label: string
  error?: string | undefined
  children: (name: string) => ReactNode
}

function Choice({ label, error, children }: ChoiceProps) {
  const name = useId()
  return (
    <fieldset aria-invalid={error !== undefined || undefined} aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1 font-medium text-ink-strong">{label}</legend>
      {children(name)}
      {error && (
        <p id={`${name}-error`} role="alert" className="mt-1 font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
