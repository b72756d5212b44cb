import { useQuery } from '@tanstack/react-query'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { issueEquipment, listAvailableEquipment } from '@tour-ops/contract/equipment/equipment-issues'
import { Backpack } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { NumberInput } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

type Equipment = Departure['equipment']

/** What goes along, as one line: `12 × Ice cleats, 2 × Child seats`. */
export const equipmentLine = (equipment: Equipment): string =>
  equipment.map(({ quantity, name }) => m.departures_equipment_count({ quantity, name })).join(', ')

const over: readonly Departure['status'][] = ['cancelled', 'completed', 'aborted']

/** Equipment that goes with the departure, and for the office the way to issue some. */
export function EquipmentSection({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [isOpen, setOpen] = useState(false)
  const { equipment } = departure
  const mayChange = can('departures:dispatch') && !over.includes(departure.status)
  if (equipment.length === 0 && !mayChange) return null
  return (
    <section
      aria-label={m.departures_equipment()}
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 lg:px-6"
    >
      <div className="min-w-0 flex-1">
        <h3 className="text-xs text-ink-2">{m.departures_equipment()}</h3>
        {equipment.length === 0 ? (
          <p className="text-ink-2">{m.departures_equipment_none()}</p>
        ) : (
          <ul>
            {equipment.map(({ equipmentId, name, sizes, quantity }) => (
              <li key={equipmentId}>
                <span className="num">{m.departures_equipment_count({ quantity, name })}</span>
                {sizes && <span className="text-xs text-ink-2"> {sizes}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      {mayChange && (
        <Button size="sm" icon={Backpack} onClick={() => setOpen(true)}>
          {equipment.length === 0 ? m.departures_equipment_issue() : m.departures_equipment_change()}
        </Button>
      )}
      {isOpen && <EquipmentDialog departure={departure} onClose={() => setOpen(false)} />}
    </section>
  )
}

function EquipmentDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const { data, error, refetch } = useQuery(callQuery(listAvailableEquipment, { departureId: departure.id }))
  // Only what the person changed is sent: a colleague may issue something else meanwhile.
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const write = useDepartureWrite(issueEquipment, () => {
    toast(m.departures_equipment_saved())
    onClose()
  })
  const issued = (id: string): number =>
    departure.equipment.find(({ equipmentId }) => equipmentId === id)?.quantity ?? 0
  const items = Object.entries(changed)
    .map(([equipmentId, text]) => ({ equipmentId, quantity: Number(text) }))
    .filter(({ equipmentId, quantity }) => quantity !== issued(equipmentId))
  const send = () => (items.length === 0 ? onClose() : write.mutate({ departureId: departure.id, items }))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.departures_equipment_issue()}
      confirmLabel={m.departures_save()}
      pending={write.isPending}
      error={write.error ? refusalText(write.error) : undefined}
    >
      {error && (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonRows rows={4} />}
      {data?.rows.length === 0 && <p className="text-ink-2">{m.departures_equipment_list_empty()}</p>}
      {data && data.rows.length > 0 && (
        <ul className="rounded-lg border border-line">
          {data.rows.map(({ id, name, sizes, quantity, free }) => (
            <li key={id} className="flex min-h-12 items-center gap-3 border-t border-line px-3 py-1.5 first:border-t-0">
              <span className="min-w-0 flex-1">
                <b className="font-medium text-ink-strong">{name}</b>
                <span className="num block text-xs text-ink-2">
                  {[m.departures_equipment_free({ free, quantity }), sizes].filter(Boolean).join(' · ')}
                </span>
              </span>
              <span className="w-24">
                <NumberInput
                  aria-label={m.departures_equipment_quantity({ name })}
                  min={0}
                  max={free}
                  placeholder="0"
                  value={changed[id] ?? (issued(id) || '')}
                  onChange={(event) => setChanged({ ...changed, [id]: event.target.value })}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
