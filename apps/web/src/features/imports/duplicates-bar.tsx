import type { ImportRow } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import type { DuplicatesEditor } from './use-duplicates.ts'

/** Above the likely duplicates: all of them at once. */
export const DuplicatesBar = ({ editor }: { editor: DuplicatesEditor }) => (
  <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2">
    <p className="min-w-0 flex-1 basis-64 text-ink-2">{m.imports_duplicates_why()}</p>
    <Button onClick={() => editor.setAll('leave_out')}>{m.imports_duplicates_leave_out_all()}</Button>
    <Button onClick={() => editor.setAll('take')}>{m.imports_duplicates_take_all()}</Button>
  </div>
)

/** Whether one likely duplicate stays out. */
export function DuplicateChoiceBox({ editor, row }: { editor: DuplicatesEditor; row: ImportRow }) {
  const isLeftOut = editor.isLeftOut(row.line)
  return (
    <Checkbox
      label={m.imports_duplicate_leave_out()}
      aria-label={m.imports_duplicate_leave_out_line({ line: row.line, name: row.name })}
      checked={isLeftOut}
      disabled={editor.isFull && !isLeftOut}
      onChange={(event) => editor.setLeftOut(row.line, event.target.checked)}
    />
  )
}
