import { linkOptions } from '@tanstack/react-router'
import { m } from '../paraglide/messages.js'
import { FirstStep } from './first-step.tsx'

/** The two steps to the first departure: a tour, then its dates. */
export const FirstDeparture = () => (
  <>
    <FirstStep permission="tours:manage" link={{ to: '/tours/constructor' }} isMain={false}>
      {m.tours_first()}
    </FirstStep>
    <FirstStep
      permission="departures:manage"
      link={linkOptions({ to: '/tours/all', search: { schedule: 'open', show: 'departures' } })}
    >
      {m.tours_first_schedule()}
    </FirstStep>
  </>
)
