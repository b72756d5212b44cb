import { useQuery } from '@tanstack/react-query'
import { type LinkReader, maxLinkNote, previewLinkMessage, sendLink } from '@tour-ops/contract/links/link-messages'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { withShownLink } from '../../records/shown-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { formatDayTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { useDebounced } from '../../ui/settled-value.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

export interface SendLinkDialogProps {
  /** Of the link. */
  id: string
  name: string
  onClose: () => void
}

/** To whom a link goes by message, with own words, and what they read. See docs/screens.md, "Shared links". */
export function SendLinkDialog({ id, name, onClose }: SendLinkDialogProps) {
  const [note, setNote] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const shownNote = useDebounced(note.trim())
  const { data, error, refetch } = useQuery({
    ...callQuery(previewLinkMessage, { id, note: shownNote }),
    placeholderData: (before) => before,
  })
  const send = useCall(sendLink, {
    onSuccess: ({ count }) => {
      toast(m.links_send_sent({ count }))
      onClose()
    },
  })
  const readers = data?.readers ?? []
  const chosen = readers.filter(({ key }) => !left.has(key))
  const [first] = chosen
  const toggle = (key: string, isChosen: boolean) =>
    setLeft(new Set(isChosen ? [...left].filter((one) => one !== key) : [...left, key]))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => send.mutate({ id, readers: chosen.map(({ key }) => key), note: note.trim() || null })}
      title={m.links_send_title({ name })}
      confirmLabel={m.links_send_confirm()}
      pending={send.isPending}
      disabledReason={
        data === undefined ? m.ui_loading() : chosen.length === 0 ? m.links_send_nobody_chosen() : undefined
      }
      error={send.error ? refusalText(send.error) : undefined}
    >
      <div className="grid gap-4">
        {error && !data && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows rows={4} />}
        {data && readers.length === 0 && <Banner tone="warn">{m.links_send_nobody()}</Banner>}
        {readers.length > 0 && (
          <fieldset>
            <legend className="lbl">{m.links_send_to()}</legend>
            <div className="grid gap-1">
              {readers.map((reader) => (
                <Checkbox
                  key={reader.key}
                  className="coarse:min-h-11 coarse:items-center"
                  label={<ReaderLabel reader={reader} />}
                  checked={!left.has(reader.key)}
                  onChange={(event) => toggle(reader.key, event.target.checked)}
                />
              ))}
            </div>
          </fieldset>
        )}
        <Field label={m.links_send_note()} hint={m.links_send_note_hint()}>
          <TextArea rows={3} maxLength={maxLinkNote} value={note} onChange={(event) => setNote(event.target.value)} />
        </Field>
        {first && <Preview reader={first} />}
        {data?.delivery === 'outbox' && <Banner tone="info">{m.links_send_no_mail_server()}</Banner>}
      </div>
    </ConfirmDialog>
  )
}

const ReaderLabel = ({ reader: { name, to, sentAt } }: { reader: LinkReader }) => (
  <span>
    <bdi>{name}</bdi> · <Ltr>{to}</Ltr>
    {sentAt !== null && (
      <span className="block text-ink-2">{m.links_send_before({ time: formatDayTime(sentAt) })}</span>
    )}
  </span>
)

/** What one of them reads; the address is made when the message leaves. */
const Preview = ({ reader: { channel, language, subject, body } }: { reader: LinkReader }) => (
  <section aria-label={m.links_send_preview()} className="rounded-lg border border-line px-3 py-2">
    <h3 className="pb-1 font-semibold">{m.links_send_preview()}</h3>
    <div lang={language} className="leading-6 text-ink-strong">
      {channel === 'email' && <p className="pb-2 font-semibold break-words">{subject}</p>}
      <p className="break-words whitespace-pre-line">{withShownLink(body)}</p>
    </div>
  </section>
)
