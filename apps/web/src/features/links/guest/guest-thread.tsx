import { maxThreadText } from '@tour-ops/contract/bookings/booking-thread'
import { type SharedThread, writeSharedMessage } from '@tour-ops/contract/links/shared-page'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { currentBackend } from '../../../backend/port.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Field, TextArea } from '../../../ui/field.tsx'
import { formatDayTime } from '../../../ui/format.ts'
import { useGuestAct } from './use-guest-act.ts'

interface GuestThreadProps {
  token: string
  /** A member looks: nothing can be pressed. */
  isPreview: boolean
  thread: SharedThread
  organization: string
  /** Of the tour. */
  timeZone: string
}

/** What the party and the office wrote to each other, and a place to write. */
export function GuestThread({ token, isPreview, thread, organization, timeZone }: GuestThreadProps) {
  const [body, setBody] = useState('')
  const { mutate, isPending, error } = useGuestAct(
    token,
    (text: string) => currentBackend().call(writeSharedMessage, { token, body: text }),
    (after) => ({ thread: after }),
  )
  const text = body.trim()
  return (
    <section className="share-block" aria-labelledby="guest-thread" aria-busy={isPending}>
      <fieldset className="contents" disabled={isPreview}>
        <h2 id="guest-thread" className="mb-3 text-[17px] font-semibold text-ink-strong">
          {m.links_thread_title()}
        </h2>
        <ul className="grid gap-3" aria-live="polite">
          {thread.messages.map(({ id, author, body: written, at }) => (
            <li key={id}>
              <p className="text-ink-2">
                <b className="font-semibold text-ink-strong">
                  {author === 'office' ? organization : m.links_thread_you()}
                </b>{' '}
                {formatDayTime(at, timeZone)}
              </p>
              <p className="break-words whitespace-pre-line">
                <bdi>{written}</bdi>
              </p>
            </li>
          ))}
        </ul>
        <form
          className="mt-3 grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (text !== '' && !isPending) mutate(text, { onSuccess: () => setBody('') })
          }}
        >
          <Field label={m.links_thread_write({ organization })}>
            <TextArea
              rows={3}
              value={body}
              maxLength={maxThreadText}
              onChange={(event) => setBody(event.target.value)}
            />
          </Field>
          <Button type="submit" size="lg" icon={Send} className="w-full" pending={isPending} disabled={text === ''}>
            {m.links_thread_send()}
          </Button>
        </form>
        {error && (
          <p role="alert" className="mt-3 font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
      </fieldset>
    </section>
  )
}
