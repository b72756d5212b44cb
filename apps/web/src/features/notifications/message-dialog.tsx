import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import {
  type Audience,
  guestAudience,
  guestVariables,
  sendGuestMessage,
  stopGuestMessage,
  testGuestMessage,
  usualVariables,
} from '@tour-ops/contract/notifications/guest-messages'
import {
  isOfDocument,
  listMessageTemplates,
  type ShippedTemplate,
} from '@tour-ops/contract/notifications/message-templates'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { useNow } from '../../ui/clock.ts'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { formatDayTime, formatLanguage, formatList, formatLocalTime, formatZone, viewerZone } from '../../ui/format.ts'
import { currentLocale, type Locale } from '../../ui/locale.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDebounced } from '../../ui/settled-value.ts'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { draftOf, type GuestDraft, isSameDraft, problemsOfDraft, textsOf } from './guest-draft.ts'
import { channelLabel } from './outbox-labels.tsx'
import { MessagePreview } from './message-preview.tsx'
import { SaveTemplate } from './save-template.tsx'
import { shippedTemplateLabel } from './template-labels.ts'
import { shownVariables, TextsEditor } from './texts-editor.tsx'
import { UnreachedGuests } from './unreached-guests.tsx'

/** Whom a message is for, before somebody widens or narrows it. */
export interface MeantGuests extends Pick<Audience, 'departureIds' | 'bookingIds'> {
  /** Offers to write only to guests who are aboard, and begins with that; without it this is not offered. */
  onlyAboard?: boolean | undefined
  /** What is sent to the one booking that was chosen. */
  documentId?: string | undefined
}

export interface MessageDialogProps {
  guests: MeantGuests
  /** The text to begin with. */
  template?: ShippedTemplate | undefined
  /** Who of those that were chosen is not among them. */
  note?: string | undefined
  onClose: () => void
}

/** "Write to these guests": a text in their languages, what each of them reads, and to how many it goes. See docs/screens.md, "Notifications". */
export function MessageDialog({ guests, template, note, onClose }: MessageDialogProps) {
  const { data, error, refetch } = useQuery(callQuery(listMessageTemplates, {}))
  if (data) {
    const first = data.shipped.find(({ key }) => key === template)
    return <LoadedMessage {...{ guests, note, onClose, templates: data }} begun={first ? draftOf(first.texts) : {}} />
  }
  return (
    <Dialog open wide onClose={onClose} title={m.notifications_write_title()}>
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Dialog>
  )
}

type Templates = Out<typeof listMessageTemplates>

interface LoadedMessageProps extends Pick<MessageDialogProps, 'note'> {
  guests: MeantGuests
  templates: Templates
  begun: GuestDraft
  onClose: () => void
}

const hourMs = 3_600_000

const isSameAudience = (one: unknown, other: Audience): boolean => JSON.stringify(one) === JSON.stringify(other)

function LoadedMessage({ guests, note, templates, begun, onClose }: LoadedMessageProps) {
  const [saved, setSaved] = useState(begun)
  const [draft, setDraft] = useState(begun)
  const [withUnconfirmed, setUnconfirmed] = useState(false)
  const [onlyAboard, setOnlyAboard] = useState(guests.onlyAboard ?? false)
  const [language, setLanguage] = useState<Locale>(currentLocale())
  const [at, setAt] = useState(0)
  const [chosen, setChosen] = useState<Readonly<Record<string, Locale>>>({})
  const [later, setLater] = useState<string | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const [areProblemsShown, setProblemsShown] = useState(false)
  const now = useNow(30_000)
  const { departureIds, bookingIds, documentId = null } = guests
  const audience: Audience = {
    departureIds,
    bookingIds,
    withUnconfirmed: withUnconfirmed && !onlyAboard,
    onlyAboard,
    documentId,
  }
  const languages = Object.entries(chosen).map(([bookingId, theirs]) => ({ bookingId, language: theirs }))
  const { data: meant, error } = useQuery({
    ...callQuery(guestAudience, { audience, languages }),
    placeholderData: (before, query) => (isSameAudience(query?.queryKey[1].audience, audience) ? before : undefined),
  })
  const texts = textsOf(draft)
  const problems = problemsOfDraft(draft)
  const [wrongLanguage] = Object.keys(problems) as Locale[]
  const shown = useDebounced(wrongLanguage === undefined ? texts : [])
  const count = meant?.count ?? 0
  const isByPhone = meant?.channels.some(({ channel }) => channel !== 'email') ?? false
  const position = Math.min(at, Math.max(0, count - 1))
  const stop = useCall(stopGuestMessage, {
    onSuccess: ({ stopped }) => toast(m.notifications_write_stopped({ count: stopped })),
    onError: (refused) => toast(refusalText(refused)),
  })
  const send = useCall(sendGuestMessage, {
    onSuccess: ({ id, count: sent }, { sendAt }) => {
      toast(
        sendAt === undefined
          ? m.notifications_write_sent({ count: sent })
          : m.notifications_write_planned({ count: sent, time: formatDayTime(sendAt) }),
        { label: m.ui_undo(), onPress: () => stop.mutate({ id }) },
      )
      onClose()
    },
  })
  const test = useCall(testGuestMessage, { onSuccess: ({ to }) => toast(m.notifications_write_tested({ to })) })
  const sendAt = later === null ? undefined : momentOfWall(later, viewerZone())
  const isPast = sendAt !== undefined && (sendAt === null || Date.parse(sendAt) <= now)
  const isChanged = !isSameDraft(draft, saved)
  const close = () => (isChanged ? setLeaving(true) : onClose())
  const check = (act: () => void) => {
    if (wrongLanguage === undefined) return act()
    setProblemsShown(true)
    setLanguage(wrongLanguage)
  }
  // chosen for somebody, who would read another language without a word
  const unwritten = Object.values(chosen).find(
    (theirs) =>
      !texts.some((text) => text.language === theirs) &&
      meant?.languages.some(({ language: read, count: readers }) => read === theirs && readers > 0),
  )
  const disabledReason =
    meant === undefined
      ? m.notifications_write_counting()
      : count === 0
        ? m.notifications_write_nobody()
        : texts.length === 0
          ? m.notifications_write_empty()
          : unwritten !== undefined
            ? m.notifications_write_language_missing({ language: formatLanguage(unwritten) })
            : isPast
              ? m.notifications_write_past()
              : undefined
  const failure = send.error ?? test.error ?? error
  return (
    <Dialog
      open
      wide
      onClose={close}
      locked={send.isPending}
      title={m.notifications_write_title()}
      description={
        meant &&
        m.notifications_write_to({
          guests: m.notifications_write_guests({ count: meant.pax }),
          tours: formatList(meant.tours),
        })
      }
      actions={
        <>
          {failure && (
            <p role="alert" className="w-full font-medium text-bad">
              {refusalText(failure)}
            </p>
          )}
          <Button
            className="me-auto"
            pending={test.isPending}
            // the reason is next to what sends
            disabled={disabledReason !== undefined}
            onClick={() => check(() => test.mutate({ audience, texts, languages, at: position }))}
          >
            {m.notifications_write_test()}
          </Button>
          <SaveTemplate draft={draft} own={templates.own} onCheck={check} onSaved={() => setSaved(draft)} />
          <Button
            variant="primary"
            pending={send.isPending}
            disabledReason={disabledReason}
            onClick={() => check(() => send.mutate({ audience, texts, languages, count, ...(sendAt && { sendAt }) }))}
          >
            {sendAt !== undefined
              ? m.notifications_write_plan({ count })
              : isByPhone
                ? m.notifications_write_send_messages({ count })
                : m.notifications_write_send({ count })}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 content-start gap-x-6 gap-y-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 content-start gap-4">
          <TemplateChoice
            templates={{
              ...templates,
              shipped: templates.shipped.filter(({ key }) => isOfDocument(key) === (documentId !== null)),
            }}
            onChoose={(chosen) => {
              setDraft(draftOf(chosen))
              setSaved(draftOf(chosen))
              if (!isChanged) return
              toast(m.notifications_write_replaced(), {
                label: m.ui_undo(),
                onPress: () => {
                  setDraft(draft)
                  setSaved(saved)
                },
              })
            }}
          />
          <TextsEditor
            draft={draft}
            onChange={setDraft}
            problems={areProblemsShown ? problems : {}}
            language={language}
            onLanguage={setLanguage}
            hasShort={isByPhone}
            variables={shownVariables(documentId === null ? usualVariables : guestVariables)}
            counts={Object.fromEntries((meant?.languages ?? []).map(({ language: key, count: of }) => [key, of]))}
          />
        </div>
        <div className="grid grid-cols-1 content-start gap-4">
          <MessagePreview
            {...{ audience, languages, count }}
            texts={shown}
            at={position}
            onAt={setAt}
            onLanguage={(bookingId, theirs) => {
              setChosen({ ...chosen, [bookingId]: theirs })
              setLanguage(theirs)
            }}
          />
          {note !== undefined && <Banner tone="info">{note}</Banner>}
          {meant && isByPhone && <ByChannel channels={meant.channels} />}
          {meant && <UnreachedGuests {...meant} />}
          {meant && later === null && meant.quiet.count > 0 && (
            <Banner tone="info">
              {m.notifications_write_quiet({ count: meant.quiet.count, time: formatLocalTime(meant.quiet.until) })}
            </Banner>
          )}
          {meant?.delivery === 'outbox' && <Banner tone="info">{m.notifications_outbox_no_mail_server()}</Banner>}
          <div className="grid gap-2">
            {guests.onlyAboard !== undefined && (
              <Checkbox
                className="coarse:min-h-11 coarse:items-center"
                label={m.notifications_write_only_aboard()}
                checked={onlyAboard}
                onChange={(event) => setOnlyAboard(event.target.checked)}
              />
            )}
            {departureIds.length > 0 && !onlyAboard && (
              <Checkbox
                className="coarse:min-h-11 coarse:items-center"
                label={m.notifications_write_unconfirmed()}
                checked={withUnconfirmed}
                onChange={(event) => setUnconfirmed(event.target.checked)}
              />
            )}
            <Checkbox
              className="coarse:min-h-11 coarse:items-center"
              label={m.notifications_write_later()}
              checked={later !== null}
              onChange={(event) => setLater(event.target.checked ? wallTimeOf(now + hourMs, viewerZone()) : null)}
            />
            {later !== null && (
              <Field
                label={m.notifications_write_when({ zone: formatZone(viewerZone()) })}
                hint={m.notifications_write_when_hint()}
              >
                <DateTimeInput value={later} onChange={setLater} />
              </Field>
            )}
          </div>
        </div>
      </div>
      <LeaveDialog open={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
    </Dialog>
  )
}

/** How many go by which channel, where not all are e-mails. */
const ByChannel = ({ channels }: Pick<Out<typeof guestAudience>, 'channels'>) => (
  <p className="num font-medium text-ink-strong">
    {channels
      .map(({ channel, count }) => m.notifications_write_by_channel({ channel: channelLabel(channel), count }))
      .join(' · ')}
  </p>
)

interface TemplateChoiceProps {
  templates: Templates
  onChoose: (texts: Templates['shipped'][number]['texts']) => void
}

/** What is chosen takes the place of what is written. */
function TemplateChoice({ templates: { shipped, own }, onChoose }: TemplateChoiceProps) {
  const choose = (key: string) => {
    const found = own.find(({ id }) => id === key) ?? shipped.find((each) => each.key === key)
    if (found) onChoose(found.texts)
  }
  return (
    <Field label={m.notifications_write_begin()}>
      <Select
        value=""
        placeholder={m.notifications_write_begin_with()}
        onChange={(event) => choose(event.target.value)}
        options={[
          ...own.map(({ id, name }) => ({ value: id, label: name })),
          ...shipped.map(({ key }) => ({ value: key, label: shippedTemplateLabel(key) })),
        ]}
      />
    </Field>
  )
}
