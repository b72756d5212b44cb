import { useNavigate } from '@tanstack/react-router'
import { createFieldStaff, type FieldStaff, updateFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { certificateKinds, employments, languageLevels, staffKinds } from '@tour-ops/contract/field-staff/staff-terms'
import { listPlaces } from '@tour-ops/contract/places/places'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useFieldArray, useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { certificateLabels } from './certificate-labels.ts'
import { languageOptions } from '../../records/languages.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { FormPage, FormSection, LeaveDialog } from '../../ui/form/form.tsx'
import { ComboboxFor, DateFor, NumberFor, SelectFor, TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { type AppForm, useAppForm } from '../../ui/form/use-app-form.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { employmentLabels, kindLabels } from './staff-labels.ts'

const Schema = z.omit(createFieldStaff.input, { idempotencyKey: true })
type Values = z.input<typeof Schema>
type Output = z.output<typeof Schema>
type Form = AppForm<Values, Output>

const valuesOf = (person: FieldStaff | null): Values => ({
  code: person?.code ?? null,
  firstName: person?.firstName ?? '',
  lastName: person?.lastName ?? '',
  kinds: person?.kinds ?? ['guide'],
  employment: person?.employment ?? 'employee',
  supplierId: person?.supplierId ?? null,
  phone: person?.phone ?? null,
  email: person?.email ?? null,
  emergencyContact: person?.emergencyContact ?? null,
  homeBasePlaceId: person?.homeBasePlaceId ?? null,
  languages: (person?.languages ?? []) as Values['languages'],
  skills: person?.skills ?? [],
  maxHoursPerDay: person?.maxHoursPerDay ?? 10,
  minRestHours: person?.minRestHours ?? 11,
  contractedHoursPerWeek: person?.contractedHoursPerWeek ?? null,
  costPerDayMinor: person?.costPerDayMinor ?? null,
  costCurrency: person?.costCurrency ?? null,
  memberUserId: person?.memberUserId ?? null,
  notes: person?.notes ?? '',
  certificates: (person?.certificates ?? []).map(({ kind, number, issuedOn, validUntil }) => ({
    kind,
    number,
    issuedOn,
    validUntil,
  })),
})

/** One form for adding and changing. See docs/screens.md, "Field staff". */
export function StaffForm({ person: latest }: { person: FieldStaff | null }) {
  // What the person saw when they began: a save may not overwrite what came later.
  const [person] = useState(latest)
  const navigate = useNavigate()
  const [isDirty, setDirty] = useState(false)
  const leaving = useUnsavedChanges(isDirty)
  const form = useAppForm({ schema: Schema, defaultValues: valuesOf(person), onDirtyChange: setDirty })
  const create = useCall(createFieldStaff)
  const update = useCall(updateFieldStaff)
  const save = ({ certificates, ...fields }: Output) =>
    person
      ? update.mutateAsync({
          ...fields,
          id: person.id,
          version: person.version,
          certificates: certificates.map((one, index) => ({ ...one, id: person.certificates[index]?.id })),
        })
      : create.mutateAsync({ ...fields, certificates })
  const back = (id: string | undefined) =>
    id ? navigate({ to: '/field-staff/details/$id', params: { id } }) : navigate({ to: '/field-staff/list' })
  return (
    <>
      <FormPage
        form={form}
        title={person ? m.field_staff_title_edit({ name: person.name }) : m.app_title_staff_create()}
        submitLabel={person ? m.field_staff_save() : m.field_staff_create()}
        onSubmit={save}
        onSaved={({ id }) => {
          toast(m.field_staff_saved({ name: `${form.getValues('firstName')} ${form.getValues('lastName')}` }))
          void back(id)
        }}
        onCancel={() => void back(person?.id)}
      >
        <IdentityFields form={form} />
        <WorkFields form={form} />
        <LanguageFields form={form} />
        <CertificateFields form={form} />
        <FormSection title={m.field_staff_section_notes()}>
          <TextAreaFor form={form} name="notes" label={m.field_staff_notes()} className="col-span-full" />
        </FormSection>
      </FormPage>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

const IdentityFields = ({ form }: { form: Form }) => (
  <FormSection title={m.field_staff_section_identity()}>
    <TextFor form={form} name="firstName" label={m.field_staff_first_name()} required />
    <TextFor form={form} name="lastName" label={m.field_staff_last_name()} required />
    <TextFor
      form={form}
      name="code"
      nullable
      label={m.field_staff_code()}
      hint={m.field_staff_code_hint()}
      maxLength={12}
    />
    <TextFor form={form} name="phone" nullable type="tel" label={m.field_staff_phone()} placeholder="+44 7700 900118" />
    <TextFor form={form} name="email" nullable type="email" label={m.field_staff_email()} />
  </FormSection>
)

function WorkFields({ form }: { form: Form }) {
  const kinds = useWatch({ control: form.control, name: 'kinds' })
  const { errors, isSubmitted } = useFormState({ control: form.control })
  const { data: places } = useQuery(callQuery(listPlaces, { size: 500 }))
  const toggle = (kind: (typeof staffKinds)[number]) =>
    form.setValue('kinds', kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind], {
      shouldDirty: true,
      shouldValidate: isSubmitted,
    })
  const problem = errors.kinds?.message
  return (
    <FormSection title={m.field_staff_section_work()}>
      <fieldset className="col-span-full" aria-describedby={problem ? 'kinds-problem' : undefined}>
        <legend className="lbl">{m.field_staff_kinds()}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {staffKinds.map((kind) => (
            <Checkbox
              key={kind}
              label={kindLabels[kind]()}
              checked={kinds.includes(kind)}
              onChange={() => toggle(kind)}
            />
          ))}
        </div>
        {problem && (
          <p id="kinds-problem" className="pt-1 text-xs font-medium text-bad">
            {problem}
          </p>
        )}
      </fieldset>
      <SelectFor
        form={form}
        name="employment"
        label={m.field_staff_employment()}
        options={employments.map((value) => ({ value, label: employmentLabels[value]() }))}
      />
      <SelectFor
        form={form}
        name="homeBasePlaceId"
        nullable
        label={m.field_staff_base()}
        placeholder={m.field_staff_no_choice()}
        options={(places?.rows ?? []).map((place) => ({ value: place.id, label: place.name }))}
      />
      <NumberFor form={form} name="maxHoursPerDay" label={m.field_staff_max_hours()} min={1} max={24} />
      <NumberFor form={form} name="minRestHours" label={m.field_staff_min_rest()} min={0} max={24} />
      <NumberFor form={form} name="contractedHoursPerWeek" label={m.field_staff_weekly_hours()} min={0} max={80} />
    </FormSection>
  )
}

function LanguageFields({ form }: { form: Form }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'languages' })
  const [skills, setSkills] = useState((form.getValues('skills') ?? []).join(', '))
  return (
    <FormSection title={m.field_staff_section_languages()}>
      <div className="col-span-full grid gap-3">
        {fields.map((field, index) => (
          <div key={field.id} className="grid grid-cols-[minmax(0,1fr)_120px_auto] items-end gap-3">
            <ComboboxFor
              form={form}
              name={`languages.${index}.tag`}
              label={m.field_staff_language_tag()}
              options={languageOptions([field.tag])}
            />
            <SelectFor
              form={form}
              name={`languages.${index}.level`}
              label={m.field_staff_language_level()}
              options={languageLevels.map((value) => ({ value, label: value }))}
            />
            <IconButton label={m.field_staff_language_remove()} icon={X} onClick={() => remove(index)} />
          </div>
        ))}
        <div>
          <Button icon={Plus} onClick={() => append({ tag: '', level: 'B2' })}>
            {m.field_staff_language_add()}
          </Button>
        </div>
      </div>
      <Field label={m.field_staff_skills()} hint={m.field_staff_skills_hint()} className="col-span-full">
        <TextInput
          value={skills}
          onChange={(event) => {
            setSkills(event.target.value)
            const words = event.target.value.split(',').map((word) => word.trim())
            form.setValue('skills', words.filter(Boolean), { shouldDirty: true })
          }}
        />
      </Field>
    </FormSection>
  )
}

function CertificateFields({ form }: { form: Form }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'certificates' })
  return (
    <FormSection title={m.field_staff_section_certificates()}>
      <div className="col-span-full grid gap-3">
        {fields.map((field, index) => (
          <div key={field.id} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_140px_160px_auto]">
            <SelectFor
              form={form}
              name={`certificates.${index}.kind`}
              label={m.field_staff_certificate_kind()}
              options={certificateKinds.map((value) => ({ value, label: certificateLabels[value]() }))}
            />
            <TextFor
              form={form}
              name={`certificates.${index}.number`}
              nullable
              label={m.field_staff_certificate_number()}
            />
            <DateFor
              form={form}
              name={`certificates.${index}.validUntil`}
              nullable
              label={m.field_staff_certificate_valid()}
            />
            <IconButton label={m.field_staff_certificate_remove()} icon={X} onClick={() => remove(index)} />
          </div>
        ))}
        <div>
          <Button
            icon={Plus}
            onClick={() => append({ kind: 'first_aid', number: null, issuedOn: null, validUntil: null })}
          >
            {m.field_staff_certificate_add()}
          </Button>
        </div>
      </div>
    </FormSection>
  )
}
