import type { TravelerFlag } from '@tour-ops/contract/bookings/manifest'
import { UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { GuestPicker, type PickedGuest } from './guest-picker.tsx'
import { unitLabel } from './booking-labels.ts'
import { travelerFlagLabel } from '../../records/traveler-flags.tsx'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatList } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { unitsOf } from './booking-choice.ts'
import type { BookingDraft, Person } from './use-booking-draft.ts'

export interface WhoFieldsProps {
  draft: BookingDraft
  person: Person & { flags?: readonly TravelerFlag[] | undefined }
}

/** Booking contact and other guests. */
export function WhoFields({ draft, person }: WhoFieldsProps) {
  return (
    <>
      <ContactField draft={draft} person={person} />
      <CompanionsField draft={draft} person={person} />
    </>
  )
}

function ContactField({ draft, person }: WhoFieldsProps) {
  const { contact } = draft.choices
  if (contact) {
    const set = (part: Partial<typeof contact>) => draft.set({ contact: { ...contact, ...part } })
    return (
      <fieldset className="grid gap-2">
        <legend className="lbl">{m.bookings_pays()}</legend>
        <Field label={m.bookings_contact_name()} required hideLabel>
          <TextInput
            value={contact.name}
            placeholder={m.bookings_contact_name()}
            maxLength={120}
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <div className="grid grid-cols-2 gap-2">
          <Field label={m.bookings_phone()} hideLabel>
            <TextInput
              type="tel"
              value={contact.phone}
              placeholder="+44 7700 900118"
              onChange={(event) => set({ phone: event.target.value })}
            />
          </Field>
          <Field label={m.bookings_email()} hideLabel>
            <TextInput
              type="email"
              value={contact.email}
              placeholder={m.bookings_email()}
              onChange={(event) => set({ email: event.target.value })}
            />
          </Field>
        </div>
        <div>
          <Button size="sm" icon={UserRound} onClick={() => draft.set({ contact: null })}>
            {m.bookings_pays_traveler({ name: person.name || m.bookings_the_traveler() })}
          </Button>
        </div>
      </fieldset>
    )
  }
  return (
    <div className="min-w-0">
      <span className="lbl">{m.bookings_pays()}</span>
      <div className="flex min-h-[52px] items-center gap-3 rounded-lg border border-ctl px-3 py-1.5">
        <Avatar name={person.name} size={32} tinted />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium text-ink-strong">{person.name || m.bookings_the_traveler()}</b>
          <Ltr className="block truncate text-ink-2">{person.phone ?? person.email ?? ''}</Ltr>
        </span>
        <IconButton
          small
          icon={X}
          iconSize={16}
          label={m.bookings_pays_other()}
          onClick={() => draft.set({ contact: { name: '', phone: '', email: '' } })}
        />
      </div>
    </div>
  )
}

function CompanionsField({ draft, person }: WhoFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const { companions } = draft.choices
  const names = companions.map((guest) => guest.name)
  return (
    <div className="min-w-0">
      <span className="lbl">{m.bookings_travels_along()}</span>
      <div className="flex min-h-[52px] items-center gap-3 rounded-lg border border-line px-3 py-1.5">
        <span className="min-w-0 flex-1">
          <b className="block truncate font-medium text-ink-strong">
            {names.length > 0
              ? formatList(names)
              : draft.party.pax > 1
                ? m.bookings_names_later()
                : m.bookings_nobody_along()}
          </b>
          <span className="block truncate text-ink-2">{companions.flatMap(needsOf).join(', ')}</span>
        </span>
        <Button size="sm" onClick={() => setOpen(true)}>
          {m.bookings_change()}
        </Button>
      </div>
      {isOpen && <CompanionsDialog draft={draft} person={person} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** `Zoe: nut allergy`, for those whose profile we know. */
const needsOf = (guest: PickedGuest): string[] =>
  (guest.flags ?? [])
    .filter((flag) => flag.endsWith('_allergy'))
    .map((flag) => m.bookings_needs({ name: guest.name, need: travelerFlagLabel(flag) }))

function CompanionsDialog({ draft, person, onClose }: WhoFieldsProps & { onClose: () => void }) {
  const { companions, isTraveling } = draft.choices
  const free = draft.party.pax - companions.length - (isTraveling ? 1 : 0)
  const units = unitsOf(draft.quantities).map((unit) => unit.unitType)
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.bookings_travels_along()}
      actions={
        <Button variant="primary" onClick={onClose}>
          {m.bookings_done()}
        </Button>
      }
    >
      <div className="grid gap-3">
        <Checkbox
          label={m.bookings_travels_too({ name: person.name || m.bookings_the_traveler() })}
          checked={isTraveling}
          onChange={(event) => draft.set({ isTraveling: event.target.checked })}
        />
        {companions.length > 0 && (
          <ul className="rounded-lg border border-line">
            {companions.map((guest, index) => (
              <li
                key={guest.travelerId ?? `${guest.name} ${index}`}
                className="flex min-h-10 items-center gap-2 border-t border-line px-3 first:border-t-0"
              >
                <span className="min-w-0 flex-1 truncate">
                  <b className="font-medium text-ink-strong">{guest.name}</b>{' '}
                  <span className="text-ink-2">· {unitLabel(guest.unitType)}</span>
                </span>
                <IconButton
                  small
                  icon={X}
                  iconSize={15}
                  label={m.bookings_remove_guest({ name: guest.name })}
                  onClick={() => draft.set({ companions: companions.filter((_, at) => at !== index) })}
                />
              </li>
            ))}
          </ul>
        )}
        {free > 0 ? (
          <GuestPicker
            unitTypes={units}
            exceptIds={[person.id, ...companions.map((guest) => guest.travelerId)].filter(
              (id) => id !== null && id !== undefined,
            )}
            onPick={(guest) => draft.set({ companions: [...companions, guest] })}
          />
        ) : (
          <p className="text-ink-2">{m.bookings_all_named()}</p>
        )}
      </div>
    </Dialog>
  )
}
