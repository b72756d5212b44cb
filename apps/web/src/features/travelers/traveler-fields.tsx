import { dietaryNeeds, mobilityNeeds, type DietaryNeed } from '@tour-ops/contract/travelers/needs'
import { genders, type Traveler, type TravelerFields } from '@tour-ops/contract/travelers/travelers'
import { useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import type * as z from 'zod/mini'
import { countryOptions } from '../../records/countries.ts'
import { languageOptions } from '../../records/languages.ts'
import { dietLabel, mobilityLabel } from '../../records/traveler-flags.tsx'
import { m } from '../../paraglide/messages.js'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import {
  CheckboxFor,
  ComboboxFor,
  DateFor,
  SelectFor,
  SeveralFor,
  TextAreaFor,
  TextFor,
} from '../../ui/form/field-for.tsx'
import { FormSection } from '../../ui/form/form.tsx'
import type { AppForm } from '../../ui/form/use-app-form.ts'
import { CoveredField } from './covered-field.tsx'

export type TravelerValues = z.input<typeof TravelerFields>
export type TravelerOutput = z.output<typeof TravelerFields>

const words = (typed: string): string[] =>
  typed
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

const genderLabels = {
  female: m.travelers_gender_female,
  male: m.travelers_gender_male,
  other: m.travelers_gender_other,
}
export interface SectionProps {
  form: AppForm<TravelerValues, TravelerOutput>
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

export function IdentityFields({ form, traveler, withBirth }: SensitiveProps & { withBirth: boolean }) {
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
        options={genders.map((value) => ({ value, label: genderLabels[value]() }))}
      />
      {withBirth && <BirthField form={form} traveler={traveler} />}
      <ComboboxFor form={form} name="nationality" label={m.travelers_nationality()} options={countries} />
      <ComboboxFor form={form} name="residenceCountry" label={m.travelers_residence()} options={countries} />
    </FormSection>
  )
}

export function ContactFields({ form }: SectionProps) {
  return (
    <FormSection title={m.travelers_section_contact()}>
      <TextFor form={form} name="email" nullable type="email" label={m.travelers_email()} />
      <TextFor form={form} name="phone" nullable type="tel" label={m.travelers_phone()} placeholder="+44 7700 900118" />
      <SeveralFor
        form={form}
        name="languages"
        label={m.travelers_languages()}
        hint={m.travelers_languages_hint()}
        options={languageOptions(form.getValues('languages'))}
      />
    </FormSection>
  )
}

export function NeedsFields({ form, traveler, withMedical }: SensitiveProps & { withMedical: boolean }) {
  const chosen = useWatch({ control: form.control, name: 'dietary' }) ?? []
  const toggle = (need: DietaryNeed) =>
    form.setValue('dietary', chosen.includes(need) ? chosen.filter((one) => one !== need) : [...chosen, need], {
      shouldDirty: true,
    })
  return (
    <FormSection title={m.travelers_section_needs()}>
      <fieldset className="col-span-full">
        <legend className="lbl">{m.travelers_diet()}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {dietaryNeeds.map((need) => (
            <Checkbox
              key={need}
              label={dietLabel(need)}
              checked={chosen.includes(need)}
              onChange={() => toggle(need)}
            />
          ))}
        </div>
      </fieldset>
      <TextFor form={form} name="dietaryNote" label={m.travelers_diet_note()} />
      <SelectFor
        form={form}
        name="mobility"
        label={m.travelers_mobility()}
        options={mobilityNeeds.map((value) => ({ value, label: mobilityLabel(value) }))}
      />
      <TextFor form={form} name="mobilityNote" label={m.travelers_mobility_note()} />
      {withMedical && <MedicalField form={form} traveler={traveler} />}
    </FormSection>
  )
}

/** Three fields that count only together: without a name and phone there is no emergency contact. */
export function EmergencyFields({ form }: SectionProps) {
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

export function TagFields({ form }: SectionProps) {
  return (
    <FormSection title={m.travelers_section_tags()}>
      <TagsField form={form} />
      <CheckboxFor form={form} name="marketingConsent" label={m.travelers_consent()} className="col-span-full" />
    </FormSection>
  )
}

/** Words with commas between them; what is typed stays as typed until the field is left. */
function TagsField({ form }: SectionProps) {
  const [typed, setTyped] = useState((form.getValues('tags') ?? []).join(', '))
  const problem = useFormState({ control: form.control }).errors.tags
  return (
    <Field
      label={m.travelers_tags()}
      hint={m.travelers_tags_hint()}
      error={problem ? (problem.message ?? problem.find?.((one) => one)?.message) : undefined}
    >
      <TextInput
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          form.setValue('tags', words(event.target.value), { shouldDirty: true })
        }}
        onBlur={() => setTyped((form.getValues('tags') ?? []).join(', '))}
      />
    </Field>
  )
}
