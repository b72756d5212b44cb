import { useQueryClient } from '@tanstack/react-query'
import type { Callable, In } from '@tour-ops/contract/callable'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { getImport } from '@tour-ops/contract/imports/imports'
import { type CallMutation, callQuery, useCall } from '../../backend/queries.ts'

type BatchCallable = Callable & { readonly output: (typeof getImport)['output'] }

/** A write that answers with the batch: the answer is what the screen shows next, without asking for it again. */
export function useBatchCall<C extends BatchCallable>(
  callable: C,
  onDone?: (batch: ImportBatch, input: In<C>) => void,
): CallMutation<C> {
  const cache = useQueryClient()
  return useCall(callable, {
    onSuccess: (output, input) => {
      const batch = output as ImportBatch
      cache.setQueryData(callQuery(getImport, { id: batch.id }).queryKey, batch)
      onDone?.(batch, input)
    },
  })
}
