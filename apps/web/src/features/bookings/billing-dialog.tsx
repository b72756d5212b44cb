import { useQuery } from '@tanstack/react-query'
import { getBillingDocument, type SentDocument } from '@tour-ops/contract/bookings/billing'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatDayTime } from '../../ui/format.ts'
import { onIntent } from '../../ui/load-later.tsx'
import { MessageDialog, useMayWrite } from '../notifications/index.ts'
import { BillingView } from './billing-view.tsx'

/** A document of a booking as the office sees it: printed, and sent to the guest. */
export function BillingDialog({ id, number, onClose }: { id: string; number: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(callQuery(getBillingDocument, { id }))
  const mayWrite = useMayWrite()
  const [isWriting, setWriting] = useState(false)
  return (
    <>
      <BillingView
        {...{ number, data, error, onClose }}
        onRetry={() => void refetch()}
        actions={
          mayWrite &&
          data && (
            <Button
              icon={Mail}
              className="me-auto"
              disabledReason={data.sent?.status === 'queued' ? sentText(data.sent) : undefined}
              {...onIntent(MessageDialog)}
              onClick={() => setWriting(true)}
            >
              {data.sent ? m.bookings_document_send_again() : m.bookings_document_send()}
            </Button>
          )
        }
      >
        {data?.sent && (
          <p role="status" className={`mb-3 ${data.sent.status === 'failed' ? 'font-medium text-bad' : 'text-ink-2'}`}>
            {sentText(data.sent)}
          </p>
        )}
      </BillingView>
      {isWriting && data && (
        <MessageDialog
          guests={{ departureIds: [], bookingIds: [data.bookingId], documentId: id }}
          template={data.kind}
          onClose={() => setWriting(false)}
        />
      )}
    </>
  )
}

/** When and where a document went last. */
function sentText({ status, sentAt, to }: SentDocument): string {
  if (status === 'failed') return m.bookings_document_failed({ to })
  return sentAt === null
    ? m.bookings_document_waits({ to })
    : m.bookings_document_sent({ time: formatDayTime(sentAt), to })
}
