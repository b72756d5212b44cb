import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { useState } from 'react'
import * as z from 'zod/mini'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { languageOptions } from '../../records/languages.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { formatZone } from '../../ui/format.ts'
import { CheckboxFor, ComboboxFor, NumberFor } from '../../ui/form/field-for.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { useDepartureWrite } from './use-departure-write.ts'

const { capacity, minPax, overbookLimit, language } = updateDeparture.input.shape
const Fields = z.object({ capacity, minPax, overbookLimit, language, isPrivate: z.boolean() })

/** What this departure has of its own: seats, minimum and decision, language, and whether it carries one party only. */
export function EditDepartureDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const zone = departure.timeZone
  const [decideAt, setDecideAt] = useState(departure.decideBy ? wallTimeOf(Date.parse(departure.decideBy), zone) : '')
  const decideBy = decideAt === '' ? null : momentOfWall(decideAt, zone)
  const isMistyped = decideAt !== '' && decideBy === null
  const write = useDepartureWrite(updateDeparture)
  const [shown] = useState(() => ownOf(departure))
  const form = useAppForm({ schema: Fields, defaultValues: shown })
  const save = async (values: Changed) => {
    const before = ownOf(departure)
    // what others changed while the dialog was open stays
    const changed = Object.entries(values).filter(([field, value]) => value !== shown[field as keyof Changed])
    const { version } = await write.mutateAsync({ ...before, ...Object.fromEntries(changed) })
    return { ...before, version }
  }
  const undo = (before: Own) =>
    void write
      .mutateAsync(before)
      .then(() => toast(m.departures_edit_undone()))
      .catch((refused: unknown) => toast(refusalText(refused)))
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.departures_edit_title({ code: departure.code })}
      description={m.departures_edit_text()}
      locked={write.isPending}
    >
      <FormShell
        form={form}
        onSubmit={(values) => save({ ...values, decideBy })}
        onSaved={(before) => {
          toast(m.departures_edit_saved(), { label: m.ui_undo(), onPress: () => undo(before) })
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            <div className="grid gap-3 sm:grid-cols-3">
              <NumberFor
                form={form}
                name="capacity"
                label={m.departures_field_capacity()}
                min={1}
                max={1000}
                required
              />
              <NumberFor
                form={form}
                name="overbookLimit"
                label={m.departures_field_overbook()}
                min={0}
                max={100}
                required
              />
              <NumberFor form={form} name="minPax" label={m.departures_field_min_pax()} min={0} max={1000} required />
              <Field
                className="sm:col-span-2"
                label={m.departures_edit_decide_by({ zone: formatZone(zone) })}
                error={isMistyped ? m.departures_edit_decide_by_wrong() : undefined}
              >
                <DateTimeInput value={decideAt} onChange={setDecideAt} />
              </Field>
              <ComboboxFor
                form={form}
                name="language"
                nullable
                label={m.departures_field_language()}
                options={languageOptions(departure.language ? [departure.language] : [])}
              />
              <div className="sm:col-span-3">
                <CheckboxFor
                  form={form}
                  name="isPrivate"
                  label={m.departures_edit_private()}
                  hint={m.departures_edit_private_hint()}
                />
              </div>
            </div>
            <div className="mt-4 flex justify-end gap-2">
              <Button onClick={onClose}>{m.ui_cancel()}</Button>
              <Button
                variant="primary"
                type="submit"
                pending={isPending}
                disabledReason={isMistyped ? m.departures_edit_decide_by_wrong() : undefined}
              >
                {m.departures_edit_save()}
              </Button>
            </div>
          </>
        )}
      </FormShell>
    </Dialog>
  )
}

type Own = ReturnType<typeof ownOf>
type Changed = Pick<Own, 'capacity' | 'minPax' | 'overbookLimit' | 'isPrivate' | 'decideBy' | 'language'>

/** Everything that the write replaces, as it is now. */
const ownOf = (departure: Departure) => ({
  id: departure.id,
  version: departure.version,
  capacity: departure.capacity,
  minPax: departure.minPax,
  overbookLimit: departure.overbookLimit,
  isPrivate: departure.isPrivate,
  decideBy: departure.decideBy,
  language: departure.language,
  weatherNote: departure.weatherNote,
  internalNote: departure.internalNote,
})
