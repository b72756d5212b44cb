import {
  type DuplicateChoice,
  type ImportBatch,
  isDuplicateLeftOut,
  maxDuplicatesExcepted,
} from '@tour-ops/contract/imports/import-batch'
import { previewImport } from '@tour-ops/contract/imports/imports'
import { useState } from 'react'
import { useBatchCall } from './use-batch-call.ts'

/** Which likely duplicates stay out; counts once the rows are checked again. */
export interface DuplicatesEditor {
  isLeftOut: (line: number) => boolean
  /** What becomes of a row, as it is chosen. */
  resultOf: (line: number) => 'taken' | 'left_out'
  setLeftOut: (line: number, leftOut: boolean) => void
  setAll: (usual: DuplicateChoice['usual']) => void
  /** Differs from what the check on screen has carried out. */
  isChanged: boolean
  /** No more single rows can be decided otherwise than all the others. */
  isFull: boolean
  isChecking: boolean
  error: Error | null
  check: () => void
}

export function useDuplicates(batch: ImportBatch): DuplicatesEditor {
  const [chosen, setChosen] = useState<DuplicateChoice>(batch.duplicates)
  const preview = useBatchCall(previewImport)
  const isLeftOut = (line: number): boolean => isDuplicateLeftOut(chosen, line)
  return {
    isLeftOut,
    resultOf: (line) => (isLeftOut(line) ? 'left_out' : 'taken'),
    setLeftOut: (line, leftOut) => {
      if (leftOut === isLeftOut(line)) return
      const others = chosen.except.filter((each) => each !== line)
      const except = others.length < chosen.except.length ? others : [...others, line]
      setChosen({ ...chosen, except: except.toSorted((a, b) => a - b) })
    },
    setAll: (usual) => setChosen({ usual, except: [] }),
    isChanged: JSON.stringify(chosen) !== JSON.stringify(batch.duplicates),
    isFull: chosen.except.length >= maxDuplicatesExcepted,
    isChecking: preview.isPending,
    error: preview.error,
    check: () => preview.mutate({ id: batch.id, version: batch.version, duplicates: chosen }),
  }
}
