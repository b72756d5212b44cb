import { useQuery } from '@tanstack/react-query'
import { listBookings } from '@tour-ops/contract/bookings/bookings'
import { getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { listTours } from '@tour-ops/contract/tours/tours'
import { getTraveler, listTravelers } from '@tour-ops/contract/travelers/travelers'
import { listServices } from '@tour-ops/contract/vehicles/vehicles'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatDayTimeThere, localDateOf } from '../../ui/format.ts'

const departureLabel = (row: { tourName: string; startsAt: string; timeZone: string }): string =>
  `${row.tourName} · ${formatDayTimeThere(row.startsAt, row.timeZone)}`

/** The departure that another screen sent people here with; null without one. */
export function useGivenDeparture(departureId: string | undefined): ComboboxOption | null {
  const { data } = useQuery({
    ...callQuery(getDeparture, { id: departureId ?? '' }),
    enabled: departureId !== undefined,
  })
  return data ? { value: data.id, label: departureLabel(data), detail: data.code } : null
}

/** The traveler whose page sent people here; null without one. */
export function useGivenTraveler(travelerId: string | undefined): ComboboxOption | null {
  const { data } = useQuery({ ...callQuery(getTraveler, { id: travelerId ?? '' }), enabled: travelerId !== undefined })
  return data ? { value: data.id, label: nameOf(data) } : null
}

const nameOf = ({ firstName, lastName }: { firstName: string | null; lastName: string }): string =>
  [firstName, lastName].filter(Boolean).join(' ')

interface SubjectFieldProps {
  value: ComboboxOption | null
  onChange: (option: ComboboxOption | null) => void
}

/** Entries that are offered at once. */
const offered = 30

export function DepartureField({ value, onChange }: SubjectFieldProps) {
  const [q, setQuery] = useState('')
  const [from] = useState(() => localDateOf(Date.now()))
  const { data, isFetching } = useQuery(callQuery(listDepartures, { q, filters: { from }, size: offered }))
  return (
    <Field label={m.monitoring_departure()} required>
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setQuery}
        loading={isFetching}
        placeholder={m.monitoring_search_departures()}
        options={(data?.rows ?? []).map((row) => ({ value: row.id, label: departureLabel(row), detail: row.code }))}
      />
    </Field>
  )
}

/** One tour, or all of them where none is chosen. */
export function TourField({ value, onChange }: SubjectFieldProps) {
  const [q, setQuery] = useState('')
  const { data, isFetching } = useQuery(callQuery(listTours, { q, size: offered }))
  return (
    <Field label={m.links_tour()}>
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setQuery}
        loading={isFetching}
        placeholder={m.links_all_tours()}
        options={(data?.rows ?? []).map((row) => ({ value: row.id, label: row.name, detail: row.code }))}
      />
    </Field>
  )
}

export function TravelerField({ value, onChange }: SubjectFieldProps) {
  const [q, setQuery] = useState('')
  const { data, isFetching } = useQuery(callQuery(listTravelers, { q, size: offered }))
  return (
    <Field label={m.links_traveler()} hint={m.links_traveler_hint()} required>
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setQuery}
        loading={isFetching}
        placeholder={m.links_search_travelers()}
        options={(data?.rows ?? []).map((row) => ({ value: row.id, label: row.name }))}
      />
    </Field>
  )
}

export function BookingField({
  value,
  onChange,
  departureId,
}: SubjectFieldProps & { departureId: string | undefined }) {
  const [q, setQuery] = useState('')
  const [from] = useState(() => localDateOf(Date.now()))
  const filters = departureId ? { departureId: [departureId] } : { from }
  const { data, isFetching } = useQuery(
    callQuery(listBookings, { q, filters: { ...filters, status: ['confirmed', 'on_hold'] }, size: offered }),
  )
  return (
    <Field label={m.links_booking()} required>
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setQuery}
        loading={isFetching}
        placeholder={m.links_search_bookings()}
        options={(data?.rows ?? []).map((row) => ({
          value: row.id,
          label: `${row.contact.name} · ${row.bookingRef}`,
          detail: `${row.tourName} · ${row.departureCode}`,
        }))}
      />
    </Field>
  )
}

interface SupplierFieldProps {
  /** Null while no departure is chosen. */
  departureId: string | null
  value: string
  onChange: (supplierId: string) => void
}

/** For whom the link is, among those who do something for the departure. */
export function SupplierField({ departureId, value, onChange }: SupplierFieldProps) {
  const { data } = useQuery({
    ...callQuery(listServices, { filters: { departureId: [departureId ?? ''] }, size: 200 }),
    enabled: departureId !== null,
  })
  const standing = (data?.rows ?? []).filter(({ status }) => status !== 'declined' && status !== 'cancelled')
  const names = new Map(standing.flatMap(({ supplier }) => (supplier ? [[supplier.id, supplier.name] as const] : [])))
  return (
    <Field label={m.links_supplier()} hint={m.links_supplier_field_hint()}>
      <Select
        value={names.has(value) ? value : ''}
        placeholder={m.links_supplier_none()}
        options={[...names].map(([id, name]) => ({ value: id, label: name }))}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
