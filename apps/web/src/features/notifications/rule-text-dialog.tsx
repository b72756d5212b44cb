import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
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
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatList } from '../../ui/format.ts'
import type { Locale } from '../../ui/locale.ts'
import { useDebounced } from '../../ui/settled-value.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftOf, type GuestDraft, textsOf } from './guest-draft.ts'
import { LinkedText } from '../../records/linked-text.tsx'
import { kindLabel } from './outbox-labels.tsx'
import { OwnTextDialog } from './own-text-dialog.tsx'
import { shownVariables, variableLabel } from './texts-editor.tsx'

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

function LoadedTexts({ event, language, known, onClose }: LoadedTextsProps) {
  const save = useCall(saveRuleTexts, {
    onSuccess: () => {
      toast(m.notifications_rules_own_saved())
      onClose()
    },
  })
  return (
    <OwnTextDialog
      title={kindLabel(event)}
      language={language}
      own={draftOf(known.own)}
      starters={draftOf(known.starters)}
      check={ruleTextsOf(event)}
      variables={shownVariables(variablesOf(event))}
      hasShort
      noText={m.notifications_rules_own_none()}
      noLink={shouldNameLink(event) ? m.notifications_rules_own_no_link() : undefined}
      pending={save.isPending}
      error={save.error}
      onSave={(texts) => save.mutate({ event, version: known.version, texts })}
      onClose={onClose}
    >
      {(shown, draft) => <OwnPreview event={event} language={shown} draft={draft} />}
    </OwnTextDialog>
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
