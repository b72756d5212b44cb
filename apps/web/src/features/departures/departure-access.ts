import { openWithOffer } from '@tour-ops/contract/identity/access'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { type Access, useAccess } from '../../identity/access.ts'

export interface DepartureAccess extends Access {
  /** The reader is asked for this departure and has not accepted: its guests, bookings and history are closed, and nothing is written. */
  readonly isOnlyAsked: boolean
}

/** What the person at the screen may do with one departure. */
export function useDepartureAccess(departure: Departure): DepartureAccess {
  const access = useAccess()
  const own = departure.crew.filter((member) => member.isSelf && member.status !== 'released')
  const isOnlyAsked =
    access.has({ role: 'guide' }) && own.length > 0 && own.every((member) => member.status === 'offered')
  if (!isOnlyAsked) return { ...access, isOnlyAsked }
  return { ...access, isOnlyAsked, can: (permission) => openWithOffer.includes(permission) && access.can(permission) }
}
