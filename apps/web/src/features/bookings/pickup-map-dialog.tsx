import { useRef } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatTimeThere } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import type { PickupOnMapProps } from './pickup-on-map.tsx'

const mapHeight = 'h-[240px] sm:h-[400px]'

const ChoiceMap = loadLater(
  () => import('../map/basemap/choice-map.tsx').then((loaded) => loaded.ChoiceMap),
  <div className={`${mapHeight} rounded-lg bg-surface-2`} />,
)

/** All pickups in a list, and those whose place has a position on a map next to it; both choose at once. */
export function PickupMapDialog({
  pickups,
  zone,
  value,
  onChoose,
  onClose,
}: PickupOnMapProps & { onClose: () => void }) {
  const chosen = useRef<HTMLInputElement>(null)
  const numbered = pickups.map((pickup, index) => ({
    ...pickup,
    number: index + 1,
    time: formatTimeThere(pickup.at, zone),
  }))
  const places = numbered.flatMap(({ stopId, number, time, placeName, lat, lng }) =>
    lat === null || lng === null ? [] : [{ key: stopId, number, label: `${time} ${placeName}`, lat, lng }],
  )
  return (
    <Dialog
      open
      wide
      dismissible
      onClose={onClose}
      title={m.bookings_pickup_map_title()}
      initialFocus={chosen}
      actions={
        <Button variant="primary" onClick={onClose}>
          {m.bookings_pickup_map_done()}
        </Button>
      }
    >
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_260px] sm:items-start">
        <div className="sticky top-0 z-1 bg-surface pb-1">
          <ChoiceMap
            label={m.bookings_pickup_map_label()}
            caption={m.bookings_pickup_map_hint()}
            places={places}
            chosen={value}
            onChoose={onChoose}
            mapClassName={mapHeight}
          />
        </div>
        <div
          ref={(list) => {
            chosen.current ??= list?.querySelector<HTMLInputElement>('input:checked') ?? null
          }}
        >
          <RadioCards
            label={m.bookings_pickup()}
            columns={1}
            value={value}
            onChange={onChoose}
            options={[
              { value: '', label: m.bookings_pickup_none() },
              ...numbered.map(({ stopId, number, time, placeName, lat, lng }) => ({
                value: stopId,
                label: (
                  <span className="flex gap-2">
                    <span
                      aria-hidden
                      className="num grid size-5 shrink-0 place-items-center rounded-full border border-ctl text-2xs"
                    >
                      {number}
                    </span>
                    <span className="min-w-0">
                      <Ltr>{time}</Ltr> {placeName}
                    </span>
                  </span>
                ),
                hint: lat === null || lng === null ? m.bookings_pickup_map_unplaced() : undefined,
              })),
            ]}
          />
        </div>
      </div>
    </Dialog>
  )
}
