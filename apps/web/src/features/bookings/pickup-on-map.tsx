import { MapPin } from 'lucide-react'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { onIntent } from '../../ui/load-later.tsx'
import { PickupMapDialog } from './pickup-map-later.ts'

export interface Pickup {
  readonly stopId: string
  readonly placeName: string
  /** Null where the place has no position. */
  readonly lat: number | null
  readonly lng: number | null
  /** ISO 8601. */
  readonly at: string
}

export interface PickupOnMapProps {
  pickups: readonly Pickup[]
  /** Of the tour, in which the times are shown. */
  zone: string | undefined
  /** The id of its stop; empty for none. */
  value: string
  onChoose: (stopId: string) => void
}

/** Next to the list of pickups: the same choice on a map. Without any position there is no map to choose on. */
export function PickupOnMap(props: PickupOnMapProps) {
  const [isOpen, setOpen] = useState(false)
  if (!props.pickups.some(({ lat, lng }) => lat !== null && lng !== null)) return null
  return (
    <>
      <Button icon={MapPin} aria-haspopup="dialog" onClick={() => setOpen(true)} {...onIntent(PickupMapDialog)}>
        {m.bookings_pickup_map_choose()}
      </Button>
      {isOpen && <PickupMapDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
