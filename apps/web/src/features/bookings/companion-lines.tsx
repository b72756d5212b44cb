import { dietaryNeeds, mobilityNeeds, type DietaryNeed, type MobilityNeed } from '@tour-ops/contract/travelers/needs'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { dietLabel, mobilityLabel, TravelerFlags } from '../../records/traveler-flags.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, NumberInput, Select, TextInput } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { callerKey, type Companion, nextKind, withLine } from './booking-choice.ts'
import { asksAge, needsChildSeat, type SeatedGuest } from './party-ages.ts'
import { unitLabel } from '../../records/unit-labels.ts'
import { namedIds } from './caller-field.tsx'
import { TravelerSearch } from './traveler-search.tsx'
import type { FormDraft } from './use-booking-draft.ts'

const lineGrid =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 sm:grid-cols-[minmax(0,1.5fr)_minmax(0,3fr)_auto]'
const needsGrid = 'grid grid-cols-2 items-end gap-2 max-sm:order-3 max-sm:col-span-2 sm:grid-cols-3'

/** Who travels, a line each: a name, the kind of seat, and what kitchen and crew must know. Names may follow later. */
export function CompanionLines({ draft }: { draft: FormDraft }) {
  const { caller, companions, isTraveling } = draft.choices
  const [addedKey, setAddedKey] = useState<number | null>(null)
  const own = draft.seated.caller ? 1 : 0
  const lines = [...(draft.seated.caller ? [draft.seated.caller] : []), ...draft.seated.lines]
  const unnamed = draft.party.pax - draft.named
  const free = draft.party.pax - own - companions.length
  const add = () => {
    const key = Math.max(0, ...companions.map((guest) => guest.key)) + 1
    const kinds = lines.map((guest) => guest.unitType)
    const unitType = nextKind(draft.party, draft.offer?.units ?? [], kinds)
    const line = { key, travelerId: null, name: '', unitType, diet: null, mobility: 'none', flags: [] } as const
    const untold = { note: '', age: undefined, childSeat: null }
    setAddedKey(key)
    draft.set((before) => ({ companions: [...before.companions, { ...line, ...untold }] }))
  }
  const change = (key: number, part: Partial<Companion>) => draft.set((before) => withLine(before, key, part))
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="lbl">{m.bookings_guests()}</legend>
      <div className="grid gap-2">
        {caller && (
          <Checkbox
            label={m.bookings_travels_too({ name: caller.name || m.bookings_the_traveler() })}
            checked={isTraveling}
            onChange={(event) => draft.set({ isTraveling: event.target.checked })}
          />
        )}
        {lines.length > 0 && (
          <ol className="grid gap-2">
            <li aria-hidden className={`${lineGrid} -mb-1 text-xs text-ink-2 max-sm:hidden`}>
              <span>{m.bookings_guest_name()}</span>
              <span className={needsGrid}>
                <span>{m.bookings_seat_kind()}</span>
                <span>{m.travelers_diet()}</span>
                <span>{m.travelers_mobility()}</span>
              </span>
              <span className="w-8" />
            </li>
            {lines.map((guest, at) => (
              <CompanionLine
                key={guest.key}
                number={at + 1}
                guest={guest}
                draft={draft}
                takesFocus={guest.key === addedKey}
                onChange={(part) => change(guest.key, part)}
                onRemove={() =>
                  draft.set((before) => ({ companions: before.companions.filter((one) => one.key !== guest.key) }))
                }
              />
            ))}
          </ol>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button size="sm" icon={Plus} disabled={free <= 0} onClick={add}>
            {m.bookings_add_name()}
          </Button>
          <span className="text-ink-2">
            {unnamed > 0 ? m.bookings_unnamed_later({ count: unnamed }) : m.bookings_all_named()}
          </span>
        </div>
      </div>
    </fieldset>
  )
}

interface CompanionLineProps {
  /** Of the party. */
  number: number
  guest: SeatedGuest
  draft: FormDraft
  takesFocus: boolean
  onChange: (part: Partial<Companion>) => void
  onRemove: () => void
}

function CompanionLine({ number, guest, draft, takesFocus, onChange, onRemove }: CompanionLineProps) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (takesFocus) line.current?.querySelector('input')?.focus()
  }, [takesFocus])
  const kinds = draft.party.units.map((unit) => unit.unitType)
  const isKnown = guest.travelerId !== null
  const { name } = guest
  const isCaller = guest.key === callerKey
  const isFixed = isCaller || guest.isBound
  // needs that were typed before a name are of who is named then; those of somebody who is known go with them
  const next = isKnown ? { ...nobody, ...noNeeds } : nobody
  return (
    <li ref={line} className={lineGrid}>
      {isFixed ? (
        <span className="min-w-0">
          <b className="block truncate font-medium text-ink-strong">{name || m.bookings_the_traveler()}</b>
          <span className="text-xs text-ink-2">{isCaller ? m.bookings_caller() : m.bookings_party_cannot_leave()}</span>
        </span>
      ) : (
        <TravelerSearch
          label={m.bookings_name_of({ number })}
          placeholder={m.bookings_guest_name()}
          exceptIds={namedIds(draft)}
          newFirst
          value={name === '' ? null : { value: guest.travelerId ?? name, label: name }}
          onPick={(row) =>
            onChange({
              travelerId: row.id,
              name: row.name,
              flags: row.flags,
              diet: null,
              mobility: null,
              age: undefined,
            })
          }
          onNew={(typed) => onChange({ ...next, name: typed.slice(0, 120) })}
          onClear={() => onChange({ ...next, name: '' })}
        />
      )}
      <div className={needsGrid}>
        <LineField caption={m.bookings_seat_kind()} label={m.bookings_kind_of({ number })}>
          <Select
            value={kinds.includes(guest.unitType) ? guest.unitType : (kinds[0] ?? guest.unitType)}
            onChange={(event) => onChange({ unitType: event.target.value as Companion['unitType'], isKindSaid: true })}
            options={kinds.map((value) => ({ value, label: unitLabel(value) }))}
          />
        </LineField>
        <LineField caption={m.travelers_diet()} label={m.bookings_diet_of({ number })}>
          <Select
            value={guest.diet ?? ''}
            placeholder={isKnown ? m.bookings_need_as_known() : m.bookings_diet_none()}
            onChange={(event) => onChange({ diet: (event.target.value || null) as DietaryNeed | null })}
            options={dietaryNeeds.map((value) => ({ value, label: dietLabel(value) }))}
          />
        </LineField>
        <LineField caption={m.travelers_mobility()} label={m.bookings_mobility_of({ number })}>
          <Select
            value={guest.mobility ?? (isKnown ? '' : 'none')}
            {...(isKnown && { placeholder: m.bookings_need_as_known() })}
            onChange={(event) => onChange({ mobility: (event.target.value || null) as MobilityNeed | null })}
            options={mobilityNeeds.map((value) => ({ value, label: mobilityLabel(value) }))}
          />
        </LineField>
      </div>
      <TripFields number={number} guest={guest} draft={draft} onChange={onChange} />
      {isFixed ? (
        <span className="w-8" />
      ) : (
        <IconButton
          small
          icon={X}
          iconSize={15}
          label={m.bookings_remove_guest({ name: name || m.bookings_name_of({ number }) })}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

/** What was said of somebody is not said of the next. */
const nobody = { travelerId: null, flags: [], age: undefined, isKindSaid: false } as const
const noNeeds = { diet: null, mobility: 'none', note: '', childSeat: null } as const

type TripFieldsProps = Pick<CompanionLineProps, 'number' | 'guest' | 'draft' | 'onChange'>

/** For this trip: an age where the price depends on it, a child seat for those who may need one, and a note for the crew. */
function TripFields({ number, guest, draft, onChange }: TripFieldsProps) {
  const prices = draft.offer?.units ?? []
  const price = prices.find(({ unitType }) => unitType === guest.unitType)
  const isYoung = price !== undefined && asksAge(price)
  const isAsked = isYoung || guest.fit === 'unfit'
  return (
    <div className="order-4 col-span-2 flex flex-wrap items-center gap-x-3 gap-y-2 sm:col-span-3">
      {guest.key !== callerKey && guest.flags.length > 0 && <TravelerFlags flags={guest.flags} max={3} />}
      {isAsked && (
        <Field label={m.bookings_age_of({ number })} hideLabel className={guest.onFile ? 'w-[120px]' : 'w-[72px]'}>
          <NumberInput
            min={0}
            max={120}
            placeholder={agePlaceholder(guest)}
            value={guest.years ?? ''}
            // the kind that followed from the age that was known stays
            onChange={(event) => onChange({ age: ageIn(event.target.value), unitType: guest.unitType })}
          />
        </Field>
      )}
      {isYoung && (
        <Checkbox
          label={m.bookings_child_seat()}
          aria-label={m.bookings_child_seat_of({ number })}
          checked={needsChildSeat(guest, prices)}
          onChange={(event) => onChange({ childSeat: event.target.checked })}
        />
      )}
      <Field label={m.bookings_note_of({ number })} hideLabel className="min-w-[160px] flex-1">
        <TextInput
          maxLength={300}
          placeholder={m.bookings_guest_note()}
          value={guest.note}
          onChange={(event) => onChange({ note: event.target.value })}
        />
      </Field>
    </div>
  )
}

/** What is known of an age that is not known to the year, or may not be seen. */
function agePlaceholder({ onFile }: SeatedGuest): string {
  if (!onFile) return m.bookings_age()
  return onFile.age ? m.bookings_age_between(onFile.age) : m.bookings_age_on_file()
}

function ageIn(typed: string): number | null {
  const age = Number.parseInt(typed, 10)
  return Number.isNaN(age) ? null : Math.min(120, Math.max(0, age))
}

interface LineFieldProps {
  /** Of its column, seen next to the field where there is no head of the list. */
  caption: string
  /** With the number of the guest. */
  label: string
  children: ReactNode
}

const LineField = ({ caption, label, children }: LineFieldProps) => (
  <div className="min-w-0">
    <span aria-hidden className="mb-0.5 block text-xs text-ink-2 sm:hidden">
      {caption}
    </span>
    <Field label={label} hideLabel>
      {children}
    </Field>
  </div>
)
