import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Combobox } from '../../ui/combobox.tsx'
import { Field } from '../../ui/field.tsx'
import { formatCountry } from '../../ui/format.ts'
import { type Town, useTowns } from '../../backend/gazetteer.ts'

interface TownFieldProps {
  label: string
  hint?: string | undefined
  chosen: Town | null
  onChoose: (town: Town | null) => void
  className?: string | undefined
}

/** A town found by its name. */
export function TownField({ label, hint, chosen, onChoose, className }: TownFieldProps) {
  const [query, setQuery] = useState('')
  const { towns, isFetching, error, retry } = useTowns(query)
  const optionOf = (town: Town) => ({
    value: `${town.lat},${town.lng}`,
    label: town.name,
    detail: formatCountry(town.country),
  })
  return (
    <Field label={label} hint={hint} className={className}>
      <Combobox
        options={towns.map(optionOf)}
        value={chosen && optionOf(chosen)}
        onChange={(option) => onChoose(towns.find((town) => optionOf(town).value === option?.value) ?? null)}
        onSearch={(words) => {
          setQuery(words)
          if (error) retry()
        }}
        loading={isFetching}
        placeholder={m.tours_find_town()}
        emptyText={error ? m.tours_towns_unreachable() : m.tours_no_town()}
      />
    </Field>
  )
}
