import { listTravelers, type TravelerRow } from '@tour-ops/contract/travelers/travelers'
import { useState } from 'react'
import { useLookup } from '../../app/lookup-query.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'

export interface TravelerSearchProps {
  /** People who are named already. */
  exceptIds: readonly string[]
  onPick: (traveler: TravelerRow) => void
  /** Left out: only people who are known. */
  onNew?: ((typed: string) => void) | undefined
  /** A new name is more likely than a known one. */
  newFirst?: boolean | undefined
  value?: ComboboxOption | null | undefined
  onClear?: (() => void) | undefined
  label?: string | undefined
  placeholder?: string | undefined
}

/** Finds a traveler by name, phone or e-mail, or takes what was typed as somebody new. */
export function TravelerSearch({
  exceptIds,
  onPick,
  onNew,
  newFirst,
  value = null,
  onClear,
  label,
  placeholder = m.bookings_find_traveler_hint(),
}: TravelerSearchProps) {
  const [words, setWords] = useState('')
  const { data, isLooking } = useLookup(callQuery(listTravelers, { q: words, size: 20 }))
  const found = (data?.rows ?? []).filter((row) => !exceptIds.includes(row.id))
  return (
    <Combobox
      label={label}
      value={value}
      onSearch={setWords}
      loading={isLooking}
      placeholder={placeholder}
      options={found.map((row) => ({ value: row.id, label: row.name, detail: row.phone ?? row.email ?? undefined }))}
      onChange={(option) => {
        const row = found.find((one) => one.id === option?.value)
        if (row) onPick(row)
        else if (option === null) onClear?.()
      }}
      {...(onNew && {
        onCreate: onNew,
        createLabel: (typed: string) => m.bookings_new_guest_named({ name: typed }),
        createsFirst: newFirst,
      })}
    />
  )
}
