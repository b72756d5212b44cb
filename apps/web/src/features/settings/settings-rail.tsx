import { useQuery } from '@tanstack/react-query'
import { listAudit } from '@tour-ops/contract/audit/audit'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { formatDate } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { wordsOf } from './setting-control.tsx'
import { pastChanges, type SettingSection, type SettingsObject, valueAt } from './settings-model.ts'
import type { SettingsWork } from './use-settings.ts'

interface RailProps {
  sections: readonly SettingSection[]
}

/** What was changed and not saved, each with a way back. */
export function ChangeList({ work, sections }: RailProps & { work: SettingsWork }) {
  const { changes, stored } = work
  const fields = sections.flatMap((section) => section.fields).filter(({ path }) => path in changes)
  if (fields.length === 0 || !stored) return null
  return (
    <section aria-labelledby="changes-title">
      <h2 id="changes-title" className="mb-2 flex items-center gap-2 font-semibold">
        <span className="dot bg-brand" aria-hidden />
        {m.settings_unsaved({ count: fields.length })}
      </h2>
      <ul className="card divide-y divide-line">
        {fields.map((field) => (
          <li key={field.path} className="flex items-center gap-2 py-2 ps-3 pe-1">
            <span className="min-w-0 flex-1 break-words">
              {field.label()}
              <span className="block">
                <s className="text-ink-2">{wordsOf(field, valueAt(stored.settings, field.path))}</s>{' '}
                <b className="text-ink-strong">{wordsOf(field, changes[field.path] ?? null)}</b>
              </span>
            </span>
            <IconButton
              small
              label={m.settings_undo({ name: field.label() })}
              icon={RotateCcw}
              iconSize={15}
              onClick={() => work.undo(field.path)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Lines that are shown at first. */
const shortHistory = 5

/** Who changed what on this page, for those who may read the audit log. */
export function SettingsHistory({ sections, defaults }: RailProps & { defaults: SettingsObject | undefined }) {
  const mayRead = useAccess().can('audit:read')
  const [isLong, setLong] = useState(false)
  const { data } = useQuery({
    ...callQuery(listAudit, { filters: { entityType: ['org_settings'] }, size: 100 }),
    enabled: mayRead,
  })
  if (!mayRead || !data) return null
  const fields = sections.flatMap((section) => section.fields)
  const all = pastChanges(data.rows, fields, defaults)
  const shown = isLong ? all : all.slice(0, shortHistory)
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title" className="mb-2 font-semibold">
        {m.settings_history()}
      </h2>
      {all.length === 0 ? (
        <p className="text-ink-2">{m.settings_history_empty()}</p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-xs">
          {shown.map((change) => (
            <li key={change.key} className="flex gap-3">
              <span className="num w-[76px] shrink-0">{formatDate(change.at)}</span>
              <span className="min-w-0 break-words text-ink-2">
                {m.settings_history_line({
                  name: change.actorName ?? m.settings_somebody(),
                  field: change.field.label(),
                  before: wordsOf(change.field, change.before),
                  after: wordsOf(change.field, change.after),
                })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {all.length > shown.length && (
        <button type="button" className="link mt-1.5" onClick={() => setLong(true)}>
          {m.settings_history_all({ count: all.length })}
        </button>
      )}
    </section>
  )
}
