import { useQuery } from '@tanstack/react-query'
import {
  hasNotArrived,
  isMisinformed,
  listSupplierMessages,
  type SupplierAct,
  type SupplierOnDeparture,
} from '@tour-ops/contract/links/supplier-messages'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { formatDayTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { actLabels, SupplierMessageDialog } from './supplier-message-dialog.tsx'

export interface SupplierMessagesProps {
  departureId: string
}

interface Asked {
  supplier: SupplierOnDeparture
  act: SupplierAct
}

/** What each supplier of the departure knows, what it does not know yet, and the messages that say it. See docs/screens.md, "Records over any screen". */
export function SupplierMessages({ departureId }: SupplierMessagesProps) {
  const { data } = useQuery(callQuery(listSupplierMessages, { departureId }))
  const [asked, setAsked] = useState<Asked | null>(null)
  if (!data || data.suppliers.length === 0) return null
  return (
    <section aria-labelledby="supplier-messages" className="border-b border-line pb-3">
      <h3 id="supplier-messages" className="px-4 pt-3 pb-1 font-semibold lg:px-6">
        {m.departures_suppliers()}
      </h3>
      <ul>
        {data.suppliers.map((supplier) => (
          <SupplierLine key={supplier.id} supplier={supplier} onAct={(act) => setAsked({ supplier, act })} />
        ))}
      </ul>
      {asked && (
        <SupplierMessageDialog
          departureId={departureId}
          supplier={data.suppliers.find(({ id }) => id === asked.supplier.id) ?? asked.supplier}
          act={asked.act}
          delivery={data.delivery}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

interface SupplierLineProps {
  supplier: SupplierOnDeparture
  onAct: (act: SupplierAct) => void
}

function SupplierLine({ supplier, onAct }: SupplierLineProps) {
  const { name, due, acts } = supplier
  const isUnknown = isMisinformed(supplier)
  const others = acts.filter((act) => act !== due)
  return (
    <li className="px-4 py-1.5 lg:px-6">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-48">
          <bdi className="block font-medium text-ink-strong">{name}</bdi>
          <ToldText supplier={supplier} />
        </span>
        {due !== null && (
          <Button size="sm" icon={Mail} variant={isUnknown ? 'primary' : 'secondary'} onClick={() => onAct(due)}>
            {actLabels[due]()}
          </Button>
        )}
        {others.map((act) => (
          <Button key={act} size="sm" variant="ghost" onClick={() => onAct(act)}>
            {actLabels[act]()}
          </Button>
        ))}
      </div>
      {isUnknown && (
        <Banner tone="warn" role="status" framed>
          {unknownText(supplier)}
        </Banner>
      )}
    </li>
  )
}

function ToldText({ supplier: { told, email } }: { supplier: SupplierOnDeparture }) {
  if (told === null)
    return <span className="text-ink-2">{email === null ? m.departures_supplier_no_email() : <Ltr>{email}</Ltr>}</span>
  const { act, at, to, guests } = told
  return (
    <span className="block text-ink-2">
      {toldLabels[act]({ time: formatDayTime(at), count: guests })} · <Ltr>{to}</Ltr>
    </span>
  )
}

const toldLabels: Readonly<Record<SupplierAct, (inputs: { time: string; count: number }) => string>> = {
  request: m.departures_supplier_requested,
  confirm: m.departures_supplier_confirmed,
  update: m.departures_supplier_updated,
  cancel: m.departures_supplier_cancelled,
}

function unknownText({ told, due, guests }: SupplierOnDeparture): string {
  if (told !== null && hasNotArrived(told)) return m.departures_supplier_failed({ to: told.to })
  if (due === 'cancel') return m.departures_supplier_unknown_cancelled()
  return told !== null && told.guests !== guests
    ? m.departures_supplier_unknown_guests({ before: told.guests, now: guests })
    : m.departures_supplier_unknown_change()
}
