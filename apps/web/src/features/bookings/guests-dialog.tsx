import { type Booking, nameGuests } from '@tour-ops/contract/bookings/bookings'
import type { UnitType } from '@tour-ops/contract/units'
import { ArrowLeftRight, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { refusalText } from '../../errors/refusal-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'
import { unitLabel } from '../../records/unit-labels.ts'
import { GuestPicker, type PickedGuest } from './guest-picker.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useRestoreNames } from './use-restore.ts'

interface SeatedGuest extends PickedGuest {
  /** Whose seat they have from now on. */
  inPlaceOf?: string | undefined
}

/** Names the seats of a booking; guests who are left out are removed from the manifest, and who comes instead of somebody has their place. */
export function GuestsDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const [guests, setGuests] = useState<readonly SeatedGuest[]>(() =>
    booking.guests
      .filter((guest) => guest.status !== 'cancelled')
      .map(({ travelerId, name, unitType, note }) => ({ travelerId, name, unitType, note: note ?? '' })),
  )
  const [isAdding, setAdding] = useState(guests.length < booking.pax)
  const [swapped, setSwapped] = useState<number | null>(null)
  const restore = useRestoreNames()
  const save = useBookingWrite(nameGuests, (saved) => {
    toast(m.bookings_guests_saved(), { label: m.ui_undo(), onPress: () => restore(saved) })
    onClose()
  })
  const free = booking.pax - guests.length
  const send = () =>
    save.mutate({
      id: booking.id,
      version: booking.version,
      guests: guests.map(({ travelerId, firstName, lastName, unitType, note }) => ({
        unitType,
        note: note?.trim() || null,
        ...(travelerId !== undefined ? { travelerId } : { ...(firstName && { firstName }), lastName: lastName ?? '' }),
      })),
      swaps: guests.flatMap(({ inPlaceOf }, guest) => (inPlaceOf === undefined ? [] : [{ leaving: inPlaceOf, guest }])),
    })
  const named = guests.flatMap(({ travelerId, inPlaceOf }) => [travelerId, inPlaceOf].filter((id) => id !== undefined))
  const swap = (index: number, { travelerId: before, inPlaceOf }: SeatedGuest, coming: PickedGuest) => {
    const leaving = inPlaceOf ?? before
    setGuests(guests.with(index, { ...coming, ...(isOnBooking(booking, leaving) && { inPlaceOf: leaving }) }))
    setSwapped(null)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.bookings_name_guests_title({ ref: booking.bookingRef })}
      confirmLabel={m.bookings_save()}
      pending={save.isPending}
      error={save.error ? refusalText(save.error) : undefined}
    >
      <div className="grid gap-3">
        {guests.length > 0 && (
          <ul className="rounded-lg border border-line">
            {guests.map((guest, index) => (
              <li
                key={guest.travelerId ?? `${guest.name} ${index}`}
                className="flex min-h-10 flex-wrap items-center gap-2 border-t border-line px-3 first:border-t-0"
              >
                <span className="min-w-0 flex-1 truncate">
                  <b className="font-medium text-ink-strong">{guest.name}</b>{' '}
                  <span className="text-ink-2">· {unitLabel(guest.unitType)}</span>
                </span>
                <IconButton
                  small
                  icon={ArrowLeftRight}
                  iconSize={15}
                  label={m.bookings_swap_guest({ name: guest.name })}
                  aria-expanded={swapped === index}
                  onClick={() => setSwapped(swapped === index ? null : index)}
                />
                <IconButton
                  small
                  icon={X}
                  iconSize={15}
                  label={m.bookings_remove_guest({ name: guest.name })}
                  onClick={() => {
                    setGuests(guests.filter((_, at) => at !== index))
                    setSwapped(null)
                  }}
                />
                <Field label={m.bookings_note_on({ name: guest.name })} hideLabel className="w-full pb-2">
                  <TextInput
                    maxLength={300}
                    placeholder={m.bookings_guest_note()}
                    value={guest.note ?? ''}
                    onChange={(event) => setGuests(guests.with(index, { ...guest, note: event.target.value }))}
                  />
                </Field>
                {swapped === index && (
                  <div className="w-full pb-2">
                    <GuestPicker
                      unitTypes={[guest.unitType]}
                      exceptIds={named}
                      onPick={(coming) => swap(index, guest, coming)}
                    />
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
        {free > 0 && isAdding && (
          <GuestPicker
            unitTypes={unitsLeft(booking, guests)}
            exceptIds={named}
            onPick={(guest) => {
              setGuests([...guests, guest])
              setAdding(free > 1)
            }}
          />
        )}
        {free > 0 && !isAdding && (
          <div>
            <Button size="sm" icon={Plus} onClick={() => setAdding(true)}>
              {m.bookings_add_guest()}
            </Button>
          </div>
        )}
        <p className="text-ink-2">{free > 0 ? m.bookings_unnamed({ count: free }) : m.bookings_all_named()}</p>
      </div>
    </ConfirmDialog>
  )
}

const isOnBooking = ({ guests }: Booking, id: string | undefined): id is string =>
  guests.some(({ travelerId, status }) => travelerId === id && status !== 'cancelled')

/** Kinds of seats that still have no name; all kinds of the booking where seats and kinds do not match (family tickets). */
function unitsLeft(booking: Booking, guests: readonly PickedGuest[]): UnitType[] {
  const left = booking.units
    .filter(({ unitType, quantity }) => guests.filter((guest) => guest.unitType === unitType).length < quantity)
    .map(({ unitType }) => unitType)
  return left.length > 0 ? left : booking.units.map(({ unitType }) => unitType)
}
