import { useNavigate, useRouter } from '@tanstack/react-router'
import { type Booking, getBooking } from '@tour-ops/contract/bookings/bookings'
import { takesSeats } from '@tour-ops/contract/bookings/party'
import type { reviseBooking } from '@tour-ops/contract/bookings/revise'
import type { Out } from '@tour-ops/contract/callable'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { FormSection, LeaveDialog } from '../../ui/form/form.tsx'
import { formatDayTimeThere } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { BookingChecks } from './booking-checks.tsx'
import { contactIn } from './booking-edit.ts'
import { bookingStatusLabel, channelOptionsOf, unitCount } from './booking-labels.ts'
import { DepartureFields, HeldSeats, LanguageAndNotes, PickupField } from './booking-section.tsx'
import { isLiving } from './booking-status.tsx'
import { ContactFields } from './caller-field.tsx'
import { CompanionLines } from './companion-lines.tsx'
import { EditedPrice, EditSummary, totalText } from './edit-booking-money.tsx'
import { TravelerSearch } from './traveler-search.tsx'
import { UnitSteppers } from './unit-steppers.tsx'
import { type BookingEdit, useBookingEdit } from './use-booking-edit.ts'
import { useRestoreRevision } from './use-restore.ts'

/** A booking that is changed on the screen on which it was sold, at `/travelers/book?edit={id}`. See docs/screens.md, "Booking". */
export function EditBooking({ id }: { id: string }) {
  const { data: booking } = useScreenQuery(callQuery(getBooking, { id }))
  if (!booking) return undefined
  if (!isLiving(booking.status)) return <ClosedBooking booking={booking} />
  return <EditForm current={booking} />
}

/** Back to where the booking was opened, or to its drawer. */
function useWayBack({ id }: Booking): () => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  return () =>
    history.canGoBack() ? history.back() : void navigate({ to: '/travelers/list', search: { booking: id } })
}

/** The tab says which booking is edited, and not what the screen is called otherwise. */
function useTitle({ bookingRef }: Booking): void {
  const title = m.bookings_edit_title({ ref: bookingRef })
  useEffect(() => {
    const before = document.title
    document.title = `${title} · ${m.app_product_name()}`
    return () => {
      document.title = before
    }
  }, [title])
}

function ClosedBooking({ booking }: { booking: Booking }) {
  useTitle(booking)
  const leave = useWayBack(booking)
  return (
    <Page
      title={m.bookings_edit_title({ ref: booking.bookingRef })}
      context={booking.contact.name}
      actions={<Button onClick={leave}>{m.bookings_edit_back()}</Button>}
    >
      <Banner
        tone="info"
        role="status"
        title={m.bookings_edit_closed({ status: bookingStatusLabel(booking.status) })}
      />
    </Page>
  )
}

function EditForm({ current }: { current: Booking }) {
  const edit = useBookingEdit(current)
  const { booking } = edit
  useTitle(booking)
  const [saved, setSaved] = useState<Out<typeof reviseBooking> | null>(null)
  const leaving = useUnsavedChanges(
    edit.isTouched && saved === null,
    (before, after) => before['edit'] !== after['edit'],
  )
  const leave = useWayBack(booking)
  const restore = useRestoreRevision()
  const afterSave = useEffectEvent(({ booking: revised, promoted }: Out<typeof reviseBooking>) => {
    const ref = revised.bookingRef
    const says =
      promoted.length > 0
        ? m.bookings_edit_saved_promoted({ ref, others: promoted.join(', ') })
        : m.bookings_edit_saved({ ref })
    toast(says, { label: m.ui_undo(), onPress: () => restore(revised) })
    leave()
  })
  // After the render that says "nothing unsaved", so that no guard holds the navigation.
  useEffect(() => {
    if (saved) queueMicrotask(() => afterSave(saved))
  }, [saved])
  const save = () => void edit.save().then((result) => result && setSaved(result))
  return (
    <Page
      title={m.bookings_edit_title({ ref: booking.bookingRef })}
      context={booking.contact.name}
      actions={<Button onClick={leave}>{m.ui_cancel()}</Button>}
      footer={
        edit.departure && (
          <footer className="form-footer lg:hidden">
            <span className="min-w-0 flex-1">
              <b className="num block text-base text-ink-strong">{totalText(edit)}</b>
              <span className="text-ink-2">{m.bookings_guests_count({ count: edit.party.pax })}</span>
            </span>
            <span className="grid justify-items-end gap-1">
              <SaveButton edit={edit} onSave={save} />
            </span>
          </footer>
        )
      }
    >
      <div className="grid content-start gap-4 lg:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 gap-4 self-start">
          {edit.isOlder && !edit.error && <OtherVersion edit={edit} />}
          <div className="card min-w-0 divide-y divide-line">
            <Sections edit={edit} />
          </div>
        </div>
        <div className="flex flex-col gap-4 self-start lg:sticky lg:top-20">
          <EditSummary edit={edit}>
            <SaveButton edit={edit} onSave={save} isWide />
          </EditSummary>
          {edit.fixed.seats === undefined && (
            <BookingChecks draft={edit} traveler={null} {...(!edit.isMoved && { counted: countedOf(booking) })} />
          )}
        </div>
      </div>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </Page>
  )
}

/** What the departure counts of guests who have a line. */
function countedOf({ guests, status }: Booking) {
  const seated = takesSeats(status) ? guests.filter((guest) => guest.status !== 'cancelled') : []
  return {
    childSeats: seated.filter(({ childSeat }) => childSeat).length,
    wheelchairs: seated.filter(({ mobility }) => mobility === 'wheelchair').length,
  }
}

/** Somebody else was faster: what they changed is shown with what was typed here. */
const OtherVersion = ({ edit }: { edit: BookingEdit }) => (
  <Banner
    tone="warn"
    role="alert"
    framed
    title={m.bookings_edit_other_version()}
    actions={<Button onClick={edit.takeOver}>{m.bookings_edit_take_over()}</Button>}
  >
    {m.bookings_edit_kept()}
  </Banner>
)

function Sections({ edit }: { edit: BookingEdit }) {
  const { booking, choices, set, fixed } = edit
  const { can } = useAccess()
  const here = formatDayTimeThere(booking.startsAt, booking.timeZone)
  return (
    <>
      <FormSection
        number={1}
        title={m.bookings_departure()}
        columns={1}
        aside={m.bookings_edit_here({ time: here, code: booking.departureCode })}
      >
        {fixed.departure === undefined ? (
          <DepartureFields draft={edit} />
        ) : (
          <Fixed text={booking.tourName} why={fixed.departure} />
        )}
      </FormSection>
      {edit.departure && edit.offer ? (
        <>
          <FormSection
            number={2}
            title={m.bookings_guests()}
            columns={1}
            aside={m.bookings_prices_in({ currency: booking.currency })}
          >
            <SeatFields edit={edit} />
          </FormSection>
          <FormSection number={3} title={m.bookings_who_and_where()}>
            <Contact edit={edit} />
            {can('travelers:read') && <CompanionLines draft={edit} />}
            <PickupField draft={edit} />
            <Field label={m.bookings_channel()}>
              <Select
                value={choices.channel}
                onChange={(event) => set({ channel: event.target.value as typeof choices.channel })}
                options={channelOptionsOf(booking.channel)}
              />
            </Field>
            <LanguageAndNotes draft={edit} />
            <Field label={m.bookings_seller()} error={entryProblem(edit.error, 'sellerName')}>
              <TextInput
                maxLength={120}
                value={choices.sellerName}
                onChange={(event) => set({ sellerName: event.target.value })}
              />
            </Field>
            <Field label={m.bookings_external_ref()} error={entryProblem(edit.error, 'externalRef')}>
              <TextInput
                maxLength={80}
                value={choices.externalRef}
                onChange={(event) => set({ externalRef: event.target.value })}
              />
            </Field>
          </FormSection>
          <FormSection number={4} title={m.bookings_edit_price()} columns={1}>
            <EditedPrice edit={edit} />
          </FormSection>
        </>
      ) : (
        <div className="p-4">
          <SkeletonRows rows={6} />
        </div>
      )}
    </>
  )
}

/** A part that cannot be changed now, and why. */
const Fixed = ({ text, why }: { text: string; why: string }) => (
  <p>
    <b className="block font-medium text-ink-strong">{text}</b>
    <span className="text-ink-2">{why}</span>
  </p>
)

function SeatFields({ edit }: { edit: BookingEdit }) {
  const { booking, party, fixed, short, departure, offer, set } = edit
  if (fixed.seats !== undefined) return <Fixed text={booking.units.map(unitCount).join(', ')} why={fixed.seats} />
  return (
    <>
      {short > 0 && departure && (
        <Banner
          tone="bad"
          role="alert"
          framed
          title={m.bookings_seats_short({ left: departure.seatsLeft, asked: party.pax })}
        >
          {m.bookings_edit_own_seats()}
        </Banner>
      )}
      <UnitSteppers
        prices={offer?.units ?? []}
        quantities={edit.quantities}
        onChange={(quantities) => set({ quantities })}
      />
      {edit.held > 0 && <HeldSeats count={edit.held} />}
      {party.pax === 0 && <p className="text-xs font-medium text-bad">{m.bookings_one_guest()}</p>}
      {party.lacksAdult && <p className="text-xs font-medium text-bad">{m.bookings_needs_adult()}</p>}
    </>
  )
}

/** Who pays and is written to: as typed, or somebody who is known. */
function Contact({ edit }: { edit: BookingEdit }) {
  const { choices, set } = edit
  const { can } = useAccess()
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      <legend className="lbl">{m.bookings_pays()}</legend>
      <ContactFields draft={edit} contact={contactIn(edit.booking, choices)} />
      {can('travelers:read') && (
        <Field label={m.bookings_edit_contact_known()}>
          <TravelerSearch
            exceptIds={[]}
            onPick={({ name, phone, email, languages }) =>
              set({
                contact: { name, phone: phone ?? '', email: email ?? '' },
                language: languages[0] ?? choices.language,
              })
            }
          />
        </Field>
      )}
    </fieldset>
  )
}

interface SaveButtonProps {
  edit: BookingEdit
  onSave: () => void
  isWide?: boolean
}

function SaveButton({ edit, onSave, isWide }: SaveButtonProps): ReactNode {
  return (
    <>
      {edit.error && (
        <p role="alert" className="font-medium text-bad">
          {refusalText(edit.error)}
        </p>
      )}
      {edit.error && edit.isOlder && <Button onClick={edit.takeOver}>{m.bookings_edit_take_over()}</Button>}
      <Button
        variant="primary"
        className={isWide ? 'w-full' : undefined}
        pending={edit.isPending}
        disabledReason={edit.problem}
        reasonPlace="below"
        onClick={onSave}
      >
        {m.bookings_save()}
      </Button>
    </>
  )
}
