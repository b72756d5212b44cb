import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { CellCorrection, ImportCell } from '@tour-ops/contract/imports/import-corrections'
import type { ImportProblem } from '@tour-ops/contract/imports/import-problems'
import { correctImport } from '@tour-ops/contract/imports/imports'
import type { AppError } from '@tour-ops/contract/errors'
import { useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import { useBatchCall } from './use-batch-call.ts'

/** A correction that is not saved yet. */
export interface PendingCorrection extends CellCorrection {
  /** What the cell holds. */
  readonly text: string
  /** The new value as people read it. */
  readonly label: string
}

interface TakingBack {
  takenBack?: (ImportCell & { everywhere: boolean })[]
  forgottenWords?: string[]
}

export interface CorrectionsEditor {
  readonly pending: readonly PendingCorrection[]
  /** The correction that a cell with a problem gets: its own, or one for all equal cells. */
  pendingFor(cell: ImportCell, problem: ImportProblem): PendingCorrection | undefined
  /** The cell that is open, by `cellKey`. */
  readonly open: string | null
  setOpen(key: string | null): void
  /** Notes a correction and opens the next wrong cell; behind the last one the button that checks again gets the focus. */
  apply(correction: PendingCorrection): void
  drop(correction: PendingCorrection): void
  readonly isSaving: boolean
  readonly error: AppError | null
  /** Saves all of them with one call, which checks the rows again. */
  check: () => void
  takeBack: (changes: TakingBack) => void
  /** Of the elements around all rows, and around the button that checks again. */
  readonly rowsId: string
  readonly footerId: string
}

export const cellKey = ({ line, column }: ImportCell): string => `${line} ${column}`

/** What a reason quotes of its cell: the beginning of a long one, a code in capitals. */
const quotedIn = ({ params }: ImportProblem): string | undefined => params['value'] ?? params['code']
const isSame = (text: string, quoted: string | undefined): boolean =>
  quoted !== undefined && text.replaceAll(/\s+/g, ' ').toLowerCase() === quoted.toLowerCase()

export function useCorrections(batch: ImportBatch): CorrectionsEditor {
  const [pending, setPending] = useState<readonly PendingCorrection[]>([])
  const [open, setOpen] = useState<string | null>(null)
  const [wanted, setWanted] = useState<TakingBack | null>(null)
  const id = useId()
  const [rowsId, footerId] = [`${id}-rows`, `${id}-footer`]
  const isRunning = batch.progress !== null
  const sent = useRef<readonly PendingCorrection[]>([])
  const saving = useBatchCall(correctImport, ({ mapping: { words } }, input) => {
    setWanted((now) =>
      now?.takenBack === input.takenBack && now?.forgottenWords === input.forgottenWords ? null : now,
    )
    const saved = sent.current
    if (input.corrections?.length !== saved.length || saved.length === 0) return
    sent.current = []
    setPending((now) => now.filter((each) => !saved.includes(each)))
    toast(m.imports_corrections_saved({ count: saved.length }), {
      label: m.ui_undo(),
      onPress: () =>
        setWanted({
          takenBack: saved.map(({ line, column, everywhere }) => ({ line, column, everywhere })),
          forgottenWords: Object.keys(words).filter((word) => !Object.hasOwn(batch.mapping.words, word)),
        }),
    })
  })

  const { mutate, isPending, error, reset } = saving
  // what is taken back while the rows are being checked waits for the end of that
  useEffect(() => {
    if (wanted === null || isRunning || isPending || error) return
    mutate({ id: batch.id, version: batch.version, ...wanted })
  }, [wanted, isRunning, isPending, error, mutate, batch.id, batch.version])
  const takeBack = (changes: TakingBack) => {
    if (error) reset()
    setWanted(changes)
  }

  const isOf = (cell: ImportCell) => (each: ImportCell) => cellKey(each) === cellKey(cell)
  const check = () => {
    sent.current = pending
    mutate({
      id: batch.id,
      version: batch.version,
      corrections: pending.map(({ line, column, value, everywhere }) => ({ line, column, value, everywhere })),
    })
  }
  return {
    pending,
    pendingFor: (cell, problem) =>
      pending.find(isOf(cell)) ??
      pending.find((each) => each.everywhere && each.column === cell.column && isSame(each.text, quotedIn(problem))),
    open,
    setOpen,
    apply: (correction) => {
      if (error) reset()
      const others = pending.filter((each) => !isOf(correction)(each))
      // cells that it is about are no longer wrong once it is on screen
      flushSync(() => setPending(correction.value === correction.text ? others : [...others, correction]))
      const next = nextWrong(document.getElementById(rowsId), cellKey(correction))
      if (next === null) document.getElementById(footerId)?.querySelector('button')?.focus()
      setOpen(next)
    },
    drop: (correction) => setPending((now) => now.filter((each) => each !== correction)),
    isSaving: isPending,
    error,
    check,
    takeBack,
    rowsId,
    footerId,
  }
}

/** The next cell on screen with a problem and without a correction, after one and then from the beginning. */
function nextWrong(rows: HTMLElement | null, key: string): string | null {
  const cells = [...(rows?.querySelectorAll<HTMLElement>('[data-cell]') ?? [])]
  const at = cells.findIndex((each) => each.dataset['cell'] === key)
  const inOrder = [...cells.slice(at + 1), ...cells.slice(0, Math.max(at, 0))]
  return inOrder.find((each) => 'wrong' in each.dataset)?.dataset['cell'] ?? null
}
