import type { TravelerFlag } from '@tour-ops/contract/bookings/manifest'
import type { UnitType } from '@tour-ops/contract/units'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { unitLabel } from '../../records/unit-labels.ts'
import { TravelerSearch } from './traveler-search.tsx'

/** Somebody known by id, or a name that makes a new profile. */
export interface PickedGuest {
  travelerId?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  name: string
  unitType: UnitType
  /** For this trip. */
  note?: string | undefined
  flags?: readonly TravelerFlag[] | undefined
}

export interface GuestPickerProps {
  unitTypes: readonly UnitType[]
  /** People who are named already. */
  exceptIds: readonly string[]
  onPick: (guest: PickedGuest) => void
}

/** Finds a traveler, or takes a new name. */
export function GuestPicker({ unitTypes, exceptIds, onPick }: GuestPickerProps) {
  const [mode, setMode] = useState<'known' | 'new'>('known')
  const [name, setName] = useState({ firstName: '', lastName: '' })
  const [wanted, setUnitType] = useState<UnitType | null>(null)
  const unitType = wanted !== null && unitTypes.includes(wanted) ? wanted : (unitTypes[0] ?? 'adult')
  const addNew = () => {
    const firstName = name.firstName.trim()
    const lastName = name.lastName.trim()
    onPick({ firstName, lastName, name: [firstName, lastName].filter(Boolean).join(' '), unitType })
    setName({ firstName: '', lastName: '' })
  }
  return (
    <div className="grid gap-3 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-end gap-3">
        <Segments
          label={m.bookings_guest_kind()}
          value={mode}
          onChange={setMode}
          items={[
            { key: 'known', label: m.bookings_guest_known() },
            { key: 'new', label: m.bookings_guest_new() },
          ]}
        />
        {unitTypes.length > 1 && (
          <Field label={m.bookings_seat_kind()} className="w-[140px]">
            <Select
              value={unitType}
              onChange={(event) => setUnitType(event.target.value as UnitType)}
              options={unitTypes.map((value) => ({ value, label: unitLabel(value) }))}
            />
          </Field>
        )}
      </div>
      {mode === 'known' ? (
        <Field label={m.bookings_find_traveler()}>
          <TravelerSearch
            exceptIds={exceptIds}
            onPick={(row) => onPick({ travelerId: row.id, name: row.name, unitType, flags: row.flags })}
          />
        </Field>
      ) : (
        <div className="grid gap-3 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
          <Field label={m.bookings_first_name()}>
            <TextInput
              value={name.firstName}
              maxLength={80}
              onChange={(event) => setName({ ...name, firstName: event.target.value })}
            />
          </Field>
          <Field label={m.bookings_last_name()} required>
            <TextInput
              value={name.lastName}
              maxLength={80}
              onChange={(event) => setName({ ...name, lastName: event.target.value })}
            />
          </Field>
          <Button disabled={name.lastName.trim() === ''} onClick={addNew}>
            {m.bookings_add_guest()}
          </Button>
        </div>
      )}
    </div>
  )
}
