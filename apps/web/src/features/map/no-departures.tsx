import { CalendarOff } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { FirstStep, scheduleLink } from '../../records/first-step.tsx'
import { Empty } from '../../ui/empty.tsx'

// What a list says that shows nothing: most days have departures, so it comes when it is needed.

export { NoMatch } from '../../ui/empty.tsx'

/** A day without departures. */
export const NoDepartures = () => (
  <Empty
    icon={CalendarOff}
    title={m.map_empty()}
    actions={
      <FirstStep permission="departures:manage" link={scheduleLink}>
        {m.tours_first_schedule()}
      </FirstStep>
    }
  >
    {m.map_empty_text()}
  </Empty>
)
