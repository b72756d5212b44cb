import { moveBookings } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { coreVerbOf } from './operations.ts'
import type { TestCaller } from './world.ts'

/** Moves parties to another departure, in the versions that are given. */
export const move = (caller: TestCaller, parties: readonly { id: string; version: number }[], toDepartureId: string) =>
  caller.call(coreVerbOf(moveBookings), { parties: parties.map(({ id, version }) => ({ id, version })), toDepartureId })

/** How the seats of a departure are taken. */
export const seats = async (caller: TestCaller, id: string) => {
  const { seatsConfirmed, seatsHeld, seatsLeft, waitlistCount } = await caller.call(coreVerbOf(getDeparture), { id })
  return { seatsConfirmed, seatsHeld, seatsLeft, waitlistCount }
}
