import { useQuery } from '@tanstack/react-query'
import {
  type Audience,
  type GuestText,
  type OwnLanguages,
  previewGuestText,
} from '@tour-ops/contract/notifications/guest-messages'
import { withLinkLine } from '@tour-ops/contract/notifications/link-line'
import { isPhoneChannel } from '@tour-ops/contract/notifications/phone-channels'
import { smsSize } from '@tour-ops/contract/notifications/sms-segments'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatList } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { type Locale, localeNames, locales } from '../../ui/locale.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { LinkedText } from '../../records/linked-text.tsx'
import { channelLabel } from './outbox-labels.tsx'
import { variableLabel } from './texts-editor.tsx'

/** Of the address of a guest's page: 32 bytes in base64url. */
const tokenLength = 43

/** As long as it is with the address of the guest's page, which is made when it leaves. */
const withPage = (body: string): string => withLinkLine(body, `${location.origin}/share/${'x'.repeat(tokenLength)}`)

interface MessagePreviewProps {
  audience: Audience
  /** Those that were chosen for this message. */
  languages: OwnLanguages
  onLanguage: (bookingId: string, language: Locale) => void
  /** Without what is wrong with them. */
  texts: readonly GuestText[]
  count: number
  at: number
  onAt: (at: number) => void
}

/** What one guest after the other reads, with their own data. */
export function MessagePreview({ audience, languages, onLanguage, texts, count, at, onAt }: MessagePreviewProps) {
  const { data, error, isPlaceholderData } = useQuery({
    ...callQuery(previewGuestText, { audience, texts: [...texts], languages, at }),
    enabled: texts.length > 0 && count > 0,
    placeholderData: (before) => before,
  })
  const message = texts.length > 0 ? data?.message : undefined
  return (
    <section aria-label={m.notifications_write_reads()} className="rounded-lg border border-line">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
        <h3 className="me-auto font-semibold">{m.notifications_write_reads()}</h3>
        {count > 1 && (
          <span className="flex items-center gap-1">
            <IconButton
              small
              label={m.notifications_write_previous()}
              icon={ChevronLeft}
              disabled={at === 0}
              onClick={() => onAt(at - 1)}
            />
            <span className="num text-ink-2">{m.notifications_write_of({ at: at + 1, count })}</span>
            <IconButton
              small
              label={m.notifications_write_next()}
              icon={ChevronRight}
              disabled={at >= count - 1}
              onClick={() => onAt(at + 1)}
            />
          </span>
        )}
      </header>
      {error && (
        <Banner tone="bad" role="alert">
          {refusalText(error)}
        </Banner>
      )}
      {!message && !error && <p className="px-3 py-3 text-ink-2">{m.notifications_write_reads_nothing()}</p>}
      {message && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : undefined}>
          <p className="truncate px-3 pt-2 text-ink-2">
            <bdi>{message.name}</bdi> · <Ltr>{message.to}</Ltr>
            {isPhoneChannel(message.channel) && <> · {channelLabel(message.channel)}</>} ·{' '}
            <Ltr>{message.bookingRef}</Ltr>
          </p>
          <Field label={m.notifications_write_reads_in()} className="max-w-[220px] px-3 pt-2">
            <Select
              value={languages.find(({ bookingId }) => bookingId === message.bookingId)?.language ?? message.language}
              onChange={(event) => onLanguage(message.bookingId, event.target.value as Locale)}
              options={locales.map((value) => ({ value, label: localeNames[value] }))}
            />
          </Field>
          <div lang={message.language} className="px-3 py-2 leading-6 text-ink-strong">
            {message.channel === 'email' && <p className="pb-2 font-semibold break-words">{message.subject}</p>}
            <p className="break-words whitespace-pre-line">
              <LinkedText text={message.body} />
            </p>
          </div>
          {message.channel === 'sms' && (
            <p className="num border-t border-line px-3 py-2 text-ink-2">
              {m.notifications_write_segments({ count: smsSize(withPage(message.body)).segments })}
            </p>
          )}
          {message.missing.length > 0 && (
            <p className="border-t border-line px-3 py-2 text-warn">
              {m.notifications_write_missing({ what: formatList(message.missing.map(variableLabel)) })}
            </p>
          )}
        </div>
      )}
    </section>
  )
}
