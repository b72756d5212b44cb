import { useInfiniteQuery } from '@tanstack/react-query'
import type { ImportBatch, ImportOutcome, ImportRow } from '@tour-ops/contract/imports/import-batch'
import { importRows } from '@tour-ops/contract/imports/imports'
import { ArrowRight, ChevronDown, ChevronRight, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { currentBackend } from '../../backend/port.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatNumber } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { CorrectableCell } from './cell-editor.tsx'
import { DuplicateChoiceBox, DuplicatesBar } from './duplicates-bar.tsx'
import { fieldLabel, problemText, warningResultText } from './import-labels.ts'
import type { CorrectionsEditor } from './use-corrections.ts'
import type { DuplicatesEditor } from './use-duplicates.ts'
import { valueLabel } from './value-labels.ts'

/** Rows of one outcome, or those with warnings, which have an outcome besides. */
export type RowsShown = ImportOutcome | 'warned' | 'duplicates'

export interface CheckGroupProps {
  batch: ImportBatch
  shows: RowsShown
  title: string
  icon: LucideIcon
  tone: string
  count: number
  /** The only group on screen: open, and without a fold. */
  isAlone: boolean
  note?: string | undefined
  duplicates: DuplicatesEditor
  corrections: CorrectionsEditor
}

/** Rows at first; the rest comes in pages. */
const firstRows: Record<RowsShown, number> = {
  reject: 50,
  duplicates: 20,
  warned: 20,
  change: 5,
  add: 50,
  unchanged: 50,
}
const pageRows = 100

/** One grid for all groups: line, who, departure, column or field, reason or now and after. */
const grid =
  'grid grid-cols-[64px_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 px-4 py-2 md:grid-cols-[64px_minmax(0,138px)_minmax(0,172px)_98px_minmax(0,1fr)] md:py-[7px]'

/** Rows with one outcome, folded where nobody is needed. */
export function CheckGroup(props: CheckGroupProps) {
  const { batch, shows, title, icon: Icon, tone, count, isAlone, note, duplicates, corrections } = props
  const needsPerson = shows !== 'add' && shows !== 'unchanged'
  const [isOpen, setOpen] = useState(isAlone || needsPerson)
  const id = useId()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-labelledby={`${id}-title`} className="border-t border-line">
      <div className="flex min-h-[38px] items-center gap-2 bg-surface-2 px-4 md:grid md:grid-cols-[64px_minmax(0,138px)_minmax(0,172px)_98px_minmax(0,1fr)] md:gap-x-3">
        <button
          type="button"
          id={`${id}-title`}
          className="flex min-h-8 items-center gap-2 text-start font-semibold text-ink-strong md:col-span-3"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-rows` : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <Chevron size={16} className="text-ink-2 rtl:-scale-x-100" aria-hidden />
          <Icon size={16} strokeWidth={2.25} className={tone} aria-hidden />
          {title} <span className="num font-normal text-ink-2">{formatNumber(count)}</span>
        </button>
        <GroupHead shows={shows} note={note} isOpen={isOpen} />
      </div>
      {isOpen && (
        <div id={`${id}-rows`}>
          {shows === 'duplicates' && <DuplicatesBar editor={duplicates} />}
          <Rows
            batch={batch}
            shows={shows}
            count={count}
            isAlone={isAlone}
            duplicates={duplicates}
            corrections={corrections}
          />
        </div>
      )}
    </section>
  )
}

function GroupHead({ shows, note, isOpen }: { shows: RowsShown; note: string | undefined; isOpen: boolean }) {
  const head = 'text-xs text-ink max-md:hidden'
  if ((shows === 'reject' || shows === 'warned' || shows === 'duplicates') && isOpen) {
    return (
      <>
        <span className={head}>{m.imports_head_column()}</span>
        <span className={head}>{m.imports_head_reason()}</span>
      </>
    )
  }
  if (shows === 'change' && isOpen) {
    return (
      <>
        <span className={head}>{m.imports_head_field()}</span>
        <span className={classNames(head, 'grid grid-cols-[minmax(0,1fr)_24px_minmax(0,1.6fr)]')}>
          <span>{m.imports_head_now()}</span>
          <span />
          <span>{m.imports_head_after()}</span>
        </span>
      </>
    )
  }
  return <span className="ms-auto text-end text-xs text-ink-2 md:col-span-2">{note}</span>
}

type RowsProps = Pick<CheckGroupProps, 'batch' | 'shows' | 'count' | 'isAlone' | 'duplicates' | 'corrections'>

function Rows({ batch, shows, count, isAlone, duplicates, corrections }: RowsProps) {
  const [isWhole, setWhole] = useState(isAlone)
  const first = isWhole ? pageRows : firstRows[shows]
  const isChecking = batch.progress !== null
  const { data, error, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: [importRows.name, batch.id, shows],
    queryFn: ({ pageParam, signal }) =>
      currentBackend().call(
        importRows,
        {
          id: batch.id,
          ...(shows === 'warned' || shows === 'duplicates' ? { [shows]: true } : { outcome: [shows] }),
          page: pageParam,
          size: pageRows,
        },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (_last, pages) => (pages.length * pageRows < count ? pages.length + 1 : undefined),
    // the rows of the check before stay on screen until those of the next one are there
    enabled: !isChecking,
  })
  const shownVersion = useRef(batch.version)
  useEffect(() => {
    if (isChecking || shownVersion.current === batch.version) return
    shownVersion.current = batch.version
    void refetch()
  }, [isChecking, batch.version, refetch])
  if (error) return <p className="px-4 py-3 font-medium text-bad">{refusalText(error)}</p>
  if (!data) return <SkeletonRows rows={3} />
  const loaded = data.pages.flatMap((page) => page.rows)
  const rows = isWhole ? loaded : loaded.slice(0, first)
  const more = Math.min(count - rows.length, isWhole ? pageRows : Math.max(loaded.length - rows.length, 1))
  const left = count - rows.length
  return (
    <>
      <ul>
        {rows.map((row) => (
          <Row key={row.line} batch={batch} row={row} shows={shows} duplicates={duplicates} corrections={corrections} />
        ))}
      </ul>
      {left > 0 && (
        <div className={classNames(grid, 'border-t border-line')}>
          <span className="max-md:hidden" />
          <button
            type="button"
            className="link col-span-2 min-h-6 text-start"
            aria-busy={isFetching || undefined}
            onClick={() => {
              if (isWhole) void fetchNextPage()
              else setWhole(true)
            }}
          >
            {m.imports_show_more({ count: isWhole ? more : Math.min(left, pageRows - rows.length) })}
          </button>
        </div>
      )}
    </>
  )
}

function Row({
  batch,
  row,
  shows,
  duplicates,
  corrections,
}: Omit<RowsProps, 'count' | 'isAlone'> & { row: ImportRow }) {
  const warnings = row.warnings.filter(({ code }) =>
    shows === 'duplicates' ? code === 'likely_duplicate' : shows === 'warned' && code !== 'likely_duplicate',
  )
  return (
    <li className={classNames(grid, 'border-t border-line')}>
      <span className="num text-ink-2">{m.imports_line({ line: row.line })}</span>
      <b className="min-w-0 truncate font-medium text-ink-strong" title={row.name}>
        <bdi>{row.name === '' ? '–' : row.name}</bdi>
      </b>
      <span className="num min-w-0 truncate text-ink-2 max-md:col-start-2" title={row.departureCode ?? undefined}>
        <bdi>{row.departureCode}</bdi>
      </span>
      {row.problems.map((problem) => (
        <Line key={`${problem.code} ${problem.column}`} label={problem.column}>
          <span className="font-medium text-bad">{problemText(problem)}</span>
          <CorrectableCell batch={batch} line={row.line} problem={problem} corrections={corrections} />
        </Line>
      ))}
      {warnings.map((warning) => (
        <Line key={`${warning.code} ${warning.column}`} label={warning.column}>
          <span className="font-medium text-warn">{problemText(warning)}</span>{' '}
          <span className="text-ink-2">
            {warningResultText(shows === 'duplicates' ? duplicates.resultOf(row.line) : warning.result)}
          </span>
          {shows === 'duplicates' && <DuplicateChoiceBox editor={duplicates} row={row} />}
          {/* that a party looks like another booking is about no cell */}
          {shows !== 'duplicates' && (
            <CorrectableCell batch={batch} line={row.line} problem={warning} corrections={corrections} />
          )}
        </Line>
      ))}
      {(shows === 'change' || shows === 'add') &&
        row.changes.map((change) => (
          <Line key={change.field} label={fieldLabel(change.field)}>
            <span className="grid items-baseline md:grid-cols-[minmax(0,1fr)_24px_minmax(0,1.6fr)]">
              <Value field={change.field} text={change.before} />
              <ArrowRight size={14} className="self-center text-ink-2 rtl:-scale-x-100 max-md:hidden" aria-hidden />
              <After field={change.field} text={change.after} />
            </span>
          </Line>
        ))}
    </li>
  )
}

/** The last two columns of the grid; the second and later ones of a row are below the first. */
const Line = ({ label, children }: { label: string | null; children: React.ReactNode }) => (
  <>
    <span className="min-w-0 truncate text-ink-2 max-md:col-start-2 md:col-start-4">
      <bdi>{label}</bdi>
    </span>
    <span className="min-w-0 break-words max-md:col-start-2 md:col-start-5">{children}</span>
  </>
)

const Value = ({ field, text }: { field: string; text: string | null }) =>
  text === null ? (
    <i className="text-ink-2">{m.imports_empty()}</i>
  ) : (
    <span className="num min-w-0 break-words text-ink-strong">
      <bdi>{valueLabel(field, text)}</bdi>
    </span>
  )

/** No strike-through, which makes numbers unreadable: the new value on green, a value that goes away in red. */
const After = ({ field, text }: { field: string; text: string | null }) => (
  <span>
    <span
      className={classNames(
        'num inline-block rounded px-1.5 break-words',
        text === null ? 'bg-bad-bg text-bad' : 'bg-ok-bg text-ok',
      )}
    >
      <bdi>{text === null ? m.imports_removed() : valueLabel(field, text)}</bdi>
    </span>
  </span>
)
