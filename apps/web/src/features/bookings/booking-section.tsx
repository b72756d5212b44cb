import { useRef } from 'react'
import { DayStrip, shownDays, StartList } from './availability.tsx'
import { channelOptionsOf } from './booking-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { languageOptions } from '../../records/languages.ts'
import { RadioCards } from '../../ui/choice.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { FormSection } from '../../ui/form/form.tsx'
import { addDays, formatMoment, formatTimeThere } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { holdEnd } from './booking-choice.ts'
import { CallerField } from './caller-field.tsx'
import { CompanionLines } from './companion-lines.tsx'
import { RefusalBanner } from './refusal-banner.tsx'
import { FormHolds } from './form-holds.tsx'
import { PickupOnMap } from './pickup-on-map.tsx'
import { PriceFields } from './price-fields.tsx'
import type { BookingDraft, FormDraft } from './use-booking-draft.ts'
import { UnitSteppers } from './unit-steppers.tsx'

export interface BookingSectionProps {
  draft: BookingDraft
  onBook: (options: Parameters<BookingDraft['book']>[0]) => void
}

/**
 * A booking in four steps: departure, seats, who and where, hold or confirm. Availability is live; a refusal is shown at the place of
 * the mistake. See docs/screens.md, "Booking".
 */
export function BookingSection({ draft, onBook }: BookingSectionProps) {
  const days = useRef<HTMLDivElement>(null)
  const otherDays = () => {
    const next = draft.offer?.days.find(
      (day) => day.seatsLeft >= draft.party.pax && day.localDate !== draft.day?.localDate,
    )
    if (next) draft.set({ day: next.localDate, departureId: null, pickupId: null })
    else draft.set({ from: addDays(draft.from, shownDays), day: null, departureId: null, pickupId: null })
    days.current?.querySelector<HTMLElement>('[aria-pressed=true], button:not(:disabled)')?.focus()
  }
  return (
    <>
      <FormSection number={1} title={m.bookings_departure()} aside={<LiveMark held={draft.held} />} columns={1}>
        <div ref={days}>
          <DepartureFields draft={draft} />
        </div>
      </FormSection>
      {draft.departure && (
        <>
          <GuestFields draft={draft} onBook={onBook} onOtherDays={otherDays} />
          <FormSection number={3} title={m.bookings_who_and_where()}>
            <CallerField draft={draft} />
            <CompanionLines draft={draft} />
            <PickupField draft={draft} />
            <Field label={m.bookings_channel()}>
              <Select
                value={draft.choices.channel}
                onChange={(event) => draft.set({ channel: event.target.value as 'phone' })}
                options={channelOptionsOf(draft.choices.channel)}
              />
            </Field>
            <LanguageAndNotes draft={draft} />
          </FormSection>
          <FormSection number={4} title={m.bookings_hold_or_confirm()} columns={1}>
            <HoldOrConfirm draft={draft} />
            <PriceFields draft={draft} />
          </FormSection>
        </>
      )}
    </>
  )
}

/** The language that the contact is written to in, and what the office notes. */
export function LanguageAndNotes({ draft }: { draft: FormDraft }) {
  const language = draft.choices.language ?? draft.choices.caller?.language ?? null
  const languages = languageOptions(language === null ? [] : [language])
  return (
    <>
      <Field label={m.bookings_language()}>
        <Combobox
          value={languages.find(({ value }) => value === language) ?? null}
          onChange={(option) => draft.set({ language: option?.value ?? null })}
          options={languages}
        />
      </Field>
      <Field label={m.bookings_notes()}>
        <TextInput
          maxLength={2000}
          value={draft.choices.notes}
          onChange={(event) => draft.set({ notes: event.target.value })}
        />
      </Field>
    </>
  )
}

/** That the seats shown are those of this moment, and those chosen are nobody else's meanwhile. */
const LiveMark = ({ held }: { held: number }) =>
  held > 0 ? <HeldSeats count={held} /> : <Live>{m.bookings_seats_live()}</Live>

/** Seats that the form holds. */
export const HeldSeats = ({ count }: { count: number }) => <Live>{m.bookings_held_while_open({ count })}</Live>

const Live = ({ children }: { children: string }) => (
  <span className="inline-flex items-center gap-2">
    <span className="dot" aria-hidden />
    {children}
  </span>
)

/** Tour, day and departure. */
export function DepartureFields({ draft }: { draft: FormDraft }) {
  const { tour, tours, offer, day, departure, party } = draft
  return (
    <div className="grid gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,210px)_minmax(0,1fr)]">
        <Field label={m.bookings_tour()}>
          <Select
            value={tour?.id ?? ''}
            placeholder={m.bookings_choose_tour()}
            onChange={(event) =>
              draft.set({
                tourId: event.target.value || null,
                from: null,
                day: null,
                departureId: null,
                quantities: null,
                totalMinor: null,
                pickupId: null,
              })
            }
            options={(tours ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        {offer && tour && (
          <DayStrip
            days={offer.days}
            from={draft.from}
            earliest={draft.today}
            asked={party.pax}
            value={day?.localDate ?? null}
            onChange={(localDate) => draft.set({ day: localDate, departureId: null, pickupId: null })}
            onFrom={(from) => draft.set({ from, day: null, departureId: null, pickupId: null })}
          />
        )}
      </div>
      {draft.offerError && (
        <ErrorPanel
          message={refusalText(draft.offerError)}
          requestId={draft.offerError.details.requestId}
          onRetry={draft.retry}
        />
      )}
      {tours?.length === 0 && <Empty title={m.bookings_no_tours()}>{m.bookings_no_tours_text()}</Empty>}
      {tour && !offer && !draft.offerError && <SkeletonRows rows={3} />}
      {tour && offer && !day && <p className="text-ink-2">{m.bookings_no_departures_week()}</p>}
      {tour && day && (
        <StartList
          label={m.bookings_departure()}
          departures={day.departures}
          zone={offer?.timeZone ?? ''}
          value={departure?.id ?? null}
          asked={party.pax}
          allowsFull
          onChange={(departureId) => draft.set({ departureId, pickupId: null })}
        />
      )}
      {departure && offer && <FormHolds holds={departure.formHolds} zone={offer.timeZone} />}
    </div>
  )
}

interface GuestFieldsProps extends BookingSectionProps {
  onOtherDays: () => void
}

function GuestFields({ draft, onBook, onOtherDays }: GuestFieldsProps) {
  const { offer, quantities, party } = draft
  const prices = offer?.units ?? []
  const [first] = prices
  return (
    <FormSection
      number={2}
      title={m.bookings_guests()}
      columns={1}
      aside={first && m.bookings_prices_in({ currency: first.currency })}
    >
      <RefusalBanner draft={draft} onBook={onBook} onOtherDays={onOtherDays} />
      <UnitSteppers prices={prices} quantities={quantities} onChange={(next) => draft.set({ quantities: next })} />
      {party.pax === 0 && <p className="text-xs font-medium text-bad">{m.bookings_one_guest()}</p>}
      {party.lacksAdult && <p className="text-xs font-medium text-bad">{m.bookings_needs_adult()}</p>}
    </FormSection>
  )
}

export function PickupField({ draft }: { draft: FormDraft }) {
  const pickups = draft.departure?.pickups ?? []
  const choose = (pickupId: string) => draft.set({ pickupId })
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Field label={m.bookings_pickup()} className="min-w-[180px] flex-1">
        <Select
          value={draft.choices.pickupId ?? ''}
          placeholder={m.bookings_pickup_none()}
          onChange={(event) => choose(event.target.value)}
          options={pickups.map((pickup) => ({
            value: pickup.stopId,
            label: `${formatTimeThere(pickup.at, draft.offer?.timeZone)} ${pickup.placeName}`,
          }))}
        />
      </Field>
      <PickupOnMap
        pickups={pickups}
        zone={draft.offer?.timeZone}
        value={draft.choices.pickupId ?? ''}
        onChoose={choose}
      />
    </div>
  )
}

function HoldOrConfirm({ draft }: Pick<BookingSectionProps, 'draft'>) {
  const { departure, offer, choices, holdMinutes } = draft
  if (!departure || !offer) return null
  const told = (choices.contact ?? choices.caller)?.name
  return (
    <RadioCards
      label={m.bookings_hold_or_confirm()}
      hideLabel
      value={choices.mode}
      onChange={(mode) => draft.set({ mode })}
      options={[
        {
          value: 'hold',
          label: m.bookings_mode_hold(),
          hint: m.bookings_mode_hold_hint({
            time: formatMoment(holdEnd(draft.now, holdMinutes, departure.startsAt), offer.timeZone),
          }),
        },
        {
          value: 'confirm',
          label: m.bookings_mode_confirm(),
          hint: told ? m.bookings_mode_confirm_hint({ name: told }) : m.bookings_mode_confirm_hint_nobody(),
        },
      ]}
    />
  )
}
