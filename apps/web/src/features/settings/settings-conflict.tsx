import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { wordsOf } from './setting-control.tsx'
import { type SettingSection, valueAt } from './settings-model.ts'
import type { SettingsWork } from './use-settings.ts'

/** Both versions of what two people changed at once, and the choice. See docs/screens.md, "Settings". */
export function SettingsConflict({ work, sections }: { work: SettingsWork; sections: readonly SettingSection[] }) {
  const { conflict, changes } = work
  if (!conflict) return null
  const fields = sections.flatMap((section) => section.fields).filter(({ path }) => conflict.paths.includes(path))
  return (
    <Dialog
      open
      wide
      onClose={work.takeTheirs}
      title={m.settings_conflict_title()}
      description={m.settings_conflict_text()}
      actions={
        <>
          <Button onClick={work.takeTheirs}>{m.settings_conflict_theirs()}</Button>
          <Button variant="primary" onClick={() => void work.keepMine()}>
            {m.settings_conflict_mine()}
          </Button>
        </>
      }
    >
      <table className="plain-table w-full">
        <thead>
          <tr>
            <th scope="col">{m.settings_conflict_field()}</th>
            <th scope="col">{m.settings_conflict_yours()}</th>
            <th scope="col">{m.settings_conflict_now()}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field.path}>
              <th scope="row">{field.label()}</th>
              <td>{wordsOf(field, changes[field.path] ?? null)}</td>
              <td>{wordsOf(field, valueAt(conflict.theirs.settings, field.path))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
