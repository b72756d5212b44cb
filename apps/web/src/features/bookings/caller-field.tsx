import type { TravelerRow } from '@tour-ops/contract/travelers/travelers'
import { UserRound, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { entryProblem } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { TravelerFlags } from '../../records/traveler-flags.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { callerFrom, type Person } from './booking-choice.ts'
import { TravelerSearch } from './traveler-search.tsx'
import type { BookingDraft, FormDraft, OtherContact } from './use-booking-draft.ts'

/** Who calls: somebody known by phone, e-mail or name, else a name and how they are reached; and who pays, where that is somebody else. */
export function CallerField({ draft }: { draft: BookingDraft }) {
  const { caller, contact } = draft.choices
  const [wasChosen, setChosen] = useState(false)
  const choose = (person: Person | null) => {
    setChosen(true)
    draft.set({ caller: person, own: {}, language: null })
  }
  return (
    <div className="grid gap-3 sm:col-span-2">
      {caller === null ? (
        <Field label={m.bookings_caller()} hint={m.bookings_caller_hint()}>
          <TravelerSearch
            exceptIds={namedIds(draft)}
            onPick={(row) => choose(personOf(row))}
            onNew={(typed) => choose(callerFrom(typed))}
          />
        </Field>
      ) : caller.id === null ? (
        <NewCaller draft={draft} caller={caller} onOther={() => choose(null)} takesFocus={wasChosen} />
      ) : (
        <KnownCaller caller={caller} onOther={() => choose(null)} takesFocus={wasChosen} />
      )}
      {caller && contact && <OtherContactFields draft={draft} contact={contact} name={caller.name} />}
      {caller && !contact && (
        <div>
          <Button size="sm" icon={UserRound} onClick={() => draft.set({ contact: { name: '', phone: '', email: '' } })}>
            {m.bookings_pays_other()}
          </Button>
        </div>
      )}
    </div>
  )
}

/** People who are on this booking already. */
export const namedIds = ({ choices: { caller, companions } }: FormDraft): string[] =>
  [caller?.id, ...companions.map((guest) => guest.travelerId)].filter((id) => id !== null && id !== undefined)

const personOf = ({ id, name, phone, email, languages, flags }: TravelerRow): Person => ({
  id,
  name,
  phone,
  email,
  language: languages[0] ?? null,
  flags,
})

interface CallerProps {
  caller: Person
  onOther: () => void
  /** After a choice that took the field away in which it was made. */
  takesFocus: boolean
}

function KnownCaller({ caller, onOther, takesFocus }: CallerProps) {
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) card.current?.focus()
  }, [takesFocus])
  return (
    <div className="min-w-0">
      <span className="lbl">{m.bookings_caller()}</span>
      <div
        ref={card}
        tabIndex={-1}
        role="group"
        aria-label={`${m.bookings_caller()}: ${caller.name}`}
        className="flex min-h-[52px] items-center gap-3 rounded-lg border border-ctl px-3 py-1.5"
      >
        <Avatar name={caller.name} size={32} tinted />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium text-ink-strong">{caller.name}</b>
          <Ltr className="block truncate text-ink-2">{caller.phone ?? caller.email ?? ''}</Ltr>
        </span>
        <TravelerFlags flags={caller.flags} />
        <IconButton small icon={X} iconSize={16} label={m.bookings_caller_other()} onClick={onOther} />
      </div>
    </div>
  )
}

function NewCaller({ draft, caller, onOther, takesFocus }: CallerProps & { draft: BookingDraft }) {
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    const fields = [...(box.current?.querySelectorAll('input') ?? [])]
    fields.find((field) => field.value === '')?.focus()
  }, [takesFocus])
  const set = (part: Partial<Person>) => draft.set({ caller: { ...caller, ...part } })
  // somebody new is the contact, unless somebody else pays, and the first guest, unless they stay at home
  const problem = (field: 'name' | 'phone' | 'email') =>
    (draft.choices.contact ? undefined : entryProblem(draft.error, `contact.${field}`)) ??
    (draft.choices.isTraveling
      ? entryProblem(draft.error, `guests.0.${field === 'name' ? 'lastName' : field}`)
      : undefined)
  return (
    <fieldset ref={box} className="min-w-0">
      <legend className="lbl">{m.bookings_new_guest()}</legend>
      <div className="flex items-start gap-2">
        <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1.3fr)]">
          <Field label={m.bookings_guest_name()} required hideLabel error={problem('name')}>
            <TextInput
              value={caller.name}
              placeholder={m.bookings_guest_name()}
              maxLength={120}
              autoComplete="off"
              onChange={(event) => set({ name: event.target.value })}
            />
          </Field>
          <Field label={m.bookings_phone()} hideLabel error={problem('phone')}>
            <TextInput
              type="tel"
              value={caller.phone ?? ''}
              placeholder="+44 7700 900118"
              autoComplete="off"
              onChange={(event) => set({ phone: event.target.value })}
            />
          </Field>
          <Field label={m.bookings_email()} hideLabel error={problem('email')}>
            <TextInput
              type="email"
              value={caller.email ?? ''}
              placeholder={m.bookings_email()}
              autoComplete="off"
              onChange={(event) => set({ email: event.target.value })}
            />
          </Field>
        </div>
        <IconButton icon={X} iconSize={16} label={m.bookings_caller_other()} onClick={onOther} />
      </div>
      {!caller.phone?.trim() && !caller.email?.trim() && (
        <p className="mt-1 text-xs text-ink-2">{m.bookings_caller_unreachable()}</p>
      )}
    </fieldset>
  )
}

interface ContactProps {
  draft: FormDraft
  contact: OtherContact
}

interface OtherContactProps extends ContactProps {
  draft: BookingDraft
  /** Of the caller, who may pay after all. */
  name: string
}

/** Who pays and is written to. */
export function ContactFields({ draft, contact }: ContactProps) {
  const set = (part: Partial<typeof contact>) => draft.set({ contact: { ...contact, ...part } })
  return (
    <div className="grid gap-2 sm:grid-cols-3">
      <Field label={m.bookings_contact_name()} required hideLabel error={entryProblem(draft.error, 'contact.name')}>
        <TextInput
          value={contact.name}
          placeholder={m.bookings_contact_name()}
          maxLength={120}
          onChange={(event) => set({ name: event.target.value })}
        />
      </Field>
      <Field label={m.bookings_phone()} hideLabel error={entryProblem(draft.error, 'contact.phone')}>
        <TextInput
          type="tel"
          value={contact.phone}
          placeholder="+44 7700 900118"
          onChange={(event) => set({ phone: event.target.value })}
        />
      </Field>
      <Field label={m.bookings_email()} hideLabel error={entryProblem(draft.error, 'contact.email')}>
        <TextInput
          type="email"
          value={contact.email}
          placeholder={m.bookings_email()}
          onChange={(event) => set({ email: event.target.value })}
        />
      </Field>
    </div>
  )
}

function OtherContactFields({ draft, contact, name }: OtherContactProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="lbl">{m.bookings_pays()}</legend>
      <ContactFields draft={draft} contact={contact} />
      <div>
        <Button size="sm" icon={UserRound} onClick={() => draft.set({ contact: null })}>
          {m.bookings_pays_traveler({ name: name || m.bookings_the_traveler() })}
        </Button>
      </div>
    </fieldset>
  )
}
