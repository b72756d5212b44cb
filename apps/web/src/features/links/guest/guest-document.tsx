import { useQuery } from '@tanstack/react-query'
import { getSharedDocument, type SharedDocument } from '@tour-ops/contract/links/shared-page'
import { currentBackend } from '../../../backend/port.ts'
import { mayRepeat } from '../../../backend/queries.ts'
import { BillingView } from '../../bookings/index.ts'

interface GuestDocumentProps {
  token: string
  document: Pick<SharedDocument, 'id' | 'number'>
  onClose: () => void
}

/** A document of the booking as the office prints it. */
export function GuestDocument({ token, document: { id, number }, onClose }: GuestDocumentProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [getSharedDocument.name, token, id],
    queryFn: ({ signal }) => currentBackend().call(getSharedDocument, { token, id }, { signal }),
    staleTime: 0,
    retry: (failures, failure) => mayRepeat(getSharedDocument, failures, failure),
  })
  return <BillingView {...{ number, data, error, onClose }} onRetry={() => void refetch()} />
}
