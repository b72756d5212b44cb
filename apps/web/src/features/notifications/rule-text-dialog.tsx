import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { variableText } from '@tour-ops/contract/notifications/guest-messages'
import {
  getRuleTexts,
  previewRuleText,
  ruleTextsOf,
  saveRuleTexts,
  shouldNameLink,
  variablesOf,
} from '@tour-ops/contract/notifications/guest-rule-texts'
import type { GuestEvent } from '@tour-ops/contract/notifications/guest-rules'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { formatList } from '../../ui/format.ts'
import type { Locale } from '../../ui/locale.ts'
import { useDebounced } from '../../ui/settled-value.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftOf, type GuestDraft, isSameDraft, problemsOfDraft, textsOf } from './guest-draft.ts'
import { LinkedText } from '../../records/linked-text.tsx'
import { kindLabel } from './outbox-labels.tsx'
import { TextsEditor, variableLabel } from './texts-editor.tsx'

interface RuleTextDialogProps {
  event: GuestEvent
  /** That is written first. */
  language: Locale
  onClose: () => void
}

/** What guests read of an event, as the organization writes it itself. See docs/screens.md, "Notifications". */
export function RuleTextDialog(props: RuleTextDialogProps) {
  const { event, onClose } = props
  const { data, error, isFetching, refetch } = useQuery(callQuery(getRuleTexts, { event }))
  const [known, setKnown] = useState<typeof data>()
  // what is typed belongs to the version that was read when it was begun
  if (data && !isFetching && !known) setKnown(data)
  if (known) return <LoadedTexts {...props} known={known} />
  return (
    <Dialog open wide onClose={onClose} title={kindLabel(event)}>
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Dialog>
  )
}

interface LoadedTextsProps extends RuleTextDialogProps {
  known: Out<typeof getRuleTexts>
}

function LoadedTexts({ event, language: first, known, onClose }: LoadedTextsProps) {
  const own = draftOf(known.own)
  const starters = draftOf(known.starters)
  const [draft, setDraft] = useState<GuestDraft>({ ...own, [first]: own[first] ?? starters[first] })
  const [language, setLanguage] = useState(first)
  const [areProblemsShown, setProblemsShown] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const save = useCall(saveRuleTexts, {
    onSuccess: () => {
      toast(m.notifications_rules_own_saved())
      onClose()
    },
  })
  const problems = problemsOfDraft(draft, ruleTextsOf(event))
  const [wrongLanguage] = Object.keys(problems) as Locale[]
  const texts = textsOf(draft)
  const isChanged = !isSameDraft(draft, own)
  // a text to begin with that nobody has touched is no work that could be lost
  const isTyped = isChanged && !isSameDraft(draft, { ...own, [first]: own[first] ?? starters[first] })
  const keep = () => {
    if (wrongLanguage === undefined) return save.mutate({ event, version: known.version, texts })
    setProblemsShown(true)
    setLanguage(wrongLanguage)
  }
  const text = draft[language]
  return (
    <Dialog
      open
      wide
      onClose={() => (isTyped ? setLeaving(true) : onClose())}
      locked={save.isPending}
      title={kindLabel(event)}
      description={m.notifications_rules_own_title()}
      actions={
        <>
          {text && (
            <Button variant="ghost" className="me-auto" onClick={() => setDraft({ ...draft, [language]: undefined })}>
              {m.notifications_rules_own_back()}
            </Button>
          )}
          <Button
            variant="primary"
            pending={save.isPending}
            disabledReason={isChanged ? undefined : m.notifications_rules_own_unchanged()}
            onClick={keep}
          >
            {m.notifications_template_save()}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextsEditor
          draft={draft}
          onChange={setDraft}
          problems={areProblemsShown ? problems : {}}
          language={language}
          onLanguage={setLanguage}
          variables={variablesOf(event)}
          hasShort
        />
        {!text && (
          <div className="flex flex-wrap items-center gap-2">
            <p className="me-auto text-ink-2">{m.notifications_rules_own_none()}</p>
            <Button onClick={() => setDraft({ ...draft, [language]: starters[language] })}>
              {m.notifications_rules_own_start()}
            </Button>
          </div>
        )}
        {text && shouldNameLink(event) && !text.body.includes(variableText('link')) && (
          <p className="text-warn">{m.notifications_rules_own_no_link()}</p>
        )}
        {save.error && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(save.error)}
          </p>
        )}
        <OwnPreview event={event} language={language} draft={draft} />
      </div>
      <LeaveDialog open={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
    </Dialog>
  )
}

interface OwnPreviewProps {
  event: GuestEvent
  language: Locale
  draft: GuestDraft
}

/** What is typed, with the data of the next booking; while it cannot be sent, what could be last. */
function OwnPreview({ event, language, draft }: OwnPreviewProps) {
  const typed = textsOf({ [language]: draft[language] })
  const texts = useDebounced(ruleTextsOf(event).safeParse(typed).success ? typed : null)
  const { data, isPlaceholderData } = useQuery({
    ...callQuery(previewRuleText, { event, language, texts: texts ?? [] }),
    enabled: texts !== null,
    placeholderData: (before) => before,
  })
  const message = data?.message
  if (!message) return null
  return (
    <section aria-label={m.notifications_rules_reads()} className="rounded-lg border border-line">
      <h3 className="border-b border-line px-3 py-2 font-semibold">{m.notifications_rules_reads()}</h3>
      <div
        lang={language}
        aria-busy={isPlaceholderData}
        className="px-3 py-2 leading-6 text-ink-strong aria-busy:opacity-60"
      >
        <p className="pb-2 font-semibold break-words">{message.subject}</p>
        <p className="break-words whitespace-pre-line">
          <LinkedText text={message.body} />
        </p>
      </div>
      {message.missing.length > 0 && (
        <p className="border-t border-line px-3 py-2 text-warn">
          {m.notifications_write_missing({ what: formatList(message.missing.map(variableLabel)) })}
        </p>
      )}
    </section>
  )
}
