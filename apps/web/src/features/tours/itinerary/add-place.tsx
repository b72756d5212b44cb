import { useQuery } from '@tanstack/react-query'
import { listPlaces } from '@tour-ops/contract/places/places'
import { MapPinPlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Field } from '../../../ui/field.tsx'
import { placeKindLabels } from '../tour-labels.ts'
import { PlaceDialog } from './place-dialog.tsx'
import type { KnownPlace } from './use-places.ts'

/** Places that a search offers. */
const offered = 20

export interface AddPlaceProps {
  timeZone: string
  /** A place that the book may not know yet. */
  onAdd: (place: KnownPlace) => void
}

/** Finds a place of the organization, or makes a new one, and puts it at the end of the day. */
export function AddPlace({ timeZone, onAdd }: AddPlaceProps) {
  const [query, setQuery] = useState('')
  const [isNew, setNew] = useState(false)
  // The field empties itself after each choice.
  const [round, setRound] = useState(0)
  const field = useRef<HTMLDivElement>(null)
  // The list above grows by what was added and pushes the field down: the next place is typed where the last one was.
  useEffect(() => {
    if (round === 0) return
    field.current?.querySelector('input')?.focus({ preventScroll: true })
    field.current?.scrollIntoView({ block: 'nearest' })
  }, [round])
  const { data, isFetching } = useQuery(callQuery(listPlaces, { q: query, size: offered }))
  const found = data?.rows ?? []
  const choose = (id: string | undefined) => {
    const place = found.find((each) => each.id === id)
    if (!place) return
    onAdd(place)
    setQuery('')
    setRound(round + 1)
  }
  return (
    // The button is above the field: below, the field's list would cover it.
    <div ref={field} className="grid gap-2 border-t border-line p-3">
      <Button icon={MapPinPlus} variant="ghost" className="justify-self-start" onClick={() => setNew(true)}>
        {m.tours_new_place()}
      </Button>
      <Field label={m.tours_add_place()}>
        <Combobox
          key={round}
          options={found.map(({ id, name, kind }) => ({ value: id, label: name, detail: placeKindLabels[kind]() }))}
          value={null}
          onChange={(option) => choose(option?.value)}
          onSearch={setQuery}
          loading={isFetching}
          placeholder={m.tours_find_place()}
          emptyText={m.tours_no_place_found({ button: m.tours_new_place() })}
        />
      </Field>
      {isNew && (
        <PlaceDialog
          timeZone={timeZone}
          name={query}
          onClose={() => setNew(false)}
          onCreated={(place) => {
            onAdd(place)
            setNew(false)
          }}
        />
      )}
    </div>
  )
}
