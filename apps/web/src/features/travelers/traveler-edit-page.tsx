import { Link, useNavigate, useParams } from '@tanstack/react-router'
import {
  createTraveler,
  getTraveler,
  type Traveler,
  TravelerFields,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FormPage, LeaveDialog } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import {
  bookedToast,
  type BookingDraft,
  BookingSection,
  BookingSummary,
  bookProblem,
  createLabel,
  useBookingDraft,
} from '../bookings/index.ts'
import { SimilarPeople } from './similar-people.tsx'
import {
  ContactFields,
  EmergencyFields,
  IdentityFields,
  NeedsFields,
  TagFields,
  type TravelerOutput,
  type TravelerValues,
} from './traveler-fields.tsx'

/** Creates a traveler at `/travelers/edit/create`, changes one elsewhere. See docs/screens.md, "Travelers". */
export function TravelerEditPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/edit/$id' })
  return id === 'create' ? <TravelerForm traveler={null} /> : <ExistingTraveler key={id} id={id} />
}

function ExistingTraveler({ id }: { id: string }) {
  const { data } = useScreenQuery(callQuery(getTraveler, { id }))
  return data && <TravelerForm traveler={data} />
}

const valuesOf = (traveler: Traveler | null): TravelerValues => ({
  firstName: traveler?.firstName ?? '',
  lastName: traveler?.lastName ?? '',
  preferredName: traveler?.preferredName ?? '',
  gender: traveler?.gender ?? null,
  nationality: traveler?.nationality ?? null,
  residenceCountry: traveler?.residenceCountry ?? null,
  languages: traveler?.languages ?? [],
  email: traveler?.email ?? null,
  phone: traveler?.phone ?? null,
  dietary: traveler?.dietary ?? [],
  dietaryNote: traveler?.dietaryNote ?? '',
  mobility: traveler?.mobility ?? 'none',
  mobilityNote: traveler?.mobilityNote ?? '',
  emergencyContact: traveler?.emergencyContact ?? null,
  tags: traveler?.tags ?? [],
  marketingConsent: traveler?.marketingConsent ?? false,
  // Left out while covered: the server then keeps what it has.
  ...(!traveler?.hasDateOfBirth && { dateOfBirth: null }),
  ...(!traveler?.hasMedicalNote && { medicalNote: null }),
})

function TravelerForm({ traveler }: { traveler: Traveler | null }) {
  const navigate = useNavigate()
  const { can } = useAccess()
  const [{ section, bookOn }, setAddress] = useUrlState('/_dashboard/travelers/edit/$id')
  const isBooking = traveler === null && can('bookings:manage') && (section === 'booking' || bookOn !== undefined)
  const draft = useBookingDraft(bookOn ?? null, isBooking)
  const [isDirty, setDirty] = useState(false)
  const [isDone, setDone] = useState(false)
  const leaving = useUnsavedChanges((isDirty || (isBooking && draft.isTouched)) && !isDone)
  const form = useAppForm({ schema: TravelerFields, defaultValues: valuesOf(traveler), onDirtyChange: setDirty })
  const body = useRef<HTMLDivElement>(null)
  const wanted = useRef<Parameters<BookingDraft['book']>[1]>(undefined)
  const saveTraveler = useSaveTraveler(traveler)
  const save = async (values: TravelerOutput) => {
    const saved = await saveTraveler(values)
    const person = {
      id: saved.id,
      name: nameOf(values),
      phone: values.phone,
      email: values.email,
      language: values.languages?.[0] ?? null,
    }
    const booking = isBooking ? await draft.book(person, wanted.current) : null
    wanted.current = undefined
    // A refused booking keeps the form open: the traveler is saved, what was chosen stays.
    const isRefused = isBooking && booking === null
    setDone(!isRefused)
    return { id: saved.id, booking, isRefused }
  }
  const bookWith = (options: Parameters<BookingDraft['book']>[1]) => {
    wanted.current = options
    body.current?.closest('form')?.requestSubmit()
  }
  const back = (id: string | undefined) =>
    id ? navigate({ to: '/travelers/details/$id', params: { id } }) : navigate({ to: '/travelers/list' })
  const [firstName, lastName, phone, email] = useWatch({
    control: form.control,
    name: ['firstName', 'lastName', 'phone', 'email'],
  })
  const person = {
    id: null,
    name: nameOf({ firstName, lastName }),
    phone: phone ?? null,
    email: email ?? null,
    language: null,
  }
  return (
    <>
      <FormPage
        form={form}
        title={traveler ? m.travelers_title_edit({ name: nameOf(traveler) }) : m.travelers_title_create()}
        actions={
          can('bookings:manage') && (
            <BookingSwitch traveler={traveler} isBooking={isBooking} onSwitch={(on) => setAddress(switched(on))} />
          )
        }
        submitLabel={traveler ? m.travelers_save() : isBooking ? createLabel(draft) : m.travelers_create()}
        disabledReason={isBooking ? bookProblem(draft) : undefined}
        onSubmit={save}
        onSaved={({ id, booking, isRefused }) => {
          if (isRefused) return
          if (booking) bookedToast(booking)
          else toast(m.travelers_saved({ name: nameOf(form.getValues()) }))
          void back(id)
        }}
        onCancel={() => void back(traveler?.id)}
        side={isBooking ? <BookingSummary draft={draft} person={person} traveler={null} /> : undefined}
      >
        <SimilarPeople form={form} exceptId={traveler?.id} />
        <IdentityFields form={form} traveler={traveler} withBirth={can('travelers_sensitive:read')} />
        <ContactFields form={form} />
        <NeedsFields form={form} traveler={traveler} withMedical={can('travelers_sensitive:read')} />
        <EmergencyFields form={form} />
        <TagFields form={form} />
        {isBooking && (
          <div ref={body} className="divide-y divide-line">
            <BookingSection draft={draft} person={person} onBook={bookWith} />
          </div>
        )}
      </FormPage>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

/** Creates a traveler once, however often the booking after it is refused; afterwards, and for those who exist, it updates. */
function useSaveTraveler(
  traveler: Traveler | null,
): (values: TravelerOutput) => Promise<{ id: string; version: number }> {
  const known = useRef<{ id: string; version: number } | null>(traveler)
  const create = useCall(createTraveler)
  const update = useCall(updateTraveler)
  return async (values) => {
    const saved = known.current
      ? await update.mutateAsync({ ...values, id: known.current.id, version: known.current.version })
      : await create.mutateAsync(values)
    known.current = saved
    return saved
  }
}

const switched = (on: boolean): { section: 'booking' | undefined; bookOn?: undefined } =>
  on ? { section: 'booking' } : { section: undefined, bookOn: undefined }

interface BookingSwitchProps {
  traveler: Traveler | null
  isBooking: boolean
  onSwitch: (on: boolean) => void
}

/** For somebody we know a way to the booking; for somebody new the booking joins the form. */
function BookingSwitch({ traveler, isBooking, onSwitch }: BookingSwitchProps) {
  if (!traveler) {
    return (
      <Button onClick={() => onSwitch(!isBooking)}>
        {isBooking ? m.bookings_without_booking() : m.bookings_with_booking()}
      </Button>
    )
  }
  return (
    <Link to="/travelers/book/$id" params={{ id: traveler.id }} className={buttonClass({})}>
      {m.bookings_new()}
    </Link>
  )
}

const nameOf = (person: { firstName?: string | null | undefined; lastName: string }): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ')
