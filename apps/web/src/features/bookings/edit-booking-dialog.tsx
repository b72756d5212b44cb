import { useQuery } from '@tanstack/react-query'
import { type Booking, Contact, updateBooking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { MoneyMinor, optionalText } from '@tour-ops/contract/fields'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { callQuery } from '../../backend/queries.ts'
import { languageOptions } from '../../records/languages.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatTimeThere } from '../../ui/format.ts'
import { FormShell } from '../../ui/form/form.tsx'
import { CheckboxFor, ComboboxFor, MoneyFor, SelectFor, TextAreaFor, TextFor } from '../../ui/form/field-for.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { PickupOnMap } from './pickup-on-map.tsx'
import { useBookingWrite } from './use-booking-write.ts'

const Fields = z.object({
  contact: Contact,
  sellerName: optionalText(120),
  externalRef: optionalText(80),
  pickupStopId: z.nullable(z.string()),
  notes: optionalText(2000),
  amountTotalMinor: MoneyMinor,
  priceReason: updateBooking.input.shape.priceReason,
  isOnAgentCredit: z.boolean(),
})

/** Contact, pickup, price and notes of a booking. */
export function EditBookingDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { data: departure } = useQuery(callQuery(getDeparture, { id: booking.departureId }))
  const save = useBookingWrite(updateBooking)
  const form = useAppForm({
    schema: Fields,
    defaultValues: {
      contact: booking.contact,
      sellerName: booking.sellerName ?? '',
      externalRef: booking.externalRef ?? '',
      pickupStopId: booking.pickupStopId,
      notes: booking.notes ?? '',
      amountTotalMinor: booking.amountTotalMinor,
      priceReason: booking.priceReason ?? '',
      isOnAgentCredit: booking.paymentStatus === 'agent_credit',
    },
  })
  const pickupStopId = useWatch({ control: form.control, name: 'pickupStopId' })
  const pickups = (departure?.stops ?? [])
    .filter((stop) => stop.kind === 'pickup' || stop.kind === 'start')
    .map(({ id, placeName, lat, lng, plannedArriveAt }) => ({ stopId: id, placeName, lat, lng, at: plannedArriveAt }))
  return (
    <Dialog open onClose={onClose} title={m.bookings_edit_title({ ref: booking.bookingRef })} locked={save.isPending}>
      <FormShell
        form={form}
        onSubmit={(values) => save.mutateAsync({ ...values, id: booking.id, version: booking.version })}
        onSaved={() => {
          toast(m.bookings_saved())
          onClose()
        }}
      >
        {({ isPending }) => (
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <TextFor form={form} name="contact.name" label={m.bookings_contact_name()} required />
              <ComboboxFor
                form={form}
                name="contact.locale"
                label={m.bookings_language()}
                options={languageOptions(booking.contact.locale ? [booking.contact.locale] : [])}
              />
              <TextFor
                form={form}
                name="contact.phone"
                nullable
                type="tel"
                label={m.bookings_phone()}
                placeholder="+44 7700 900118"
              />
              <TextFor form={form} name="contact.email" nullable type="email" label={m.bookings_email()} />
              <div className="flex flex-wrap items-end gap-2 sm:col-span-2">
                <SelectFor
                  form={form}
                  name="pickupStopId"
                  nullable
                  label={m.bookings_pickup()}
                  placeholder={m.bookings_pickup_none()}
                  options={pickups.map(({ stopId, at, placeName }) => ({
                    value: stopId,
                    label: `${formatTimeThere(at, booking.timeZone)} ${placeName}`,
                  }))}
                  className="min-w-[180px] flex-1"
                />
                <PickupOnMap
                  pickups={pickups}
                  zone={booking.timeZone}
                  value={pickupStopId ?? ''}
                  onChoose={(stopId) => form.setValue('pickupStopId', stopId || null, { shouldDirty: true })}
                />
              </div>
              <MoneyFor form={form} name="amountTotalMinor" label={m.bookings_total()} currency={booking.currency} />
              <TextFor form={form} name="priceReason" label={m.bookings_price_reason()} maxLength={200} />
              <CheckboxFor
                form={form}
                name="isOnAgentCredit"
                label={m.bookings_payment_agent_credit()}
                className="sm:col-span-2"
              />
              <TextFor form={form} name="sellerName" label={m.bookings_seller()} />
              <TextFor form={form} name="externalRef" label={m.bookings_external_ref()} />
              <div className="sm:col-span-2">
                <TextAreaFor form={form} name="notes" label={m.bookings_notes()} />
              </div>
            </div>
            <div className="mt-4 flex justify-end gap-2">
              <Button onClick={onClose}>{m.ui_cancel()}</Button>
              <Button variant="primary" type="submit" pending={isPending}>
                {m.bookings_save()}
              </Button>
            </div>
          </>
        )}
      </FormShell>
    </Dialog>
  )
}
