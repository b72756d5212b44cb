import type { FormHold } from '@tour-ops/contract/bookings/form-hold'
import { m } from '../../paraglide/messages.js'
import { formatTimeThere } from '../../ui/format.ts'

interface FormHoldsProps {
  holds: readonly FormHold[]
  /** Of the tour. */
  zone: string
}

/** Seats that others are about to sell: "2 seats held in a form by Ana, until 14:03". */
export function FormHolds({ holds, zone }: FormHoldsProps) {
  if (holds.length === 0) return null
  return (
    <ul className="text-xs text-ink-2">
      {holds.map(({ byName, seats: count, until }) => {
        const time = formatTimeThere(until, zone)
        return (
          <li key={`${byName} ${until}`}>
            {byName === null
              ? m.bookings_form_hold_unnamed({ count, time })
              : m.bookings_form_hold({ count, name: byName, time })}
          </li>
        )
      })}
    </ul>
  )
}
