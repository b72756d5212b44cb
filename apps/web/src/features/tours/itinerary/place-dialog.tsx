import { Latitude, Longitude, optionalText, text } from '@tour-ops/contract/fields'
import { createPlace, placeKinds } from '@tour-ops/contract/places/places'
import { lazy, Suspense, useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import type { Town } from '../../../backend/gazetteer.ts'
import { TownField } from '../../places/index.ts'
import { useCall } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { NumberFor, SelectFor, TextFor } from '../../../ui/form/field-for.tsx'
import { FormShell } from '../../../ui/form/form.tsx'
import { useAppForm } from '../../../ui/form/use-app-form.ts'
import { optionsOf, placeKindLabels } from '../tour-labels.ts'
import type { KnownPlace } from './use-places.ts'

const PointMap = lazy(() => import('../../map/basemap/point-map.tsx').then((loaded) => ({ default: loaded.PointMap })))

const PlaceFields = z.object({
  name: text(120, 'place_unnamed'),
  kind: z.enum(placeKinds),
  lat: Latitude,
  lng: Longitude,
  address: optionalText(300),
})

export interface PlaceDialogProps {
  timeZone: string
  /** What was searched for without success. */
  name: string
  onClose: () => void
  onCreated: (place: KnownPlace) => void
}

/** A new place for all tours of the organization. */
export function PlaceDialog({ timeZone, name, onClose, onCreated }: PlaceDialogProps) {
  const create = useCall(createPlace)
  const form = useAppForm({
    schema: PlaceFields,
    defaultValues: { name, kind: 'sight', address: '' },
  })
  const [town, setTown] = useState<Town | null>(null)
  const [lat, lng] = useWatch({ control: form.control, name: ['lat', 'lng'] })
  const point = Number.isFinite(lat) && Number.isFinite(lng) ? { lat, lng } : null
  const placeAt = (found: { lat: number; lng: number }) => {
    const rounded = (value: number) => Math.round(value * 1e5) / 1e5
    form.setValue('lat', rounded(found.lat), { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    form.setValue('lng', rounded(found.lng), { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <Dialog open onClose={onClose} title={m.tours_new_place()} description={m.tours_new_place_text()}>
      <FormShell
        form={form}
        onSubmit={async (values) => ({
          ...values,
          ...(await create.mutateAsync({ ...values, timeZone, phone: null, openingNote: null })),
        })}
        onSaved={onCreated}
      >
        {({ isPending }) => (
          <div className="grid grid-cols-2 gap-3">
            <TownField
              label={m.tours_town()}
              hint={m.tours_town_hint()}
              chosen={town}
              onChoose={(found) => {
                setTown(found)
                if (!found) return
                if (!form.getValues('name')) form.setValue('name', found.name, { shouldDirty: true })
                placeAt(found)
              }}
              className="col-span-2"
            />
            <Suspense fallback={<div className="col-span-2 h-[220px] rounded-lg bg-surface-2" />}>
              <PointMap point={point} onPick={placeAt} className="col-span-2" />
            </Suspense>
            <TextFor form={form} name="name" label={m.tours_place_name()} required className="col-span-2" />
            <SelectFor
              form={form}
              name="kind"
              label={m.tours_place_kind()}
              options={optionsOf(placeKindLabels)}
              className="col-span-2"
            />
            <NumberFor form={form} name="lat" label={m.tours_latitude()} placeholder="64.1375" step="any" required />
            <NumberFor form={form} name="lng" label={m.tours_longitude()} placeholder="-21.9350" step="any" required />
            <TextFor form={form} name="address" label={m.tours_address()} className="col-span-2" />
            <div className="col-span-2 flex justify-end gap-2">
              <Button onClick={onClose}>{m.tours_cancel()}</Button>
              <Button variant="primary" type="submit" pending={isPending}>
                {m.tours_add_place_act()}
              </Button>
            </div>
          </div>
        )}
      </FormShell>
    </Dialog>
  )
}
