import {
  maxBody,
  maxShort,
  maxSubject,
  type TextVariable,
  usualVariables,
  variableText,
} from '@tour-ops/contract/notifications/guest-messages'
import { useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { localeNames, locales, type Locale } from '../../ui/locale.ts'
import { Segments } from '../../ui/tabs.tsx'
import { emptyText, type DraftProblems, type DraftText, type GuestDraft } from './guest-draft.ts'

const variableLabels: Readonly<Record<TextVariable, () => string>> = {
  name: m.notifications_write_var_name,
  tour: m.notifications_write_var_tour,
  start: m.notifications_write_var_start,
  meeting_point: m.notifications_write_var_meeting_point,
  meeting_time: m.notifications_write_var_meeting_time,
  seats: m.notifications_write_var_seats,
  reference: m.notifications_write_var_reference,
  due: m.notifications_write_var_due,
  company: m.notifications_write_var_company,
  phone: m.notifications_write_var_phone,
  document: m.notifications_write_var_document,
  held_until: m.notifications_write_var_held_until,
  bring: m.notifications_write_var_bring,
  expected: m.notifications_write_var_expected,
  new_time: m.notifications_write_var_new_time,
  weather: m.notifications_write_var_weather,
  proposal: m.notifications_write_var_proposal,
  answer_by: m.notifications_write_var_answer_by,
  refund: m.notifications_write_var_refund,
  link: m.notifications_write_var_link,
}

export const variableLabel = (name: TextVariable): string => variableLabels[name]()

interface TextsEditorProps {
  draft: GuestDraft
  onChange: (draft: GuestDraft) => void
  problems: DraftProblems
  language: Locale
  onLanguage: (language: Locale) => void
  /** Somebody is reached by phone. */
  hasShort?: boolean | undefined
  /** Guests who read a language; none where nobody knows. */
  counts?: Readonly<Partial<Record<Locale, number>>> | undefined
  isReadOnly?: boolean | undefined
  /** What the texts may name. */
  variables?: readonly ShownVariable[] | undefined
}

/** Something that a text may name, and what it is called on the screen. */
export interface ShownVariable {
  readonly name: string
  readonly label: string
}

/** What texts to guests may name. */
export const shownVariables = (names: readonly TextVariable[]): ShownVariable[] =>
  names.map((name) => ({ name, label: variableLabel(name) }))

/** Subject and text in each language, with what a text may name. */
export function TextsEditor(props: TextsEditorProps) {
  const {
    draft,
    onChange,
    problems,
    language,
    onLanguage,
    hasShort,
    counts,
    isReadOnly,
    variables = shownVariables(usualVariables),
  } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const text = draft[language] ?? emptyText
  const change = (part: Partial<DraftText>) => onChange({ ...draft, [language]: { ...text, ...part } })
  const insert = (name: string) => {
    const { selectionStart: from, selectionEnd: to } = area.current ?? {
      selectionStart: text.body.length,
      selectionEnd: text.body.length,
    }
    const { body, caret } = insertAt(text.body, from, to, name)
    change({ body })
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(caret, caret)
    })
  }
  const wrong = problems[language]
  return (
    <div className="grid gap-3">
      <Segments
        label={m.notifications_write_language()}
        value={language}
        onChange={onLanguage}
        items={locales.map((key) => ({ key, label: languageLabel(key, counts?.[key]) }))}
      />
      <Field label={m.notifications_write_subject()} error={wrong?.subject} required>
        <TextInput
          lang={language}
          value={text.subject}
          readOnly={isReadOnly}
          maxLength={maxSubject}
          onChange={(event) => change({ subject: event.target.value })}
        />
      </Field>
      <Field label={m.notifications_write_text()} error={wrong?.body} required>
        <TextArea
          ref={area}
          lang={language}
          rows={9}
          value={text.body}
          readOnly={isReadOnly}
          maxLength={maxBody}
          onChange={(event) => change({ body: event.target.value })}
        />
      </Field>
      {(hasShort || Boolean(text.short)) && (
        <Field label={m.notifications_write_short()} hint={m.notifications_write_short_hint()} error={wrong?.short}>
          <TextArea
            lang={language}
            rows={3}
            value={text.short ?? ''}
            readOnly={isReadOnly}
            maxLength={maxShort}
            onChange={(event) => change({ short: event.target.value })}
          />
        </Field>
      )}
      {!isReadOnly && <Variables variables={variables} onInsert={insert} />}
    </div>
  )
}

interface VariablesProps {
  variables: readonly ShownVariable[]
  onInsert: (name: string) => void
}

const Variables = ({ variables, onInsert }: VariablesProps) => (
  <div role="group" aria-label={m.notifications_write_insert()} className="flex flex-wrap items-center gap-1.5">
    <span className="text-ink-2" aria-hidden>
      {m.notifications_write_insert()}
    </span>
    {variables.map(({ name, label }) => (
      <Button key={name} size="sm" onClick={() => onInsert(name)}>
        {label}
      </Button>
    ))}
  </div>
)

const languageLabel = (language: Locale, count: number | undefined): string =>
  count === undefined
    ? localeNames[language]
    : m.notifications_write_language_count({ language: localeNames[language], count })

/** Puts a name into a text instead of what is selected; the address of the guest's page gets a line of its own. */
function insertAt(body: string, from: number, to: number, name: string): { body: string; caret: number } {
  const [before, after] = [body.slice(0, from), body.slice(to)]
  const isAlone = name === 'link'
  const opening = isAlone && before !== '' && !before.endsWith('\n') ? '\n' : ''
  const closing = isAlone && after !== '' && !after.startsWith('\n') ? '\n' : ''
  const start = `${before}${opening}${variableText(name)}${closing}`
  return { body: `${start}${after}`, caret: start.length }
}
