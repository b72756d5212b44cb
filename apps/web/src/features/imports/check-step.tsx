import { importUndoDays, type ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { applyImport, stopImport } from '@tour-ops/contract/imports/imports'
import { CircleX, Copy, Equal, PencilLine, Plus, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { formatNumber } from '../../ui/format.ts'
import { CheckGroup, type RowsShown } from './check-group.tsx'
import { DiscardButton } from './discard-button.tsx'
import { CorrectionsDialog } from './corrections-dialog.tsx'
import { MissingParties } from './missing-parties.tsx'
import { NewDepartures } from './new-departures.tsx'
import { RejectedDownload } from './rejected-download.tsx'
import { Bar, previewShare, ProgressCard } from './progress-card.tsx'
import { useBatchCall } from './use-batch-call.ts'
import { type CorrectionsEditor, useCorrections } from './use-corrections.ts'
import { type DuplicatesEditor, useDuplicates } from './use-duplicates.ts'
import { WizardFrame } from './wizard-frame.tsx'

interface Props {
  batch: ImportBatch
  onBack: () => void
  onImport: () => void
}

/** In the order of who needs a person first. */
const groups: readonly { shows: RowsShown; label: () => string; icon: LucideIcon; tone: string }[] = [
  { shows: 'reject', label: m.imports_rejected, icon: CircleX, tone: 'text-bad' },
  { shows: 'duplicates', label: m.imports_duplicates, icon: Copy, tone: 'text-warn' },
  { shows: 'warned', label: m.imports_warned, icon: TriangleAlert, tone: 'text-warn' },
  { shows: 'change', label: m.imports_changes, icon: PencilLine, tone: 'text-info' },
  { shows: 'add', label: m.imports_adds, icon: Plus, tone: 'text-ok' },
  { shows: 'unchanged', label: m.imports_unchanged, icon: Equal, tone: 'text-ink-2' },
]

/** What the file would change, before anything is written. */
export function CheckStep(props: Props) {
  const { counts } = props.batch
  const [last, setLast] = useState(counts)
  if (counts !== null && counts !== last) setLast(counts)
  // while rows are checked again, those of the check before stay, and with them the place in the list
  const shown = counts ?? last
  return shown === null ? <Checking {...props} /> : <Checked {...props} counts={shown} />
}

function Checking({ batch, onBack }: Props) {
  const stop = useBatchCall(stopImport, onBack)
  return (
    <WizardFrame
      step="check"
      batch={batch}
      says={m.imports_leave_check()}
      actions={
        <Button pending={stop.isPending} onClick={() => stop.mutate({ id: batch.id })}>
          {m.imports_stop_check()}
        </Button>
      }
    >
      <ProgressCard batch={batch} job="preview" />
    </WizardFrame>
  )
}

type Counts = NonNullable<ImportBatch['counts']>

function Checked({ batch, counts, onBack, onImport }: Props & { counts: Counts }) {
  const [{ show: shown = null }, setUrl] = useUrlState('/_dashboard/travelers/import/$id')
  const setShown = (show: RowsShown | null) => setUrl({ show: show ?? undefined })
  const apply = useBatchCall(applyImport, onImport)
  const stop = useBatchCall(stopImport)
  const duplicates = useDuplicates(batch)
  const corrections = useCorrections(batch)
  // the step is part of the address; a job that works on the rows changes nothing about what was typed
  const leaving = useUnsavedChanges(corrections.pending.length > 0, (now, next) => now['step'] !== next['step'])
  const isChecking = batch.progress !== null
  const writes = counts.add + counts.change
  return (
    <WizardFrame
      step="check"
      batch={batch}
      says={
        isChecking ? (
          m.imports_leave_check()
        ) : (
          <FooterText
            error={apply.error ?? duplicates.error ?? corrections.error}
            isChanged={duplicates.isChanged}
            isCorrected={corrections.pending.length > 0}
            counts={counts}
          />
        )
      }
      actions={
        isChecking ? (
          <Button pending={stop.isPending} onClick={() => stop.mutate({ id: batch.id })}>
            {m.imports_stop_check()}
          </Button>
        ) : (
          <>
            <Button onClick={onBack}>{m.imports_back()}</Button>
            <span id={corrections.footerId}>
              <MainAction
                batch={batch}
                writes={writes}
                duplicates={duplicates}
                corrections={corrections}
                isApplying={apply.isPending}
                onApply={() => apply.mutate({ id: batch.id, version: batch.version })}
              />
            </span>
          </>
        )
      }
    >
      <section
        id={corrections.rowsId}
        className="card flex min-h-0 flex-1 flex-col overflow-hidden"
        aria-label={m.imports_step_check()}
        aria-busy={isChecking || undefined}
      >
        {isChecking && <CheckingBar batch={batch} />}
        <div className="flex flex-wrap items-center gap-2 px-4 py-3">
          <div role="group" aria-label={m.imports_filter()} className="flex flex-wrap gap-2">
            <ChoiceChip pressed={shown === null} count={batch.rows} onClick={() => setShown(null)}>
              {m.imports_all_rows()}
            </ChoiceChip>
            {groups
              .filter(({ shows }) => shows !== 'duplicates' || counts.duplicates > 0)
              .map(({ shows, label, icon: Icon, tone }) => (
                <ChoiceChip key={shows} pressed={shown === shows} count={counts[shows]} onClick={() => setShown(shows)}>
                  <Icon size={15} strokeWidth={2.25} className={tone} aria-hidden />
                  {label()}
                </ChoiceChip>
              ))}
          </div>
          <span className="ms-auto flex flex-wrap gap-2">
            <CorrectionsButton batch={batch} corrections={corrections} />
            {counts.reject > 0 && <RejectedDownload batch={batch} count={counts.reject} />}
            {!isChecking && <DiscardButton batch={batch} />}
          </span>
        </div>
        <div className="min-h-0 flex-1 lg:overflow-y-auto">
          {shown === null && <NewDepartures batch={batch} />}
          {groups
            .filter(({ shows }) => (shown === null ? counts[shows] > 0 : shown === shows))
            .map(({ shows, label, icon, tone }) => (
              <CheckGroup
                key={`${batch.id} ${shows} ${shown}`}
                batch={batch}
                shows={shows}
                title={label()}
                icon={icon}
                tone={tone}
                count={counts[shows]}
                isAlone={shown !== null}
                note={noteOf(shows, counts)}
                duplicates={duplicates}
                corrections={corrections}
              />
            ))}
          {shown === null && <MissingParties batch={batch} />}
        </div>
      </section>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </WizardFrame>
  )
}

interface MainActionProps {
  batch: ImportBatch
  writes: number
  duplicates: DuplicatesEditor
  corrections: CorrectionsEditor
  isApplying: boolean
  onApply: () => void
}

/** Imports, or checks again where something was decided that the check on screen does not know. */
function MainAction({ writes, duplicates, corrections, isApplying, onApply }: MainActionProps) {
  const count = corrections.pending.length
  if (count > 0) {
    return (
      <Button variant="primary" pending={corrections.isSaving} onClick={corrections.check}>
        {m.imports_corrections_check({ count })}
      </Button>
    )
  }
  if (duplicates.isChanged) {
    return (
      <Button variant="primary" pending={duplicates.isChecking} onClick={duplicates.check}>
        {m.imports_duplicates_check()}
      </Button>
    )
  }
  if (writes === 0) return null
  return (
    <Button variant="primary" pending={isApplying} onClick={onApply}>
      {m.imports_import_rows({ count: writes })}
    </Button>
  )
}

/** How far the check is, above the rows of the one before. */
const CheckingBar = ({ batch }: { batch: ImportBatch }) => (
  <div className="px-4 pt-3">
    <p role="status">{m.imports_checking()}</p>
    <Bar label={m.imports_checking()} share={previewShare(batch)} />
  </div>
)

function CorrectionsButton({ batch, corrections }: { batch: ImportBatch; corrections: CorrectionsEditor }) {
  const [isOpen, setOpen] = useState(false)
  const count = batch.corrections + Object.keys(batch.mapping.words).length
  return (
    <>
      {count > 0 && (
        <Button icon={PencilLine} onClick={() => setOpen(true)}>
          {m.imports_corrections({ count })}
        </Button>
      )}
      <CorrectionsDialog
        batch={batch}
        corrections={corrections}
        open={isOpen && count > 0}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

interface FooterTextProps {
  error: Error | null
  isChanged: boolean
  isCorrected: boolean
  counts: Counts
}

/** What was decided about duplicates and cells is not in the check on screen yet: nothing is imported before the next. */
function FooterText({ error, isChanged, isCorrected, counts }: FooterTextProps) {
  if (error) return <b className="font-medium text-bad">{refusalText(error)}</b>
  if (isCorrected) return <b className="font-medium text-warn">{m.imports_corrections_unchecked()}</b>
  if (isChanged) return <b className="font-medium text-warn">{m.imports_duplicates_unchecked()}</b>
  return footerText(counts)
}

function footerText(counts: Counts): string {
  if (counts.add + counts.change > 0) return m.imports_check_footer({ days: formatNumber(importUndoDays) })
  return counts.unchanged > 0 ? m.imports_nothing_to_do() : m.imports_nothing_left()
}

function noteOf(shows: RowsShown, counts: Counts): string | undefined {
  if (shows === 'unchanged') return m.imports_left_as_they_are()
  if (shows === 'warned') return m.imports_warned_summary()
  if (shows !== 'add' || counts.add === 0) return undefined
  return m.imports_adds_summary({
    people: m.imports_people({ count: counts.guests }),
    bookings: m.imports_in_bookings({ count: counts.bookings }),
    departures: m.imports_on_departures({ count: counts.departures }),
  })
}
