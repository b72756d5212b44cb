import type { Out } from '@tour-ops/contract/callable'
import {
  deleteMessageTemplate,
  listMessageTemplates,
  maxTemplateName,
  saveMessageTemplate,
} from '@tour-ops/contract/notifications/message-templates'
import { useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { currentLocale, localeNames, type Locale } from '../../ui/locale.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { draftOf, type GuestDraft, isSameDraft, problemsOfDraft, textsOf } from './guest-draft.ts'
import { SupplierTexts } from './supplier-texts.tsx'
import { shippedTemplateLabel } from './template-labels.ts'
import { TextsEditor } from './texts-editor.tsx'

type Answer = Out<typeof listMessageTemplates>
type Own = Answer['own'][number]

/** What is edited: a text of the office, a copy of one that comes with the product, or a new one. */
interface Chosen {
  readonly key: string
  readonly own?: Own
  readonly name: string
  readonly draft: GuestDraft
}

const newOne: Chosen = { key: 'new', name: '', draft: {} }

/** "What do we write?" The texts that the office keeps, and those that come with the product. See docs/screens.md, "Notifications". */
export function MessageTemplates() {
  const { data } = useScreenQuery(callQuery(listMessageTemplates, {}))
  const [key, setKey] = useState<string | null>(null)
  const [isChanged, setChanged] = useState(false)
  const [wanted, setWanted] = useState<string | null>(null)
  const leaving = useUnsavedChanges(isChanged)
  const { can } = useAccess()
  const mayChange = can('notifications:manage')
  const mayReadRules = can('settings:read')
  if (!data) return <SkeletonRows rows={6} />
  const entries = entriesOf(data)
  const shown = (key === newOne.key ? undefined : (entries.find((entry) => entry.key === key) ?? entries[0])) ?? newOne
  const go = (next: string | null) => {
    setChanged(false)
    setKey(next)
    setWanted(null)
  }
  const choose = (next: string) => (isChanged ? setWanted(next) : go(next))
  return (
    <div className="grid content-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
      <div className="grid content-start gap-4">
        <Card
          title={m.notifications_templates()}
          actions={
            mayChange && (
              <Button size="sm" onClick={() => choose(newOne.key)}>
                {m.notifications_template_new()}
              </Button>
            )
          }
          className="self-start"
        >
          <ul>
            {entries.map((entry) => (
              <li
                key={entry.key}
                className={classNames(
                  'border-t border-line',
                  entry.key === shown.key && 'bg-brand-tint shadow-[inset_3px_0_0_var(--brand)]',
                )}
              >
                <button
                  type="button"
                  className="min-h-14 w-full px-4 py-2 text-start"
                  aria-pressed={entry.key === shown.key}
                  onClick={() => choose(entry.key)}
                >
                  <b className="block truncate font-medium text-ink-strong">
                    <bdi>{entry.name}</bdi>
                  </b>
                  <span className="block text-ink-2">
                    {entry.own
                      ? textsOf(entry.draft)
                          .map(({ language }) => localeNames[language])
                          .join(' · ')
                      : m.notifications_template_shipped()}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </Card>
        {mayReadRules && <SupplierTexts />}
      </div>
      <TemplateEditor
        // what is typed belongs to the one that was chosen, in the state in which it was read
        key={`${shown.key} ${shown.own?.version ?? 0}`}
        chosen={shown}
        isReadOnly={!mayChange}
        onChanged={setChanged}
        onDone={go}
      />
      <LeaveDialog
        open={leaving.isAsking || wanted !== null}
        onStay={() => (wanted === null ? leaving.stay() : setWanted(null))}
        onLeave={() => {
          if (wanted === null) return leaving.leave()
          go(wanted)
        }}
      />
    </div>
  )
}

const entriesOf = ({ own, shipped }: Answer): Chosen[] => [
  ...own.map((template) => ({
    key: template.id,
    own: template,
    name: template.name,
    draft: draftOf(template.texts),
  })),
  ...shipped.map(({ key, texts }) => ({ key, name: shippedTemplateLabel(key), draft: draftOf(texts) })),
]

interface TemplateEditorProps {
  chosen: Chosen
  isReadOnly: boolean
  onChanged: (isChanged: boolean) => void
  /** @param key What is shown next; null: the first. */
  onDone: (key: string | null) => void
}

function TemplateEditor({ chosen, isReadOnly, onChanged, onDone }: TemplateEditorProps) {
  const { own } = chosen
  const [name, setName] = useState(chosen.name)
  const [draft, setDraft] = useState(chosen.draft)
  const [language, setLanguage] = useState<Locale>(currentLocale())
  const [areProblemsShown, setProblemsShown] = useState(false)
  const save = useCall(saveMessageTemplate, {
    onSuccess: ({ id }) => {
      toast(m.notifications_template_kept({ name: name.trim() }))
      onDone(id)
    },
  })
  const putBack = useCall(saveMessageTemplate, { onSuccess: ({ id }) => onDone(id) })
  const remove = useCall(deleteMessageTemplate, {
    onSuccess: () => {
      const texts = textsOf(chosen.draft)
      toast(m.notifications_template_deleted({ name: chosen.name }), {
        label: m.ui_undo(),
        onPress: () => putBack.mutate({ name: chosen.name, texts }),
      })
      onDone(null)
    },
  })
  const problems = problemsOfDraft(draft)
  const [wrongLanguage] = Object.keys(problems) as Locale[]
  const change = (next: { name?: string; draft?: GuestDraft }) => {
    const after = { name, draft, ...next }
    setName(after.name)
    setDraft(after.draft)
    onChanged(after.name !== chosen.name || !isSameDraft(after.draft, chosen.draft))
  }
  const keep = () => {
    if (wrongLanguage === undefined)
      return save.mutate({ ...(own && { id: own.id, version: own.version }), name: name.trim(), texts: textsOf(draft) })
    setProblemsShown(true)
    setLanguage(wrongLanguage)
  }
  const nameProblem = entryProblem(save.error, 'name')
  const failure = nameProblem === undefined ? (save.error ?? remove.error) : null
  return (
    <Card title={chosen.name || m.notifications_template_new()} className="self-start">
      <div className="grid gap-3 border-t border-line px-4 py-4">
        {!isReadOnly && (
          <Field label={m.notifications_template_name()} error={nameProblem} required>
            <TextInput
              value={name}
              maxLength={maxTemplateName}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
        )}
        <TextsEditor
          draft={draft}
          onChange={(next) => change({ draft: next })}
          problems={areProblemsShown ? problems : {}}
          language={language}
          onLanguage={setLanguage}
          isReadOnly={isReadOnly}
        />
        {failure && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(failure)}
          </p>
        )}
        {!isReadOnly && (
          <div className="flex flex-wrap justify-end gap-2">
            {own && (
              <Button
                variant="ghost"
                className="me-auto"
                pending={remove.isPending}
                onClick={() => remove.mutate({ id: own.id, version: own.version })}
              >
                {m.notifications_template_delete()}
              </Button>
            )}
            <Button
              variant="primary"
              pending={save.isPending}
              disabledReason={
                name.trim() === ''
                  ? m.notifications_template_unnamed()
                  : textsOf(draft).length === 0
                    ? m.notifications_write_empty()
                    : undefined
              }
              onClick={keep}
            >
              {own ? m.notifications_template_save() : m.notifications_template_keep_confirm()}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
