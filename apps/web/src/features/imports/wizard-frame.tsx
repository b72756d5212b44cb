import type { ImportSummary } from '@tour-ops/contract/imports/import-batch'
import { Check, FileSpreadsheet } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'

export const wizardSteps = ['file', 'columns', 'check', 'import'] as const
export type WizardStep = (typeof wizardSteps)[number]

const stepLabels: Record<WizardStep, () => string> = {
  file: m.imports_step_file,
  columns: m.imports_step_columns,
  check: m.imports_step_check,
  import: m.imports_step_import,
}

export interface WizardFrameProps {
  step: WizardStep
  /** The whole path is behind. */
  isDone?: boolean
  batch?: Pick<ImportSummary, 'fileName' | 'rows'> | undefined
  /** More about the file, after the rows. */
  detail?: string | undefined
  /** What will happen, at the start of the footer. */
  says: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The page around each step: title and file, the four steps, and a footer that says what will happen. */
export function WizardFrame({ step, isDone = false, batch, detail, says, actions, children }: WizardFrameProps) {
  return (
    <Page
      fill
      title={m.imports_title()}
      context={batch && <FileLine batch={batch} detail={detail} />}
      actions={<Steps step={step} isDone={isDone} />}
      footer={
        <footer className="sticky bottom-0 z-10 flex min-h-[60px] shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-4 py-2 lg:px-6">
          <div className="min-w-0 flex-1 basis-64 text-ink-2" role="status">
            {says}
          </div>
          {actions !== undefined && <div className="ms-auto flex flex-wrap items-center gap-3">{actions}</div>}
        </footer>
      }
    >
      {children}
    </Page>
  )
}

function FileLine({ batch, detail }: { batch: Pick<ImportSummary, 'fileName' | 'rows'>; detail: string | undefined }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <FileSpreadsheet size={16} className="shrink-0" aria-hidden />
      <span className="min-w-0 truncate">
        <bdi>{batch.fileName}</bdi> · {m.imports_rows({ count: batch.rows })}
        {detail !== undefined && ` · ${detail}`}
      </span>
    </span>
  )
}

function Steps({ step, isDone }: { step: WizardStep; isDone: boolean }) {
  const at = wizardSteps.indexOf(step)
  return (
    <ol aria-label={m.imports_steps()} className="flex items-center gap-2">
      {wizardSteps.map((each, place) => {
        const isPast = place < at || isDone
        const isNow = place === at && !isDone
        return (
          <li
            key={each}
            className="flex items-center gap-2 not-first:before:h-0.5 not-first:before:w-3 not-first:before:bg-line sm:not-first:before:w-7 data-[reached]:not-first:before:bg-brand"
            data-reached={place <= at || undefined}
            aria-current={isNow ? 'step' : undefined}
          >
            <span
              className={classNames(
                'num grid size-6 place-items-center rounded-full text-xs font-semibold',
                isPast && 'bg-brand-tint text-brand-strong',
                isNow && 'border-2 border-brand bg-surface text-ink-strong',
                !isPast && !isNow && 'border border-line bg-surface text-ink-2',
              )}
              aria-hidden
            >
              {isPast ? <Check size={14} strokeWidth={2.5} /> : formatNumber(place + 1)}
            </span>
            <span className={classNames('max-sm:sr-only', isNow ? 'font-semibold text-ink-strong' : 'text-ink-2')}>
              {stepLabels[each]()}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
