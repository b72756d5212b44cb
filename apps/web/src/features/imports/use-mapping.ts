import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { ImportField, ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { mapImport } from '@tour-ops/contract/imports/imports'
import type { AppError } from '@tour-ops/contract/errors'
import { useEffect, useState } from 'react'
import { useBatchCall } from './use-batch-call.ts'

export interface MappingEditor {
  /** As it is wanted, sent or not. */
  readonly mapping: ImportMapping
  readonly isSaving: boolean
  readonly error: AppError | null
  change(changes: Partial<ImportMapping>): void
  /** Sends a column to a field, or nowhere. A field comes from one column: another that had it goes nowhere. */
  assign(header: string, field: ImportField | ''): void
  /** Takes a whole saved mapping. */
  take(mapping: ImportMapping, template: string | null): void
  saveAs(name: string): void
}

interface Wanted {
  readonly mapping: ImportMapping
  readonly template: string | null
  readonly saveAsTemplate: string | null
}

/** Whether what was sent is still what is wanted; a mapping is a new object with each decision. */
const isSame = (wanted: Wanted, sent: { readonly [K in keyof Wanted]?: unknown }): boolean =>
  wanted.mapping === sent.mapping && wanted.template === sent.template && wanted.saveAsTemplate === sent.saveAsTemplate

/**
 * Decisions about the columns: every one is shown at once and saved by the server at once, one write after the other, so that leaving the page loses
 * nothing and two quick presses do not get into each other's way.
 */
export function useMapping(batch: ImportBatch): MappingEditor {
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const { mutate, isPending, error, reset } = useBatchCall(mapImport, (_, sent) =>
    setWanted((now) => now && (isSame(now, sent) ? null : { ...now, saveAsTemplate: null })),
  )
  const mapping = wanted?.mapping ?? batch.mapping
  useEffect(() => {
    if (wanted === null || isPending || error) return
    mutate({ id: batch.id, version: batch.version, ...wanted })
  }, [wanted, isPending, error, mutate, batch.id, batch.version])
  const want = (next: Wanted) => {
    // of a write under way nothing more would be heard, and the next one would not wait for it
    if (error) reset()
    setWanted(next)
  }
  const template = wanted?.template ?? batch.template
  return {
    mapping,
    isSaving: wanted !== null && !error,
    error,
    change: (changes) => want({ mapping: { ...mapping, ...changes }, template, saveAsTemplate: null }),
    assign: (header, field) => {
      const others = Object.entries(mapping.columns).filter(([each, taken]) => each !== header && taken !== field)
      const columns = Object.fromEntries(field === '' ? others : [...others, [header, field] as const])
      want({ mapping: { ...mapping, columns }, template, saveAsTemplate: null })
    },
    take: (taken, name) => {
      const headers = new Set(batch.columns.map(({ header }) => header))
      const columns = Object.fromEntries(Object.entries(taken.columns).filter(([header]) => headers.has(header)))
      want({ mapping: { ...taken, columns }, template: name, saveAsTemplate: null })
    },
    saveAs: (name) => want({ mapping, template: name, saveAsTemplate: name }),
  }
}
