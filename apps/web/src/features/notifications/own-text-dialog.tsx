import type { AppError } from '@tour-ops/contract/errors'
import type { GuestText } from '@tour-ops/contract/notifications/guest-messages'
import { variableText } from '@tour-ops/contract/notifications/guest-messages'
import { type ReactNode, useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import type { Locale } from '../../ui/locale.ts'
import { type GuestDraft, isSameDraft, problemsOfDraft, textsOf } from './guest-draft.ts'
import { type ShownVariable, TextsEditor } from './texts-editor.tsx'

interface OwnTextDialogProps {
  title: string
  /** That is written first. */
  language: Locale
  /** As they are saved, and those to begin with. */
  own: GuestDraft
  starters: GuestDraft
  /** What a text may be. */
  check: Parameters<typeof problemsOfDraft>[1]
  variables: readonly ShownVariable[]
  /** Some readers are reached by phone. */
  hasShort?: boolean | undefined
  /** What is read where there is no text in a language. */
  noText: string
  /** Said of a text without the page of its reader; left out where there is none. */
  noLink?: string | undefined
  pending: boolean
  error: AppError | null
  onSave: (texts: GuestText[]) => void
  onClose: () => void
  /** What the reader sees. */
  children?: (language: Locale, draft: GuestDraft) => ReactNode
}

/** Texts of the organization in the place of those that come with the product, by language. */
export function OwnTextDialog(props: OwnTextDialogProps) {
  const { language: first, own, starters, check, noText, noLink, onSave, onClose } = props
  const opening = { ...own, [first]: own[first] ?? starters[first] }
  const [draft, setDraft] = useState<GuestDraft>(opening)
  const [language, setLanguage] = useState(first)
  const [areProblemsShown, setProblemsShown] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const problems = problemsOfDraft(draft, check)
  const [wrongLanguage] = Object.keys(problems) as Locale[]
  const isChanged = !isSameDraft(draft, own)
  // a text to begin with that nobody has touched is no work that could be lost
  const isTyped = isChanged && !isSameDraft(draft, opening)
  const keep = () => {
    if (wrongLanguage === undefined) return onSave(textsOf(draft))
    setProblemsShown(true)
    setLanguage(wrongLanguage)
  }
  const text = draft[language]
  return (
    <Dialog
      open
      wide
      onClose={() => (isTyped ? setLeaving(true) : onClose())}
      locked={props.pending}
      title={props.title}
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
            pending={props.pending}
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
          variables={props.variables}
          hasShort={props.hasShort}
        />
        {!text && (
          <div className="flex flex-wrap items-center gap-2">
            <p className="me-auto text-ink-2">{noText}</p>
            <Button onClick={() => setDraft({ ...draft, [language]: starters[language] })}>
              {m.notifications_rules_own_start()}
            </Button>
          </div>
        )}
        {text && noLink !== undefined && !text.body.includes(variableText('link')) && (
          <p className="text-warn">{noLink}</p>
        )}
        {props.error && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(props.error)}
          </p>
        )}
        {props.children?.(language, draft)}
      </div>
      <LeaveDialog open={isLeaving} onStay={() => setLeaving(false)} onLeave={onClose} />
    </Dialog>
  )
}
