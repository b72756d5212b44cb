import { useQuery } from '@tanstack/react-query'
import { answerThread, bookingThread, markThreadRead, maxThreadText } from '@tour-ops/contract/bookings/booking-thread'
import type { Booking } from '@tour-ops/contract/bookings/bookings'
import type { PhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { Mail, MailOpen, Send } from 'lucide-react'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatDayTime } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

/** What the party wrote on its page and the office answered, with a place to answer; where nobody has written, the office may begin. */
export function BookingThread({ booking: { id, contact } }: { booking: Booking }) {
  const { can } = useAccess()
  const { data } = useQuery(callQuery(bookingThread, { id }))
  const messages = data?.messages ?? []
  const seen = messages.at(-1)?.id
  if (seen === undefined) return data && can('bookings:manage') ? <Beginning id={id} /> : null
  const unread = messages.filter(({ isUnread }) => isUnread).length
  return (
    <section aria-labelledby="booking-thread" className="border-t border-line px-4 pt-4 pb-4 lg:px-6">
      <div className="flex items-center gap-2 pb-1">
        <h3 id="booking-thread" className="me-auto text-base font-semibold">
          {m.bookings_thread()}
        </h3>
        {unread > 0 && (
          <Chip tone="warn" icon={Mail}>
            {m.bookings_thread_unread({ count: unread })}
          </Chip>
        )}
      </div>
      <ul className="grid gap-3">
        {messages.map(({ id: messageId, author, writtenBy, channel, body, at, isUnread }) => (
          <li key={messageId}>
            <p className="text-ink-2">
              <b className={isUnread ? 'font-semibold text-ink-strong' : 'font-medium text-ink-strong'}>
                {author === 'guest' ? contact.name : (writtenBy ?? m.bookings_thread_office())}
              </b>{' '}
              {formatDayTime(at)}
              {channel !== null && <> · {answeredBy[channel]()}</>}
            </p>
            <p className="break-words whitespace-pre-line">
              <bdi>{body}</bdi>
            </p>
          </li>
        ))}
      </ul>
      {can('bookings:manage') && <AnswerForm id={id} seen={seen} hasUnread={unread > 0} />}
    </section>
  )
}

const answeredBy: Readonly<Record<PhoneChannel, () => string>> = {
  sms: m.bookings_thread_by_sms,
  whatsapp: m.bookings_thread_by_whatsapp,
}

/** A button first: most parties are not written to. */
function Beginning({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="booking-thread" className="border-t border-line px-4 pt-4 pb-4 lg:px-6">
      <div className="flex items-center gap-2">
        <h3 id="booking-thread" className="me-auto text-base font-semibold">
          {m.bookings_thread()}
        </h3>
        {!isOpen && (
          <Button size="sm" icon={Mail} onClick={() => setOpen(true)}>
            {m.bookings_thread_begin()}
          </Button>
        )}
      </div>
      {isOpen && <AnswerForm id={id} seen={null} hasUnread={false} />}
    </section>
  )
}

interface AnswerFormProps {
  id: string
  /** The last message on screen; null where nobody has written. */
  seen: string | null
  hasUnread: boolean
}

const answerTexts = {
  label: m.bookings_thread_answer,
  send: m.bookings_thread_send,
  sent: m.bookings_thread_answered,
  sentBy: {
    email: m.bookings_thread_answered_mail,
    sms: m.bookings_thread_answered_sms,
    whatsapp: m.bookings_thread_answered_whatsapp,
  },
}
const firstTexts = {
  label: m.bookings_thread_first,
  send: m.bookings_thread_send_first,
  sent: m.bookings_thread_sent,
  sentBy: {
    email: m.bookings_thread_sent_mail,
    sms: m.bookings_thread_sent_sms,
    whatsapp: m.bookings_thread_sent_whatsapp,
  },
}

function AnswerForm({ id, seen, hasUnread }: AnswerFormProps) {
  const [body, setBody] = useState('')
  const texts = seen === null ? firstTexts : answerTexts
  const answer = useCall(answerThread, {
    onSuccess: ({ sentBy }) => {
      setBody('')
      toast(sentBy === null ? texts.sent() : texts.sentBy[sentBy]())
    },
  })
  const mark = useCall(markThreadRead)
  const text = body.trim()
  const error = answer.error ?? mark.error
  return (
    <form
      className="mt-3 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '' && !answer.isPending) answer.mutate({ id, seen, body: text })
      }}
    >
      <Field label={texts.label()} hint={m.bookings_thread_answer_hint()}>
        <TextArea rows={2} value={body} maxLength={maxThreadText} onChange={(event) => setBody(event.target.value)} />
      </Field>
      {error && (
        <p role="alert" className="font-medium text-bad">
          {refusalText(error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" icon={Send} pending={answer.isPending} disabled={text === ''}>
          {texts.send()}
        </Button>
        {hasUnread && seen !== null && (
          <Button icon={MailOpen} pending={mark.isPending} onClick={() => mark.mutate({ id, seen })}>
            {m.bookings_thread_mark_read()}
          </Button>
        )}
      </div>
    </form>
  )
}
