import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { nextStatuses, type StatusOf } from '@tour-ops/contract/state-machines'
import { createService, listSuppliers, serviceKinds, setServiceStatus } from '@tour-ops/contract/vehicles/vehicles'
import { Check, CircleDashed, CircleX, Clock, MoreHorizontal, Plus, Send, Share2 } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Calm, Chip } from '../../ui/chip.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field, NumberInput, Select, TextInput } from '../../ui/field.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { serviceKindLabels } from '../../records/service-labels.ts'
import { serviceStatusLabel } from './service-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { SupplierMessages } from './supplier-messages-later.ts'
import { useDepartureWrite } from './use-departure-write.ts'

type Service = Departure['services'][number]
type Status = StatusOf<'departure_services'>
type Kind = (typeof serviceKinds)[number]

const actLabels: Partial<Record<Status, () => string>> = {
  requested: m.departures_service_act_requested,
  confirmed: m.departures_service_act_confirmed,
  waitlisted: m.departures_service_act_waitlisted,
  declined: m.departures_service_act_declined,
  cancelled: m.departures_service_act_cancelled,
}
const kindLabel = (kind: string): string => serviceKindLabels[kind as Kind]?.() ?? kind

/** Whether the departure has suppliers, and who looks may write to them. */
export const writesToSuppliers = ({ status, services }: Departure, can: ReturnType<typeof useAccess>['can']): boolean =>
  can('departures:dispatch') && status !== 'draft' && services.some(({ supplierId }) => supplierId !== null)

/** Hotel nights, meals, tickets and permits of the departure, with the suppliers' answers. */
export function ServicesTab({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [isAdding, setAdding] = useState(false)
  const mayChange = can('departures:dispatch') && departure.status !== 'cancelled'
  const add = (
    <Button size="sm" icon={Plus} onClick={() => setAdding(true)}>
      {m.departures_service_add()}
    </Button>
  )
  return (
    <>
      {writesToSuppliers(departure, can) && <SupplierMessages departureId={departure.id} />}
      {departure.services.length === 0 ? (
        <Empty title={m.departures_services_empty()} actions={mayChange && add}>
          {m.departures_services_empty_text()}
        </Empty>
      ) : (
        <>
          <ul>
            {departure.services.map((service) => (
              <ServiceRow key={service.id} service={service} departure={departure} mayChange={mayChange} />
            ))}
          </ul>
          {mayChange && <div className="px-4 py-3 lg:px-6">{add}</div>}
        </>
      )}
      {isAdding && <ServiceDialog departure={departure} onClose={() => setAdding(false)} />}
    </>
  )
}

interface ServiceRowProps {
  service: Service
  departure: Departure
  mayChange: boolean
}

function ServiceRow({ service, departure, mayChange }: ServiceRowProps) {
  const [asksRef, setAsksRef] = useState(false)
  const write = useDepartureWrite(setServiceStatus, () => setAsksRef(false))
  const set = (to: Status, confirmationRef: string | null = null) =>
    write.mutate({ id: service.id, version: service.version, to, confirmationRef })
  const next = nextStatuses('departure_services', service.status)
  const share = useSupplierLink(departure, service)
  const acts: MenuAction[] = [
    ...(share ? [share] : []),
    ...(mayChange ? next : []).map((to) => ({
      key: to,
      label: actLabels[to]?.() ?? serviceStatusLabel(to),
      danger: to === 'cancelled',
      onSelect: () => (to === 'confirmed' ? setAsksRef(true) : set(to)),
    })),
  ]
  const details = [
    departure.dayCount > 1 && m.departures_day({ day: service.dayIndex }),
    kindLabel(service.kind),
    service.supplierName,
    service.quantity > 1 && `× ${service.quantity}`,
  ]
  return (
    <li className="border-b border-line">
      <div className="flex min-h-14 items-center gap-3 px-4 py-1.5 lg:px-6">
        <span className="min-w-0 flex-1">
          <span
            className={
              service.status === 'cancelled'
                ? 'block truncate text-ink-2 line-through'
                : 'block truncate font-medium text-ink-strong'
            }
          >
            {service.description}
          </span>
          <span className="block truncate text-xs text-ink-2">{details.filter(Boolean).join(' · ')}</span>
        </span>
        {service.confirmationRef && <Ltr className="text-xs text-ink-2">{service.confirmationRef}</Ltr>}
        <ServiceState status={service.status} />
        {acts.length > 0 && (
          <Menu
            label={m.departures_service_acts({ name: service.description })}
            icon={MoreHorizontal}
            align="end"
            items={acts}
          />
        )}
      </div>
      {write.error && !asksRef && (
        <p role="alert" className="px-4 pb-2 font-medium text-bad lg:px-6">
          {refusalText(write.error)}
        </p>
      )}
      {asksRef && (
        <ConfirmationDialog
          service={service}
          pending={write.isPending}
          error={write.error ? refusalText(write.error) : undefined}
          onClose={() => setAsksRef(false)}
          onConfirm={(reference) => set('confirmed', reference || null)}
        />
      )}
    </li>
  )
}

/** The way to a link that shows the supplier what it needs; null where there is nobody to show it to. */
function useSupplierLink({ id, status }: Departure, { supplierId, status: ofService }: Service): MenuAction | null {
  const { can } = useAccess()
  const navigate = useNavigate()
  const isOff = status === 'draft' || status === 'cancelled' || ofService === 'declined' || ofService === 'cancelled'
  if (supplierId === null || isOff || !can('links:manage')) return null
  return {
    key: 'share',
    label: m.departures_service_share(),
    icon: Share2,
    onSelect: () =>
      void navigate({
        to: '/tools/shared-links',
        search: { create: 'open', kind: 'supplier_manifest', for: id, supplier: supplierId },
      }),
  }
}

function ServiceState({ status }: { status: Status }) {
  const word = serviceStatusLabel(status)
  switch (status) {
    case 'confirmed':
      return (
        <Calm tone="ok" icon={Check}>
          {word}
        </Calm>
      )
    case 'requested':
      return <Calm icon={Send}>{word}</Calm>
    case 'cancelled':
      return <Calm icon={CircleX}>{word}</Calm>
    case 'to_request':
      return (
        <Chip tone="warn" icon={CircleDashed}>
          {word}
        </Chip>
      )
    case 'waitlisted':
      return (
        <Chip tone="warn" icon={Clock}>
          {word}
        </Chip>
      )
    case 'declined':
      return (
        <Chip tone="bad" icon={CircleX}>
          {word}
        </Chip>
      )
  }
}

interface ConfirmationDialogProps {
  service: Service
  pending: boolean
  error: string | undefined
  onClose: () => void
  onConfirm: (reference: string) => void
}

function ConfirmationDialog({ service, pending, error, onClose, onConfirm }: ConfirmationDialogProps) {
  const [reference, setReference] = useState('')
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => onConfirm(reference.trim())}
      title={m.departures_service_confirm_title({ name: service.description })}
      confirmLabel={m.departures_service_act_confirmed()}
      pending={pending}
      error={error}
    >
      <Field label={m.departures_service_reference()} hint={m.departures_optional()}>
        <TextInput value={reference} maxLength={80} onChange={(event) => setReference(event.target.value)} />
      </Field>
    </ConfirmDialog>
  )
}

function ServiceDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const [service, setService] = useState({
    kind: 'ticket' as Kind,
    supplierId: '',
    description: '',
    quantity: '',
    day: '1',
  })
  const { data: suppliers } = useQuery(callQuery(listSuppliers, { size: 200 }))
  const write = useDepartureWrite(createService, () => {
    toast(m.departures_service_added())
    onClose()
  })
  const set = (part: Partial<typeof service>) => setService({ ...service, ...part })
  const send = () =>
    write.mutate({
      departureId: departure.id,
      kind: service.kind,
      supplierId: service.supplierId || null,
      description: service.description,
      quantity: Number(service.quantity) || Math.max(1, departure.seatsConfirmed),
      dayIndex: Number(service.day) || 1,
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.departures_service_add()}
      confirmLabel={m.departures_service_add()}
      pending={write.isPending}
      disabledReason={service.description.trim() === '' ? m.departures_service_say() : undefined}
      error={write.error ? refusalText(write.error) : undefined}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={m.departures_service_description()} required className="sm:col-span-2">
          <TextInput
            value={service.description}
            maxLength={200}
            onChange={(event) => set({ description: event.target.value })}
          />
        </Field>
        <Field label={m.departures_service_kind()}>
          <Select
            value={service.kind}
            onChange={(event) => set({ kind: event.target.value as Kind })}
            options={serviceKinds.map((value) => ({ value, label: kindLabel(value) }))}
          />
        </Field>
        <Field label={m.departures_service_supplier()}>
          <Select
            value={service.supplierId}
            placeholder={m.departures_none()}
            onChange={(event) => set({ supplierId: event.target.value })}
            options={(suppliers?.rows ?? []).map((one) => ({ value: one.id, label: one.name }))}
          />
        </Field>
        <Field label={m.departures_service_quantity()}>
          <NumberInput
            min={1}
            placeholder={String(Math.max(1, departure.seatsConfirmed))}
            value={service.quantity}
            onChange={(event) => set({ quantity: event.target.value })}
          />
        </Field>
        {departure.dayCount > 1 && (
          <Field label={m.departures_service_day()}>
            <NumberInput
              min={1}
              max={departure.dayCount}
              value={service.day}
              onChange={(event) => set({ day: event.target.value })}
            />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  )
}
