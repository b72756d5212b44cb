import { restoreTour } from '@tour-ops/contract/tours/tours'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'

export interface TourRef {
  id: string
  version: number
  name: string
  code: string
}

/** Restores an archived tour as a draft. */
export function useRestore(): (tour: TourRef) => void {
  const restore = useCall(restoreTour)
  return ({ id, version, name }) =>
    void restore.mutateAsync({ id, version }).then(
      () => toast(m.tours_restored({ name })),
      (error: unknown) => toast(refusalText(error)),
    )
}
