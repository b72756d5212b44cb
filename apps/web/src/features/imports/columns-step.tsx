import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { importPartyFields } from '@tour-ops/contract/imports/import-mapping'
import { previewImport } from '@tour-ops/contract/imports/imports'
import { ArrowRight } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatDate, formatList, formatNumber } from '../../ui/format.ts'
import { ColumnsTable } from './columns-table.tsx'
import { DiscardButton } from './discard-button.tsx'
import { failureText } from './import-labels.ts'
import { ReadingCards } from './reading-cards.tsx'
import { useBatchCall } from './use-batch-call.ts'
import { leftOutText, RawRows } from './raw-rows.tsx'
import { formText } from './reading-labels.ts'
import { useMapping } from './use-mapping.ts'
import { useReading } from './use-reading.ts'
import { WizardFrame } from './wizard-frame.tsx'

/** What keeps the file from being checked; the first thing there is. */
function openQuestion(batch: ImportBatch, used: ReadonlySet<string>): string | null {
  const asked = batch.columns.find((column) => column.question !== null)
  if (asked) return m.imports_needs_answer({ column: asked.header })
  if (!importPartyFields.some((field) => used.has(field))) return m.imports_needs_names()
  if (batch.amounts?.of === null && batch.mapping.amountsOf === null) {
    return m.imports_needs_amounts({ column: batch.amounts.column })
  }
  if (batch.needsDeparture && batch.mapping.departureCode === null) return m.imports_needs_departure()
  if (batch.refusedColumns.length > 0) {
    return m.imports_needs_permission({ columns: formatList(batch.refusedColumns.map((column) => `“${column}”`)) })
  }
  return null
}

/** Where each column goes; a question is answered in its row. */
export function ColumnsStep({ batch, onChecked }: { batch: ImportBatch; onChecked: () => void }) {
  const editor = useMapping(batch)
  const reader = useReading(batch)
  const preview = useBatchCall(previewImport, onChecked)
  const used = new Set<string>(Object.values(editor.mapping.columns))
  const question = openQuestion(batch, used)
  const error = editor.error ?? preview.error
  return (
    <WizardFrame
      step="columns"
      batch={batch}
      detail={formText(batch)}
      says={
        <>
          {m.imports_columns_used({ used: Object.keys(editor.mapping.columns).length, all: batch.columns.length })}{' '}
          {question !== null && <b className="font-medium text-warn">{question}</b>}
          {error && <b className="font-medium text-bad">{refusalText(error)}</b>}
        </>
      }
      actions={
        <>
          <DiscardButton batch={batch} />
          <Link to="/travelers/import" className={buttonClass({})}>
            {m.imports_back()}
          </Link>
          <Button
            variant="primary"
            pending={preview.isPending || editor.isSaving || reader.isReading}
            aria-disabled={question !== null || undefined}
            onClick={() => {
              if (question === null) preview.mutate({ id: batch.id, version: batch.version })
            }}
          >
            {m.imports_check_rows({ count: batch.rows })}
            <ArrowRight size={16} className="rtl:-scale-x-100" aria-hidden />
          </Button>
        </>
      }
    >
      {batch.error && (
        <div className="pb-3">
          <Banner tone="bad" role="alert" title={m.imports_failed_title()}>
            {failureText(batch.error)}
          </Banner>
        </div>
      )}
      <LostCharacters batch={batch} />
      <Unshown batch={batch} />
      <DayNumbersTold batch={batch} />
      <LeftOut batch={batch} />
      {batch.columns.some((column) => column.hidden) && (
        <div className="pb-3">
          <Banner tone="info" title={m.imports_hidden_title()}>
            {m.imports_hidden_why()}
          </Banner>
        </div>
      )}
      {batch.sameFileAppliedAt !== null && (
        <div className="pb-3">
          <Banner tone="info">{m.imports_same_file({ day: formatDate(batch.sameFileAppliedAt) })}</Banner>
        </div>
      )}
      <div className="grid min-h-0 min-w-0 flex-1 content-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px] lg:content-stretch lg:pb-0">
        <div className="grid min-h-0 min-w-0 auto-rows-max content-start gap-4 lg:overflow-y-auto">
          <div className="card min-w-0">
            <ColumnsTable batch={batch} editor={editor} />
          </div>
          <RawRows batch={batch} />
        </div>
        <div className="grid min-h-0 min-w-0 auto-rows-max content-start gap-4 lg:overflow-y-auto">
          <ReadingCards batch={batch} editor={editor} reader={reader} />
        </div>
      </div>
    </WizardFrame>
  )
}

/** Nothing is garbled in silence: what the file or its encoding does not say is counted, with the place to look at. */
function LostCharacters({ batch }: { batch: ImportBatch }) {
  const { unreadable } = batch.form
  if (!unreadable || unreadable.cells === 0) return null
  return (
    <div className="pb-3">
      <Banner tone="warn" role="status" title={m.imports_lost_title()}>
        {m.imports_lost({ count: unreadable.cells, line: formatNumber(unreadable.line ?? 1) })}{' '}
        {batch.encoding === 'xlsx' ? m.imports_lost_workbook() : m.imports_lost_text()}
      </Banner>
    </div>
  )
}

/** What a workbook shows, and its rows do not have. */
function Unshown({ batch }: { batch: ImportBatch }) {
  const { merged, formulas } = batch.form
  if (merged.cells + formulas.cells === 0) return null
  const of = ({ cells, line }: typeof merged) => ({ count: cells, line: formatNumber(line ?? 1) })
  return (
    <div className="pb-3">
      <Banner tone="warn" role="status" title={m.imports_unshown_title()}>
        {[
          ...(merged.cells > 0 ? [m.imports_merged(of(merged))] : []),
          ...(formulas.cells > 0 ? [m.imports_formulas(of(formulas))] : []),
        ].join(' ')}
      </Banner>
    </div>
  )
}

/** Numbers that become dates, which somebody may have meant as numbers. */
function DayNumbersTold({ batch }: { batch: ImportBatch }) {
  const numbered = batch.columns.filter(({ dayNumbers }) => dayNumbers !== null && dayNumbers.reading !== 'refuse')
  if (numbered.length === 0) return null
  const columns = formatList(numbered.map(({ header }) => `“${header}”`))
  return (
    <div className="pb-3">
      <Banner tone="warn" role="status" title={m.imports_number_title()}>
        {m.imports_number_told({ columns })}
      </Banner>
    </div>
  )
}

/** Lines of the file that are no rows are never dropped without a word. */
function LeftOut({ batch }: { batch: ImportBatch }) {
  const parts = leftOutText(batch.form)
  if (parts === null) return null
  return (
    <div className="pb-3">
      <Banner tone="info">{m.imports_lines_left_out({ parts })}</Banner>
    </div>
  )
}
