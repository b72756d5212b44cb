import { useQuery } from '@tanstack/react-query'
import { bookingsOfTravelers } from '@tour-ops/contract/travelers/travelers'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { MessageDialog } from '../notifications/index.ts'

/** Writes to the parties of the trips that chosen travelers are on or leave for; says of how many there is none. */
export function MessageTravelers({ ids }: { ids: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button icon={Mail} onClick={() => setOpen(true)}>
        {m.notifications_write()}
      </Button>
      {isOpen && <ToTheirParties ids={ids} onClose={close} />}
    </>
  )
}

function ToTheirParties({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { data, error } = useQuery(callQuery(bookingsOfTravelers, { ids: [...ids] }))
  if (data && data.bookingIds.length > 0) {
    return (
      <MessageDialog
        guests={{ departureIds: [], bookingIds: data.bookingIds }}
        note={data.without > 0 ? m.travelers_write_without({ count: data.without }) : undefined}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog open onClose={onClose} title={m.notifications_write()}>
      {error ? (
        <p role="alert">{refusalText(error)}</p>
      ) : data ? (
        <p>{m.travelers_write_nobody()}</p>
      ) : (
        <SkeletonRows rows={2} />
      )}
    </Dialog>
  )
}
