import { m } from '../paraglide/messages.js'
import { FirstStep, scheduleSearch } from './first-step.tsx'

/** The two steps to the first departure: a tour, then its dates. */
export const FirstDeparture = () => (
  <>
    <FirstStep permission="tours:manage" to="/tours/constructor" isMain={false}>
      {m.tours_first()}
    </FirstStep>
    <FirstStep permission="departures:manage" to="/tours/all" search={{ ...scheduleSearch, show: 'departures' }}>
      {m.tours_first_schedule()}
    </FirstStep>
  </>
)
