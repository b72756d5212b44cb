import { staffRoles, tourDifficulties, vehicleClasses } from '@tour-ops/contract/tours/tour-terms'
import { useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { vehicleClassLabels } from '../../records/vehicle-classes.ts'
import { languageOptions } from '../../records/languages.ts'
import { m } from '../../paraglide/messages.js'
import { Checkbox } from '../../ui/choice.tsx'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import { CheckboxFor, NumberFor, SelectFor, SeveralFor, TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { FormSection } from '../../ui/form/form.tsx'
import { CancellationStepsField } from './cancellation-steps.tsx'
import type { TourForm } from './tour-values.ts'
import { ZoneField } from './zone-field.tsx'
import { difficultyLabels, kindLabels, optionsOf, roleLabels } from './tour-labels.ts'

interface SectionProps {
  form: TourForm
}

export function BasicsFields({ form }: SectionProps) {
  return (
    <>
      <FormSection title={m.tours_section_basics()}>
        <TextFor form={form} name="name" label={m.tours_name()} required />
        <TextFor form={form} name="code" label={m.tours_code()} hint={m.tours_code_hint()} required />
        <SelectFor form={form} name="kind" label={m.tours_kind()} options={optionsOf(kindLabels)} />
        <ZoneField form={form} />
        <NumberFor form={form} name="durationDays" label={m.tours_duration_days()} min={1} max={60} />
        <NumberFor
          form={form}
          name="durationMin"
          label={m.tours_duration_min()}
          hint={m.tours_duration_hint()}
          unit={m.tours_min()}
        />
        <SelectFor
          form={form}
          name="difficulty"
          label={m.tours_difficulty()}
          options={tourDifficulties.map((value) => ({ value, label: difficultyLabels[value]() }))}
        />
        <TextFor form={form} name="category" label={m.tours_category()} />
        <SeveralFor
          form={form}
          name="languages"
          label={m.tours_languages()}
          options={languageOptions(form.getValues('languages'))}
        />
        <TextFor form={form} name="color" label={m.tours_color()} hint={m.tours_color_hint()} maxLength={7} />
      </FormSection>
      <FormSection title={m.tours_section_includes()}>
        <LinesField form={form} name="inclusions" label={m.tours_inclusions()} />
        <LinesField form={form} name="exclusions" label={m.tours_exclusions()} />
        <TextAreaFor
          form={form}
          name="cancellationPolicy"
          label={m.tours_cancellation_policy()}
          className="col-span-full"
        />
        <CancellationStepsField form={form} />
      </FormSection>
    </>
  )
}

export function CapacityFields({ form }: SectionProps) {
  return (
    <FormSection title={m.tours_step_capacity()}>
      <NumberFor
        form={form}
        name="defaultCapacity"
        label={m.tours_capacity()}
        hint={m.tours_capacity_hint()}
        min={1}
        max={1000}
        required
      />
      <NumberFor form={form} name="minPax" label={m.tours_min_pax()} hint={m.tours_min_pax_hint()} min={0} max={1000} />
      <NumberFor
        form={form}
        name="cutoffMinutes"
        label={m.tours_cutoff()}
        hint={m.tours_cutoff_hint()}
        unit={m.tours_min()}
        min={0}
      />
      <NumberFor
        form={form}
        name="overbookLimit"
        label={m.tours_overbook()}
        hint={m.tours_overbook_hint()}
        min={0}
        max={100}
      />
      <NumberFor
        form={form}
        name="releaseDays"
        label={m.tours_release_days()}
        hint={m.tours_release_days_hint()}
        min={0}
        max={365}
      />
    </FormSection>
  )
}

export function CrewFields({ form }: SectionProps) {
  const roles = useWatch({ control: form.control, name: 'requirements.roles' }) ?? []
  const toggle = (role: (typeof staffRoles)[number]) =>
    form.setValue(
      'requirements.roles',
      roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role],
      { shouldDirty: true },
    )
  return (
    <FormSection title={m.tours_step_crew()}>
      <fieldset className="col-span-full">
        <legend className="lbl">{m.tours_roles()}</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {staffRoles.map((role) => (
            <Checkbox
              key={role}
              label={roleLabels[role]()}
              checked={roles.includes(role)}
              onChange={() => toggle(role)}
            />
          ))}
        </div>
      </fieldset>
      <NumberFor
        form={form}
        name="requirements.guideRatio"
        label={m.tours_guide_ratio()}
        hint={m.tours_guide_ratio_hint()}
        min={1}
        max={200}
      />
      <SelectFor
        form={form}
        name="requirements.vehicleClass"
        nullable
        label={m.tours_vehicle_class()}
        placeholder={m.tours_no_vehicle()}
        options={vehicleClasses.map((value) => ({ value, label: vehicleClassLabels[value]() }))}
      />
      <WordsField form={form} name="requirements.skills" label={m.tours_skills()} hint={m.tours_skills_hint()} />
      <CheckboxFor
        form={form}
        name="requirements.weatherNote"
        label={m.tours_weather_note()}
        hint={m.tours_weather_note_hint()}
      />
    </FormSection>
  )
}

type ListName = 'inclusions' | 'exclusions' | 'requirements.skills'

interface ListFieldProps extends SectionProps {
  name: ListName
  label: string
  hint?: string
}

/** A list that is typed as text; what is typed stays as typed until the field is left. */
function useTypedList({ form, name }: ListFieldProps, separator: string) {
  const read = () => (form.getValues(name) ?? []).join(separator)
  const [typed, setTyped] = useState(read)
  const { errors, isSubmitted } = useFormState({ control: form.control })
  const problem = errors[name === 'requirements.skills' ? 'requirements' : name]
  const error =
    problem === undefined
      ? undefined
      : (problem.message ?? (Array.isArray(problem) ? problem.find((one) => one)?.message : undefined))
  return {
    typed,
    error: typeof error === 'string' ? error : undefined,
    change: (text: string) => {
      setTyped(text)
      const items = text
        .split(separator.trim() || '\n')
        .map((item) => item.trim())
        .filter(Boolean)
      form.setValue(name, items, { shouldDirty: true, shouldValidate: isSubmitted })
    },
    settle: () => setTyped(read()),
  }
}

/** Words with commas between them. */
function WordsField(props: ListFieldProps) {
  'use no memo' // The form library changes its state object in place.
  const { typed, error, change, settle } = useTypedList(props, ', ')
  return (
    <Field label={props.label} hint={props.hint} error={error}>
      <TextInput value={typed} onChange={(event) => change(event.target.value)} onBlur={settle} />
    </Field>
  )
}

/** One thing per line. */
function LinesField(props: ListFieldProps) {
  'use no memo' // See WordsField.
  const { typed, error, change, settle } = useTypedList(props, '\n')
  return (
    <Field label={props.label} hint={m.tours_one_per_line()} error={error}>
      <TextArea rows={4} value={typed} onChange={(event) => change(event.target.value)} onBlur={settle} />
    </Field>
  )
}
