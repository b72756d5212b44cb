import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import {
  Check,
  Circle,
  CircleCheck,
  CircleX,
  Equal,
  LoaderCircle,
  PencilLine,
  Plus,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { formatMoment, formatNumber, viewerZone } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'

type Job = 'preview' | 'apply' | 'undo'
type Phase = NonNullable<ImportBatch['progress']>['phase']

/** The phases of each job, in their order. */
const phases: Record<Job, readonly Phase[]> = {
  preview: ['reading', 'checking'],
  apply: ['seats', 'travelers', 'bookings', 'manifest'],
  undo: ['undoing'],
}

const titles: Record<Job, () => string> = {
  preview: m.imports_checking,
  apply: m.imports_importing,
  undo: m.imports_undoing,
}

interface Props {
  batch: ImportBatch
  job: Job
}

/** Part of a job that is done, from 0 to 1. */
function shareOf({ progress }: ImportBatch, job: Job): number {
  const order = phases[job]
  const at = progress ? order.indexOf(progress.phase) : -1
  return at < 0 || !progress ? 0 : (at + (progress.of > 0 ? progress.done / progress.of : 0)) / order.length
}
export const previewShare = (batch: ImportBatch): number => shareOf(batch, 'preview')

/** How far a job is: one bar, rows of rows, and the phases with what each has done. */
export function ProgressCard({ batch, job }: Props) {
  const now = useSeconds()
  const { progress } = batch
  const order = phases[job]
  const at = progress ? order.indexOf(progress.phase) : -1
  const share = shareOf(batch, job)
  const total = job === 'apply' && batch.counts ? batch.counts.add + batch.counts.change : batch.rows
  const done = Math.min(total, Math.round(share * total))
  const passedMs = progress ? Math.max(0, now - Date.parse(progress.startedAt)) : 0
  const leftS = share > 0.05 ? Math.ceil((passedMs / share - passedMs) / 1000) : null
  return (
    <Frame>
      <Head title={titles[job]()} done={done} total={total} />
      <Bar label={titles[job]()} share={share} />
      <p className="num mt-2 flex justify-between gap-3 text-ink-2">
        <span>{progress && startedText(progress.startedAt, leftS)}</span>
        <span>{job === 'preview' ? m.imports_nothing_written_yet() : m.imports_all_or_none()}</span>
      </p>
      <ol className="-mx-6 mt-6">
        {order.map((phase, place) => (
          <PhaseLine
            key={phase}
            state={place < at ? 'done' : place === at ? 'now' : 'later'}
            says={phaseSays(batch, phase, place < at ? 'done' : place === at ? 'now' : 'later')}
          />
        ))}
      </ol>
    </Frame>
  )
}

export function startedText(startedAt: string, leftS: number | null): string {
  const time = formatMoment(startedAt, viewerZone())
  return leftS === null
    ? m.imports_started({ time })
    : m.imports_started_left({ time, left: m.imports_seconds({ count: formatNumber(leftS) }) })
}

/** The clock of the screen, for what is left. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

type State = 'done' | 'now' | 'later'

interface PhaseTexts {
  readonly what: string
  readonly count: string
}

const nOf = (done: number, of: number): string => m.imports_n_of({ done: formatNumber(done), of: formatNumber(of) })

/** What a phase does, and how much of it is done. */
export function phaseSays({ counts, progress, rows }: ImportBatch, phase: Phase, state: State): PhaseTexts {
  const people = counts ? counts.add + counts.change : rows
  const amount = (of: number) => nOf(state === 'done' ? of : state === 'now' ? (progress?.done ?? 0) : 0, of)
  switch (phase) {
    case 'seats':
      return {
        what: m.imports_phase_seats({ count: counts?.departures ?? 0 }),
        count: m.imports_seats({ count: counts?.seats ?? 0 }),
      }
    case 'travelers':
      return { what: m.imports_phase_travelers(), count: amount(people) }
    case 'bookings':
      return { what: m.imports_phase_bookings(), count: amount(counts?.bookingsWritten ?? 0) }
    case 'manifest':
      return { what: m.imports_phase_manifest(), count: amount(people) }
    case 'reading':
      return { what: m.imports_phase_reading(), count: amount(rows) }
    case 'checking':
      return { what: m.imports_phase_checking(), count: amount(rows) }
    default:
      return {
        what: m.imports_phase_undoing(),
        count: progress && progress.of > 0 ? nOf(progress.done, progress.of) : '',
      }
  }
}

/** The card in the middle of the page that progress and result share. */
export const Frame = ({ children }: { children: ReactNode }) => (
  <div className="m-auto grid w-full max-w-[640px] gap-4 py-6">
    <section className="card overflow-hidden px-6 pt-6" aria-live="polite">
      {children}
    </section>
  </div>
)

export function Head({ title, done, total, isDone }: { title: string; done: number; total: number; isDone?: boolean }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <h2 className="flex items-center gap-3 text-xl font-semibold tracking-tight">
        {isDone && <CircleCheck size={22} className="text-ok" aria-hidden />}
        {title}
      </h2>
      <p className="num text-xl tracking-tight text-ink-2">
        <b className="font-semibold text-ink-strong">{formatNumber(done)}</b> {m.imports_of_rows({ count: total })}
      </p>
    </div>
  )
}

/** 8 high; green when everything is in. */
export function Bar({ label, share, isDone }: { label: string; share: number; isDone?: boolean }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="mt-4 h-2 overflow-hidden rounded-full bg-line"
    >
      <div
        className={classNames('h-full rounded-full transition-[width] duration-150', isDone ? 'bg-live' : 'bg-brand')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}

const stateLabels: Record<State, () => string> = {
  done: m.imports_phase_done,
  now: m.imports_phase_now,
  later: m.imports_phase_later,
}

export function PhaseLine({ state, says: { what, count } }: { state: State; says: PhaseTexts }) {
  return (
    <li className="flex min-h-11 items-center gap-4 border-t border-line px-6">
      {state === 'done' && <Check size={16} strokeWidth={2.25} className="shrink-0 text-ok" aria-hidden />}
      {state === 'now' && (
        <LoaderCircle
          size={16}
          strokeWidth={2.25}
          className="shrink-0 text-brand motion-safe:animate-spin"
          aria-hidden
        />
      )}
      {state === 'later' && (
        <span className="grid size-4 shrink-0 place-items-center text-ink-2" aria-hidden>
          <Circle size={8} fill="currentColor" />
        </span>
      )}
      <span className={classNames('min-w-0 flex-1', state === 'later' ? 'text-ink-2' : 'text-ink-strong')}>
        {what} <span className="sr-only">({stateLabels[state]()})</span>
      </span>
      <Ltr className="text-ink-2">{count}</Ltr>
    </li>
  )
}

/** Four figures under the card: what the check had found. */
export function CountsRow({ counts }: { counts: NonNullable<ImportBatch['counts']> }) {
  const figures: readonly { label: string; count: number; icon: LucideIcon; tone: string }[] = [
    { label: m.imports_adds(), count: counts.add, icon: Plus, tone: 'text-ok' },
    { label: m.imports_changes(), count: counts.change, icon: PencilLine, tone: 'text-info' },
    { label: m.imports_unchanged(), count: counts.unchanged, icon: Equal, tone: 'text-ink-2' },
    { label: m.imports_rejected(), count: counts.reject, icon: CircleX, tone: 'text-bad' },
  ]
  return (
    <dl className="card mx-auto -mt-2 mb-6 grid w-full max-w-[640px] grid-cols-2 overflow-hidden sm:grid-cols-4">
      {figures.map(({ label, count, icon: Icon, tone }) => (
        <div key={label} className="-ms-px -mt-px border-s border-t border-line px-4 py-3">
          <dt className="flex items-center gap-2 text-xs text-ink-2">
            <Icon size={14} strokeWidth={2.25} className={tone} aria-hidden />
            {label}
          </dt>
          <dd className="num mt-1 text-xl font-semibold text-ink-strong">{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
