import { useQuery } from '@tanstack/react-query'
import { type Booking, listBookings } from '@tour-ops/contract/bookings/bookings'
import { joinParties } from '@tour-ops/contract/bookings/split'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { formatMoney } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { unitsText } from './booking-labels.ts'
import { TellContact } from './tell-guest.tsx'
import { useBookingWrite } from './use-booking-write.ts'
import { useTakeApart } from './use-restore.ts'

/** More bookings than a departure has. */
const atMost = 500

/** Another booking of the departure that becomes part of this one. */
export function JoinDialog({ booking: current, onClose }: { booking: Booking; onClose: () => void }) {
  const [booking] = useState(current)
  const { id, version, bookingRef: ref, departureId, status, currency } = booking
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const [isTold, setTold] = useState(true)
  const filters = { departureId: [departureId], status: [status] }
  const { data, error, refetch } = useQuery(callQuery(listBookings, { filters, page: 1, size: atMost }))
  const undo = useTakeApart()
  const save = useBookingWrite(joinParties, ({ booking: joined, other: gone }) => {
    toast(m.bookings_join_done({ ref: joined.bookingRef, other: gone.bookingRef }), {
      label: m.ui_undo(),
      onPress: () => undo(joined, gone),
    })
    onClose()
  })
  const rows = (data?.rows ?? []).filter((row) => row.id !== id && row.currency === currency)
  const other = rows.find((row) => row.id === chosen?.value)
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.bookings_join_title({ ref })}
      locked={save.isPending}
      actions={
        <Button
          variant="primary"
          pending={save.isPending}
          disabledReason={other ? undefined : m.bookings_join_choose()}
          onClick={() =>
            other && save.mutate({ id, version, other: { id: other.id, version: other.version }, tellGuest: isTold })
          }
        >
          {m.bookings_join_save()}
        </Button>
      }
    >
      {error ? (
        <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : rows.length === 0 ? (
        <p className="text-ink-2">{m.bookings_join_none()}</p>
      ) : (
        <div className="grid gap-4">
          <Field label={m.bookings_join_with()}>
            <Combobox
              value={chosen}
              onChange={setChosen}
              options={rows.map((row) => ({
                value: row.id,
                label: `${row.contact.name} · ${row.bookingRef}`,
                detail: `${unitsText(row.units)} · ${formatMoney(row.amountTotalMinor, row.currency)}`,
              }))}
            />
          </Field>
          {other && <p className="text-ink-2">{m.bookings_join_text({ other: other.bookingRef, ref })}</p>}
          <TellContact event="booking_changed" booking={booking} checked={isTold} onChange={setTold} />
          {save.error && (
            <Banner tone="bad" role="alert" framed title={refusalText(save.error)}>
              {m.bookings_party_kept()}
            </Banner>
          )}
        </div>
      )}
    </Dialog>
  )
}
