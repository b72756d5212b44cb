import type { FieldValues, Path } from 'react-hook-form'
import { m } from '../../paraglide/messages.js'
import { ComboboxFor } from '../../ui/form/field-for.tsx'
import type { AppForm } from '../../ui/form/use-app-form.ts'
import { timeZones, zoneOption } from '../../ui/time-zones.ts'

interface ZoneFieldProps<Values extends FieldValues, Output> {
  form: AppForm<Values, Output>
}

/** The time zone of a tour, `timeZone` of its form. */
export function ZoneField<Values extends FieldValues & { timeZone: string }, Output>({
  form,
}: ZoneFieldProps<Values, Output>) {
  const name = 'timeZone' as Path<Values>
  const zone: string | null = form.getValues(name)
  return (
    <ComboboxFor
      form={form}
      name={name}
      label={m.tours_time_zone()}
      options={timeZones().map(zoneOption)}
      selected={zone ? zoneOption(zone) : null}
      required
    />
  )
}
