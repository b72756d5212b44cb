import { Link, useNavigate, useParams } from '@tanstack/react-router'
import {
  createTraveler,
  getTraveler,
  type Traveler,
  TravelerFields,
  updateTraveler,
} from '@tour-ops/contract/travelers/travelers'
import { useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { FormPage, LeaveDialog } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
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
  const [isDirty, setDirty] = useState(false)
  const [isDone, setDone] = useState(false)
  const leaving = useUnsavedChanges(isDirty && !isDone)
  const form = useAppForm({ schema: TravelerFields, defaultValues: valuesOf(traveler), onDirtyChange: setDirty })
  // what somebody else saves meanwhile arrives by itself, and must not pass for what was typed upon
  const [opened] = useState(traveler)
  const create = useCall(createTraveler)
  const update = useCall(updateTraveler)
  const save = async (values: TravelerOutput) => {
    const { id } = opened
      ? await update.mutateAsync({ ...values, id: opened.id, version: opened.version })
      : await create.mutateAsync(values)
    setDone(true)
    return { id }
  }
  const back = (id: string | undefined) =>
    id ? navigate({ to: '/travelers/details/$id', params: { id } }) : navigate({ to: '/travelers/list' })
  return (
    <>
      <FormPage
        form={form}
        title={traveler ? m.travelers_title_edit({ name: nameOf(traveler) }) : m.travelers_title_create()}
        actions={
          traveler &&
          can('bookings:manage') && (
            <Link to="/travelers/book/$id" params={{ id: traveler.id }} className={buttonClass({})}>
              {m.bookings_new()}
            </Link>
          )
        }
        submitLabel={traveler ? m.travelers_save() : m.travelers_create()}
        onSubmit={save}
        onSaved={({ id }) => {
          toast(m.travelers_saved({ name: nameOf(form.getValues()) }))
          void back(id)
        }}
        onCancel={() => void back(traveler?.id)}
      >
        <SimilarPeople form={form} exceptId={traveler?.id} />
        <IdentityFields form={form} traveler={traveler} withBirth={can('travelers_sensitive:read')} />
        <ContactFields form={form} />
        <NeedsFields form={form} traveler={traveler} withMedical={can('travelers_sensitive:read')} />
        <EmergencyFields form={form} />
        <TagFields form={form} />
      </FormPage>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

const nameOf = (person: { firstName?: string | null | undefined; lastName: string }): string =>
  [person.firstName, person.lastName].filter(Boolean).join(' ')
