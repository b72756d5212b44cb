import { createBooking } from '@tour-ops/contract/bookings/bookings'
import type { Person } from '../apps/server/testing/programs.ts'

/** Guests of one departure, in parties of five. @returns Their entries on the manifest. */
export async function sellGuests(admin: Person, departureId: string, guests: number): Promise<string[]> {
  const entryIds: string[] = []
  while (entryIds.length < guests) {
    const booking = await admin.call(createBooking, {
      departureId,
      mode: 'confirm',
      channel: 'walk_in',
      contact: { name: `Party ${entryIds.length}` },
      units: [{ unitType: 'adult', quantity: 5 }],
      guests: Array.from({ length: 5 }, (_, n) => ({
        lastName: `Guest ${entryIds.length + n}`,
        unitType: 'adult' as const,
      })),
    })
    entryIds.push(...booking.guests.flatMap(({ entryId }) => entryId ?? []))
  }
  return entryIds
}
