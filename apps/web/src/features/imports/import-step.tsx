import { Link } from '@tanstack/react-router'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { previewImport, stopImport } from '@tour-ops/contract/imports/imports'
import { CircleAlert, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatList, formatLocalDay, formatMoment, formatNumber, viewerZone } from '../../ui/format.ts'
import { DiscardButton } from './discard-button.tsx'
import { failureText } from './import-labels.ts'
import { MissingParties } from './missing-parties.tsx'
import { NewDepartures } from './new-departures.tsx'
import { KeptRejected } from './rejected-download.tsx'
import { RemainingGuests } from './remaining-guests.tsx'
import { Bar, CountsRow, Frame, Head, PhaseLine, phaseSays, ProgressCard } from './progress-card.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { useBatchCall } from './use-batch-call.ts'
import { WizardFrame } from './wizard-frame.tsx'

interface Props {
  batch: ImportBatch
  onCheckAgain: () => void
}

/** The import running, done, undone, or refused. */
export function ImportStep({ batch, onCheckAgain }: Props) {
  if (batch.progress) return <Running batch={batch} job={batch.progress.job === 'undo' ? 'undo' : 'apply'} />
  if (batch.status === 'applied') return <Done batch={batch} />
  if (batch.status === 'undone') return <Undone batch={batch} />
  return <Refused batch={batch} onCheckAgain={onCheckAgain} />
}

function Running({ batch, job }: { batch: ImportBatch; job: 'apply' | 'undo' }) {
  const stop = useBatchCall(stopImport)
  return (
    <WizardFrame
      step="import"
      batch={batch}
      says={m.imports_leave()}
      actions={
        <Button pending={stop.isPending} onClick={() => stop.mutate({ id: batch.id })}>
          {job === 'apply' ? m.imports_stop_import() : m.imports_stop_undo()}
        </Button>
      }
    >
      <div className="my-auto">
        <ProgressCard batch={batch} job={job} />
        {batch.counts && <CountsRow counts={batch.counts} />}
      </div>
    </WizardFrame>
  )
}

const another = () => (
  <Link to="/travelers/import" className={buttonClass({})}>
    {m.imports_another()}
  </Link>
)

/** Seconds for what took less than a minute; nobody counts the others. */
export function finishedText({ appliedAt, tookMs }: Pick<ImportBatch, 'appliedAt' | 'tookMs'>): string {
  const time = appliedAt === null ? '' : formatMoment(appliedAt, viewerZone())
  if (tookMs === null) return m.imports_finished({ time })
  return m.imports_finished_took({
    time,
    took: m.imports_seconds({ count: formatNumber(tookMs / 1000, tookMs < 10_000 ? 1 : 0) }),
  })
}

function Done({ batch }: { batch: ImportBatch }) {
  const [isAsking, setAsking] = useState(false)
  const { counts, undoUntil } = batch
  const written = counts ? counts.add + counts.change : 0
  return (
    <WizardFrame
      step="import"
      isDone
      batch={batch}
      says={undoUntil !== null ? m.imports_undo_until({ day: formatLocalDay(undoUntil) }) : m.imports_undo_over()}
      actions={
        <>
          {another()}
          {undoUntil !== null && (
            <Button icon={Undo2} onClick={() => setAsking(true)}>
              {m.imports_undo()}
            </Button>
          )}
          <Link
            to="/travelers/list"
            search={{ 'f.importBatchId': batch.id }}
            className={buttonClass({ variant: 'primary' })}
          >
            {m.imports_see({ count: written })}
          </Link>
        </>
      }
    >
      <div className="my-auto">
        <Frame>
          <Head title={m.imports_imported()} done={written} total={written} isDone />
          <Bar label={m.imports_imported()} share={1} isDone />
          <p className="num mt-2 flex justify-between gap-3 text-ink-2">
            <span>{finishedText(batch)}</span>
            <span>{m.imports_no_messages()}</span>
          </p>
          <ol className="-mx-6 mt-6">
            {(['seats', 'travelers', 'bookings', 'manifest'] as const).map((phase) => (
              <PhaseLine key={phase} state="done" says={phaseSays(batch, phase, 'done')} />
            ))}
          </ol>
        </Frame>
        {counts && <CountsRow counts={counts} />}
        <KeptRejected batch={batch} />
        <div className="card mt-4 overflow-hidden *:border-t-0 empty:hidden">
          <NewDepartures batch={batch} />
          <MissingParties batch={batch} />
        </div>
      </div>
      <UndoDialog batch={batch} open={isAsking} onClose={() => setAsking(false)} />
    </WizardFrame>
  )
}

/** Names that a list shows before it only counts. */
const maxShown = 20

function Undone({ batch }: { batch: ImportBatch }) {
  const kept = batch.keptBecauseEdited
  return (
    <WizardFrame
      step="import"
      isDone
      batch={batch}
      says={m.imports_same_twice()}
      actions={
        <>
          {another()}
          <Link to="/travelers/list" className={buttonClass({ variant: 'primary' })}>
            {m.imports_to_list()}
          </Link>
        </>
      }
    >
      <Frame>
        <h2 className="flex items-center gap-3 text-xl font-semibold tracking-tight">
          <Undo2 size={22} className="text-ink-2" aria-hidden />
          {m.imports_undone()}
        </h2>
        <p className="mt-2 pb-6">{m.imports_undone_text()}</p>
        {kept.length > 0 && (
          <div className="-mx-6 border-t border-line px-6 py-4">
            <p className="font-medium text-ink-strong">{m.imports_kept({ count: kept.length })}</p>
            <RemainingGuests people={kept.slice(0, maxShown)} more={Math.max(0, kept.length - maxShown)} />
          </div>
        )}
        <div className="-mx-6 empty:hidden">
          <NewDepartures batch={batch} />
        </div>
      </Frame>
    </WizardFrame>
  )
}

/** Lines that a sentence can name. */
const linesShown = 30

function Refused({ batch, onCheckAgain }: Props) {
  const preview = useBatchCall(previewImport, onCheckAgain)
  const isReadable = batch.status !== 'failed'
  const lines = batch.error?.lines.slice(0, linesShown).map(String) ?? []
  return (
    <WizardFrame
      step={isReadable ? 'import' : 'file'}
      batch={batch}
      says={isReadable ? m.imports_failed_title() : m.imports_unreadable_title()}
      actions={
        <>
          <DiscardButton batch={batch} />
          {another()}
          {isReadable && (
            <Button
              variant="primary"
              pending={preview.isPending}
              onClick={() => preview.mutate({ id: batch.id, version: batch.version })}
            >
              {m.imports_check_again()}
            </Button>
          )}
        </>
      }
    >
      <div className="m-auto w-full max-w-[640px] py-6">
        <Banner
          tone="bad"
          icon={CircleAlert}
          role="alert"
          framed
          title={isReadable ? m.imports_failed_title() : m.imports_unreadable_title()}
        >
          {batch.error && failureText(batch.error)}
          {lines.length > 0 && <p className="num mt-1">{m.imports_failed_lines({ lines: formatList(lines) })}</p>}
        </Banner>
      </div>
    </WizardFrame>
  )
}
