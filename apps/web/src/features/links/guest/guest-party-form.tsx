import type { SharedParty } from '@tour-ops/contract/links/shared-page'
import { dietaryNeeds } from '@tour-ops/contract/travelers/needs'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { dietLabel } from '../../../records/traveler-flags.tsx'
import { unitLabel } from '../../../records/unit-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Field, TextArea, TextInput } from '../../../ui/field.tsx'

export type Person = SharedParty['people'][number]

type Details = Omit<Person, 'id' | 'version'>

/** What a guest says of everybody: who was named before, and who comes on seats that were open. */
export interface WholeParty {
  readonly people: readonly Person[]
  readonly named: readonly Named[]
}

type OpenSeat = SharedParty['openSeats'][number]
type Named = Details & { readonly unitType: OpenSeat }

export interface PartyFormProps {
  /** As the office has them now; what is typed stays when they change meanwhile. */
  people: readonly Person[]
  /** Seats on which nobody is named; a seat whose fields stay empty stays so. */
  openSeats: readonly OpenSeat[]
  pending: boolean
  /** Said why it was not saved: the guest knows by now that somebody else may have changed it. */
  wasRefused: boolean
  onSave: (whole: WholeParty) => void
  onCancel: () => void
}

const nobody: Details = { firstName: null, lastName: '', dietary: [], dietaryNote: null }

const isTyped = ({ firstName, lastName, dietary, dietaryNote }: Details): boolean =>
  [firstName, lastName, dietaryNote].some((text) => (text ?? '').trim() !== '') || dietary.length > 0

interface SeatsToName {
  seenSeats: readonly OpenSeat[]
  openSeats: readonly OpenSeat[]
  typed: Readonly<Record<string, Details>>
  /** Who was named since the form was opened. */
  newcomers: readonly Person[]
}

/**
 * Seats whose fields are shown. What is typed stays, also where others have named their people meanwhile; only not who is named by now, as after
 * an answer that was lost on its way.
 */
function seatsToName({ seenSeats, openSeats, typed, newcomers }: SeatsToName) {
  const seats = seenSeats
    .map((unitType, place) => ({ key: `seat ${place}`, unitType, ...nobody, ...typed[`seat ${place}`] }))
    .filter((seat) => !newcomers.some((one) => nameOf(one) === nameOf(seat)))
  const blanks = Math.max(0, openSeats.length - seats.filter(isTyped).length)
  const shownBlanks = new Set(seats.filter((seat) => !isTyped(seat)).slice(0, blanks))
  return seats.filter((seat) => isTyped(seat) || shownBlanks.has(seat))
}

const nameOf = ({ firstName, lastName }: Details): string => `${firstName?.trim() ?? ''} ${lastName.trim()}`

/** Names and diet of everybody in the party, in large fields. */
export function PartyForm({ people, openSeats, pending, wasRefused, onSave, onCancel }: PartyFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, Details>>>({})
  // As it was seen: what somebody else changes meanwhile is a conflict.
  const [seen] = useState(people)
  const [seenSeats] = useState(openSeats)
  const [isChecked, setChecked] = useState(false)
  const drafts = people.map((person) => ({ ...person, ...typed[person.id] }))
  const seats = seatsToName({
    seenSeats,
    openSeats,
    typed,
    newcomers: people.filter(({ id }) => !seen.some((one) => one.id === id)),
  })
  const named = seats.filter(isTyped)
  const isWhole = [...drafts, ...named].every(({ lastName }) => lastName.trim() !== '')
  const save = () => {
    setChecked(true)
    if (!isWhole) return
    const versions = new Map((wasRefused ? people : seen).map(({ id, version }) => [id, version]))
    onSave({
      people: drafts.map((draft) => ({ ...draft, version: versions.get(draft.id) ?? draft.version })),
      named: named.map(({ key: _key, ...person }) => person),
    })
  }
  return (
    <form
      className="grid gap-6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!pending) save()
      }}
    >
      {drafts.map((draft, index) => (
        <PersonFields
          key={draft.id}
          legend={m.links_party_guest({ number: index + 1 })}
          person={draft}
          isChecked={isChecked}
          onChange={(change) => {
            const { id, version: _version, ...before } = draft
            setTyped({ ...typed, [id]: { ...before, ...change } })
          }}
        />
      ))}
      {seats.map(({ key, unitType, ...before }, index) => (
        <PersonFields
          key={key}
          legend={m.links_party_seat({ number: people.length + index + 1, unit: unitLabel(unitType) })}
          person={before}
          isOptional
          isChecked={isChecked && isTyped(before)}
          onChange={(change) => setTyped({ ...typed, [key]: { ...before, ...change } })}
        />
      ))}
      <div className="grid gap-2">
        <Button type="submit" size="lg" variant="primary" className="w-full" pending={pending}>
          {m.links_party_save()}
        </Button>
        <Button size="lg" className="w-full" onClick={onCancel}>
          {m.ui_cancel()}
        </Button>
      </div>
    </form>
  )
}

interface PersonFieldsProps {
  legend: string
  person: Details
  /** Nobody has to be named here. */
  isOptional?: boolean
  /** Whether it was tried to save: until then nothing is called missing. */
  isChecked: boolean
  onChange: (change: Partial<Details>) => void
}

function PersonFields({ legend, person, isOptional = false, isChecked, onChange }: PersonFieldsProps) {
  const { firstName, lastName, dietary, dietaryNote } = person
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold text-ink-strong">{legend}</legend>
      <Field label={m.links_party_first_name()}>
        <TextInput
          value={firstName ?? ''}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => onChange({ firstName: event.target.value || null })}
        />
      </Field>
      <Field
        label={m.links_party_last_name()}
        required={!isOptional}
        error={isChecked && lastName.trim() === '' ? m.ui_words_fill_in() : undefined}
      >
        <TextInput
          value={lastName}
          maxLength={80}
          autoComplete="off"
          onChange={(event) => onChange({ lastName: event.target.value })}
        />
      </Field>
      <fieldset>
        <legend className="lbl">{m.travelers_diet()}</legend>
        <div className="grid grid-cols-2 gap-x-3">
          {dietaryNeeds.map((need) => (
            <Checkbox
              key={need}
              label={dietLabel(need)}
              className="min-h-11 py-2.5"
              checked={dietary.includes(need)}
              onChange={(event) =>
                onChange({
                  dietary: dietaryNeeds.filter((one) => (one === need ? event.target.checked : dietary.includes(one))),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <Field label={m.links_party_diet_note()}>
        <TextArea
          rows={2}
          value={dietaryNote ?? ''}
          maxLength={500}
          onChange={(event) => onChange({ dietaryNote: event.target.value || null })}
        />
      </Field>
    </fieldset>
  )
}
