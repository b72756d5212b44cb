import type { SkippedLink } from '@tour-ops/contract/links/links'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { skipReason } from './link-labels.ts'

/** What an act on several links has done, where more is to be said of it than a count. */
export interface BulkResult {
  readonly title: string
  /** What links are by now that needed no change. */
  readonly state: 'active' | 'paused'
  readonly issued: readonly { readonly label: string; readonly address: string }[]
  readonly skipped: readonly SkippedLink[]
}

/** The new addresses, this once, and which links were skipped and why. */
export function BulkResultDialog({ result, onClose }: { result: BulkResult; onClose: () => void }) {
  const { title, issued, skipped, state } = result
  const lines = issued.map(({ label, address }) => `${label}\t${address}`).join('\n')
  return (
    <Dialog
      open
      dismissible={issued.length === 0}
      wide={issued.length > 0}
      onClose={onClose}
      title={title}
      actions={
        issued.length > 0 && (
          <Button variant="primary" onClick={() => void copyText(lines, m.links_copied())}>
            {m.links_copy()}
          </Button>
        )
      }
    >
      {issued.length > 0 && (
        <Field label={m.links_bulk_addresses()}>
          <TextArea
            readOnly
            value={lines}
            rows={Math.min(12, issued.length + 1)}
            onFocus={(event) => event.target.select()}
          />
        </Field>
      )}
      {skipped.length > 0 && (
        <>
          <p className="mt-3 font-medium text-ink-strong">{m.links_bulk_skipped({ count: skipped.length })}</p>
          <ul className="mt-1 grid gap-1">
            {skipped.map(({ id, label, reason }) => (
              <li key={id}>
                <bdi>{label}</bdi> – {skipReason(reason, state)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
