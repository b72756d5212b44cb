import type { SharedParty } from '@tour-ops/contract/links/shared-page'
import { dietaryNeeds } from '@tour-ops/contract/travelers/needs'
import { useState } from 'react'
import { m } from '../../../paraglide/messages.js'
import { dietLabel } from '../../../records/traveler-flags.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { Field, TextArea, TextInput } from '../../../ui/field.tsx'

export type Person = SharedParty['people'][number]

export interface PartyFormProps {
  /** As the office has them now; what is typed stays when they change meanwhile. */
  people: readonly Person[]
  pending: boolean
  /** Said why it was not saved: the guest knows by now that somebody else may have changed it. */
  wasRefused: boolean
  onSave: (people: readonly Person[]) => void
  onCancel: () => void
}

type Details = Omit<Person, 'id' | 'version'>

/** Names and diet of everybody in the party, in large fields. */
export function PartyForm({ people, pending, wasRefused, onSave, onCancel }: PartyFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, Details>>>({})
  // As it was seen: what somebody else changes meanwhile is a conflict.
  const [seen] = useState(people)
  const [isChecked, setChecked] = useState(false)
  const drafts = people.map((person) => ({ ...person, ...typed[person.id] }))
  const isWhole = drafts.every(({ lastName }) => lastName.trim() !== '')
  const save = () => {
    setChecked(true)
    if (!isWhole) return
    const versions = new Map((wasRefused ? people : seen).map(({ id, version }) => [id, version]))
    onSave(drafts.map((draft) => ({ ...draft, version: versions.get(draft.id) ?? draft.version })))
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
          number={index + 1}
          person={draft}
          isChecked={isChecked}
          onChange={(change) => {
            const { id, version: _version, ...before } = draft
            setTyped({ ...typed, [id]: { ...before, ...change } })
          }}
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
  number: number
  person: Person
  /** Whether it was tried to save: until then nothing is called missing. */
  isChecked: boolean
  onChange: (change: Partial<Details>) => void
}

function PersonFields({ number, person, isChecked, onChange }: PersonFieldsProps) {
  const { firstName, lastName, dietary, dietaryNote } = person
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold text-ink-strong">{m.links_party_guest({ number })}</legend>
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
        required
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
