import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import {
  createTraveler,
  dietaryNeeds,
  genders,
  getTraveler,
  listTravelers,
  mobilityNeeds,
  similarTravelers,
  type Traveler,
  TravelerFields,
  updateTraveler,
} from '@tour-ops/contract/travelers'
import * as z from 'zod/mini'
import { useRef, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { countryOptions } from '../../app/records/countries.ts'
import { travelerFlagWord } from '../../app/records/traveler-flags.tsx'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useUrlState } from '../../app/url-state.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { FormPage, FormSection, LeaveDialog } from '../../ui/form/form.tsx'
import { CheckboxFor, ComboboxFor, DateFor, SelectFor, TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { type AppForm, useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { bookedToast } from './booking/booked-toast.ts'
import { BookingSection } from './booking/booking-section.tsx'
import { bookProblem, BookingSummary, createLabel } from './booking/booking-summary.tsx'
import { CoveredField } from './covered-field.tsx'
import { NewBookingPage } from './booking/new-booking-page.tsx'
import { useBookingDraft, type BookingDraft } from './booking/use-booking-draft.ts'
import { useDebounced } from './use-debounced-value.ts'

type Values = z.input<typeof TravelerFields>
type Output = z.output<typeof TravelerFields>

const words = (typed: string): string[] =>
  typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

const genderWords = {
  female: m.travelers_gender_female,
  male: m.travelers_gender_male,
  other: m.travelers_gender_other,
}
const dietWord = (need: (typeof dietaryNeeds)[number]): string =>
  travelerFlagWord(need === 'other' ? 'other_diet' : need)
const mobilityWord = (need: (typeof mobilityNeeds)[number]): string =>
  need === 'none' ? m.travelers_mobility_none() : travelerFlagWord(need === 'other' ? 'other_mobility' : need)

/** `section=booking` shows the booking; `bookOn` names the departure to begin with (`departure` would open its drawer). */
const Address = z.object({
  section: z.catch(z.optional(z.enum(['booking'])), undefined),
  bookOn: z.catch(z.optional(z.uuid()), undefined),
})

/** Creates a traveler at `/travelers/edit/create`, changes one elsewhere. Product description, section 5.4. */
export function TravelerEditPage() {
  const { id } = useParams({ from: '/_dashboard/travelers/edit/$id' })
  return id === 'create' ? <TravelerForm traveler={null} /> : <ExistingTraveler key={id} id={id} />
}

function ExistingTraveler({ id }: { id: string }) {
  const { data } = useScreenQuery(callQuery(getTraveler, { id }))
  const [{ section, bookOn }] = useUrlState(Address)
  const { can } = useAccess()
  if (!data) return null
  const isBooking = (section === 'booking' || bookOn !== undefined) && can('bookings:manage')
  return isBooking ? <NewBookingPage traveler={data} bookOn={bookOn ?? null} /> : <TravelerForm traveler={data} />
}

const valuesOf = (traveler: Traveler | null): Values => ({
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
  const [{ section, bookOn }, setAddress] = useUrlState(Address)
  const isBooking = traveler === null && can('bookings:manage') && (section === 'booking' || bookOn !== undefined)
  const draft = useBookingDraft(bookOn ?? null, isBooking)
  const [isDirty, setDirty] = useState(false)
  const [isDone, setDone] = useState(false)
  const leaving = useUnsavedChanges((isDirty || (isBooking && draft.isTouched)) && !isDone)
  const form = useAppForm({ schema: TravelerFields, defaultValues: valuesOf(traveler), onDirtyChange: setDirty })
  const body = useRef<HTMLDivElement>(null)
  const wanted = useRef<Parameters<BookingDraft['book']>[1]>(undefined)
  const saveTraveler = useSaveTraveler(traveler)
  const save = async (values: Output) => {
    const saved = await saveTraveler(values)
    const person = { id: saved.id, name: nameOf(values), phone: values.phone, email: values.email }
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
  const person = { id: null, name: nameOf({ firstName, lastName }), phone: phone ?? null, email: email ?? null }
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
function useSaveTraveler(traveler: Traveler | null): (values: Output) => Promise<{ id: string; version: number }> {
  const known = useRef<{ id: string; version: number } | null>(traveler)
  const create = useCall(createTraveler, { invalidates: [listTravelers] })
  const update = useCall(updateTraveler, { invalidates: [listTravelers, getTraveler] })
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
    <Link to="." search={{ section: 'booking' } as never} className={buttonClass({})}>
      {m.bookings_new()}
    </Link>
  )
}

const nameOf = (person: { firstName?: string | null | undefined; lastName: string }): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ')

interface SectionProps {
  form: AppForm<Values, Output>
}
interface SensitiveProps extends SectionProps {
  /** Null for somebody new, of whom nothing is covered. */
  traveler: Traveler | null
}

function BirthField({ form, traveler }: SensitiveProps) {
  const field = <DateFor form={form} name="dateOfBirth" nullable label={m.travelers_birth()} />
  if (!traveler?.hasDateOfBirth) return field
  return (
    <CoveredField
      traveler={traveler}
      field="date_of_birth"
      label={m.travelers_birth()}
      onReveal={({ dateOfBirth }) => form.resetField('dateOfBirth', { defaultValue: dateOfBirth })}
    >
      {field}
    </CoveredField>
  )
}

function MedicalField({ form, traveler }: SensitiveProps) {
  const label = m.travelers_medical()
  const field = <TextAreaFor form={form} name="medicalNote" nullable label={label} hint={m.travelers_medical_hint()} />
  if (!traveler?.hasMedicalNote) return field
  return (
    <CoveredField
      traveler={traveler}
      field="medical"
      label={label}
      onReveal={({ medicalNote }) => form.resetField('medicalNote', { defaultValue: medicalNote })}
    >
      {field}
    </CoveredField>
  )
}

function IdentityFields({ form, traveler, withBirth }: SensitiveProps & { withBirth: boolean }) {
  const countries = countryOptions()
  return (
    <FormSection title={m.travelers_section_identity()}>
      <TextFor form={form} name="firstName" label={m.travelers_first_name()} autoComplete="off" />
      <TextFor
        form={form}
        name="lastName"
        label={m.travelers_last_name()}
        hint={m.travelers_last_name_hint()}
        required
      />
      <TextFor form={form} name="preferredName" label={m.travelers_preferred()} hint={m.travelers_preferred_hint()} />
      <SelectFor
        form={form}
        name="gender"
        nullable
        label={m.travelers_gender()}
        placeholder={m.travelers_not_given()}
        options={genders.map((value) => ({ value, label: genderWords[value]() }))}
      />
      {withBirth && <BirthField form={form} traveler={traveler} />}
      <ComboboxFor form={form} name="nationality" label={m.travelers_nationality()} options={countries} />
      <ComboboxFor form={form} name="residenceCountry" label={m.travelers_residence()} options={countries} />
    </FormSection>
  )
}

function ContactFields({ form }: SectionProps) {
  return (
    <FormSection title={m.travelers_section_contact()}>
      <TextFor form={form} name="email" nullable type="email" label={m.travelers_email()} />
      <TextFor form={form} name="phone" nullable type="tel" label={m.travelers_phone()} placeholder="+44 7700 900118" />
      <WordsField form={form} name="languages" label={m.travelers_languages()} hint={m.travelers_languages_hint()} />
    </FormSection>
  )
}

function NeedsFields({ form, traveler, withMedical }: SensitiveProps & { withMedical: boolean }) {
  const chosen = useWatch({ control: form.control, name: 'dietary' }) ?? []
  const toggle = (need: (typeof dietaryNeeds)[number]) =>
    form.setValue('dietary', chosen.includes(need) ? chosen.filter((one) => one !== need) : [...chosen, need], {
      shouldDirty: true,
    })
  return (
    <FormSection title={m.travelers_section_needs()}>
      <fieldset className="col-span-full">
        <legend className="lbl">{m.travelers_diet()}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {dietaryNeeds.map((need) => (
            <Checkbox key={need} label={dietWord(need)} checked={chosen.includes(need)} onChange={() => toggle(need)} />
          ))}
        </div>
      </fieldset>
      <TextFor form={form} name="dietaryNote" label={m.travelers_diet_note()} />
      <SelectFor
        form={form}
        name="mobility"
        label={m.travelers_mobility()}
        options={mobilityNeeds.map((value) => ({ value, label: mobilityWord(value) }))}
      />
      <TextFor form={form} name="mobilityNote" label={m.travelers_mobility_note()} />
      {withMedical && <MedicalField form={form} traveler={traveler} />}
    </FormSection>
  )
}

/** Three fields that count only together: without a name and phone there is no emergency contact. */
function EmergencyFields({ form }: SectionProps) {
  const contact = useWatch({ control: form.control, name: 'emergencyContact' })
  const { errors, isSubmitted } = useFormState({ control: form.control })
  const error = errors.emergencyContact
  const set = (part: Partial<{ name: string; relation: string | null; phone: string }>) => {
    const next = { name: '', relation: null, phone: '', ...contact, ...part }
    const isEmpty = !next.name && !next.phone && !next.relation
    form.setValue('emergencyContact', isEmpty ? null : next, {
      shouldDirty: true,
      shouldValidate: isSubmitted,
    })
  }
  return (
    <FormSection title={m.travelers_section_emergency()}>
      <Field label={m.travelers_emergency_name()} error={error?.name?.message}>
        <TextInput value={contact?.name ?? ''} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label={m.travelers_emergency_relation()}>
        <TextInput
          value={contact?.relation ?? ''}
          onChange={(event) => set({ relation: event.target.value || null })}
        />
      </Field>
      <Field label={m.travelers_emergency_phone()} error={error?.phone?.message}>
        <TextInput type="tel" value={contact?.phone ?? ''} onChange={(event) => set({ phone: event.target.value })} />
      </Field>
    </FormSection>
  )
}

function TagFields({ form }: SectionProps) {
  return (
    <FormSection title={m.travelers_section_tags()}>
      <WordsField form={form} name="tags" label={m.travelers_tags()} hint={m.travelers_tags_hint()} />
      <CheckboxFor form={form} name="marketingConsent" label={m.travelers_consent()} className="col-span-full" />
    </FormSection>
  )
}

/** Words with commas between them; what is typed stays as typed until the field is left. */
function WordsField({
  form,
  name,
  label,
  hint,
}: SectionProps & { name: 'languages' | 'tags'; label: string; hint: string }) {
  const [typed, setTyped] = useState((form.getValues(name) ?? []).join(', '))
  const problem = useFormState({ control: form.control }).errors[name]
  return (
    <Field
      label={label}
      hint={hint}
      error={problem ? (problem.message ?? problem.find?.((one) => one)?.message) : undefined}
    >
      <TextInput
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          form.setValue(name, words(event.target.value), { shouldDirty: true })
        }}
        onBlur={() => setTyped((form.getValues(name) ?? []).join(', '))}
      />
    </Field>
  )
}

const becauseWords = {
  name: m.travelers_similar_name,
  email: m.travelers_similar_email,
  phone: m.travelers_similar_phone,
}

/** Names people who may be the same before a second profile is made. */
function SimilarPeople({ form, exceptId }: SectionProps & { exceptId: string | undefined }) {
  const [firstName, lastName, email, phone] = useWatch({
    control: form.control,
    name: ['firstName', 'lastName', 'email', 'phone'],
  })
  const { isDirty } = useFormState({ control: form.control })
  const asked = useDebounced({
    firstName: firstName || null,
    lastName: lastName || null,
    email: email || null,
    phone: phone || null,
  })
  const isWorthAsking = (asked.lastName?.length ?? 0) >= 3 || Boolean(asked.email) || Boolean(asked.phone)
  const { data } = useQuery({
    ...callQuery(similarTravelers, { ...asked, ...(exceptId && { exceptId }) }),
    enabled: isWorthAsking && isDirty,
  })
  if (!data?.travelers.length) return null
  return (
    <Banner tone="warn" title={m.travelers_similar_title()}>
      <ul>
        {data.travelers.map((person) => (
          <li key={person.id}>
            <a className="link" href={`/travelers/details/${person.id}`} target="_blank" rel="noreferrer">
              {m.travelers_similar_open({ name: person.name })}
            </a>{' '}
            <span className="text-ink-2">({person.because.map((reason) => becauseWords[reason]()).join(', ')})</span>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
