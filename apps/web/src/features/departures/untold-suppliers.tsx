import { useQuery } from '@tanstack/react-query'
import { isMisinformed, listSupplierMessages } from '@tour-ops/contract/links/supplier-messages'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

export interface UntoldSuppliersProps {
  departureId: string
  /** Where they are written to. */
  onOpen: () => void
}

/** Which suppliers of the departure do not know what has changed; nothing where all of them do. */
export function UntoldSuppliers({ departureId, onOpen }: UntoldSuppliersProps) {
  const { data } = useQuery(callQuery(listSupplierMessages, { departureId }))
  const untold = data?.suppliers.filter(isMisinformed) ?? []
  if (untold.length === 0) return null
  return (
    <div className="border-b border-line px-4 py-3 lg:px-6">
      <Banner
        tone="warn"
        role="status"
        title={m.departures_suppliers_untold({ names: untold.map(({ name }) => name).join(', ') })}
        actions={
          <Button size="sm" onClick={onOpen}>
            {m.departures_tab_services()}
          </Button>
        }
      />
    </div>
  )
}
