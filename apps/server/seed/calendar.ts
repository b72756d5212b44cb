import type { Out } from '@tour-ops/contract/callable'
import { createDeparture, previewSchedule, scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import { issueEquipment } from '@tour-ops/contract/equipment/equipment-issues'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { assignVehicle } from '@tour-ops/contract/vehicles/vehicles'
import { addDays, localDateOf } from '../src/platform/local-time.ts'
import type { Catalogue, SeededTour } from './catalogue.ts'
import { type Counting, uncounted } from './counted-tables.ts'
import type { Person } from './person.ts'

export type SeededDeparture = Out<typeof listDepartures>['rows'][number]

/** So many past days are lived through by calls, as a day's work is seen in the audit log; what was before is written by the history. */
export const pastDays = 2
export const aheadDays = 30
/** Crews are assigned for this many days. */
export const crewedDays = 10

/** Days before today on which a tour of several days left, so that some are always on the way. */
const runningSince: Readonly<Record<string, readonly number[]>> = { ANNA: [11], POON: [2], SAFA: [5] }

/** Departures of two days back and a month ahead, all through the verbs of planning. */
export async function seedDepartures(
  planner: Person,
  tours: readonly SeededTour[],
  now: Date,
): Promise<SeededDeparture[]> {
  const longAgo = new Date(now.getTime() - 40 * 86_400_000)
  planner.at(longAgo)
  for (const tour of tours) {
    const today = localDateOf(now, tour.timeZone)
    const startDays = runningSince[tour.code]
    for (const ago of startDays ?? []) {
      await planner.call(createDeparture, {
        tourId: tour.id,
        optionId: tour.optionId,
        language: tour.languages[0] ?? null,
        localDate: addDays(today, -ago),
        startTimeLocal: tour.startTimes[0] ?? '09:00',
      })
    }
    await scheduleTour(planner, tour, addDays(today, startDays ? 1 : tour.isNew ? -1 : -pastDays), now)
  }
  return selectDepartures(planner)
}

/** What a tour is scheduled by, without its days. */
export const scheduleRuleOf = (tour: SeededTour) => ({
  tourId: tour.id,
  optionId: tour.optionId,
  language: tour.languages[0] ?? null,
  rrule: tour.rrule,
  startTimesLocal: [...tour.startTimes],
})

/** Puts on sale what the rule of a tour says, from a day on; what is there already stays as it is. */
export async function scheduleTour(planner: Person, tour: SeededTour, from: string, now: Date): Promise<void> {
  const rule = { ...scheduleRuleOf(tour), from, to: addDays(localDateOf(now, tour.timeZone), aheadDays) }
  // Out of season a tour has nothing to schedule.
  const { willCreate } = await planner.call(previewSchedule, rule)
  if (willCreate > 0) await planner.call(scheduleDepartures, rule)
}

/** All departures in order of their start, with the seats sold by now. */
export async function selectDepartures(planner: Person): Promise<SeededDeparture[]> {
  const departures: SeededDeparture[] = []
  for (let page = 1; ; page += 1) {
    const { rows, total } = await planner.call(listDepartures, { page, size: 500, sort: [{ by: 'startsAt' }] })
    departures.push(...rows)
    if (departures.length >= total || rows.length === 0) return departures
  }
}

/** Whether the crew of a departure is left open on purpose: tomorrow's South Coast has no lead guide. */
const leftOpen = (departure: SeededDeparture, tomorrow: string): boolean =>
  departure.tourCode === 'SOUTH' && departure.localDate === tomorrow

/** Who can take a role on a tour: drivers drive, and lead transfers; guides lead everything else. */
export const ableStaff = (
  tour: SeededTour,
  role: SeededTour['roles'][number],
  staff: Catalogue['staff'],
): Catalogue['staff'] =>
  staff.filter(
    (one) =>
      one.tours.includes(tour.code) &&
      (role === 'driver' || tour.kind === 'transfer'
        ? one.kinds.some((kind) => kind.startsWith('driver'))
        : !one.kinds.includes('driver')),
  )

/** Gives every departure of the coming days its crew and vehicle, as far as they are free, and what it takes along. */
export async function seedCrew(
  dispatcher: Person,
  { tours, staff, vehicles, equipment }: Catalogue,
  departures: readonly SeededDeparture[],
  now: Date,
  count: Counting = uncounted,
): Promise<void> {
  const tomorrow = addDays(localDateOf(now, 'Atlantic/Reykjavik'), 1)
  const until = now.getTime() + crewedDays * 86_400_000
  const duties = new Map<string, number>()
  for (const [place, departure] of departures.entries()) {
    if (Date.parse(departure.startsAt) > until) break
    await count(place)
    const tour = tours.find((one) => one.id === departure.tourId)
    if (!tour) continue
    dispatcher.at(new Date(Date.parse(departure.startsAt) - 3 * 86_400_000))
    for (const role of tour.roles) {
      if (role === 'porter' || (role === 'lead_guide' && leftOpen(departure, tomorrow))) continue
      const able = ableStaff(tour, role, staff)
      // Those with the fewest duties so far are asked first, as a fair planner would.
      const byDuties = able.toSorted((a, b) => (duties.get(a.id) ?? 0) - (duties.get(b.id) ?? 0))
      const assign = async (one: (typeof able)[number], overrideReason: string | null) => {
        await dispatcher.call(createAssignment, { departureId: departure.id, staffId: one.id, role, overrideReason })
        duties.set(one.id, (duties.get(one.id) ?? 0) + 1)
      }
      const isFilled = await firstFree(byDuties, (one) => assign(one, null))
      if (!isFilled) await firstFree(byDuties, (one) => assign(one, 'Nobody else was free'))
    }
    if (tour.vehicleClass) {
      const fitting = vehicles.filter((one) => one.tours.includes(tour.code))
      await firstFree(fitting, (one) =>
        dispatcher.call(assignVehicle, { departureId: departure.id, vehicleId: one.id }),
      )
    }
    const items = equipment.flatMap(({ id, issued }) => {
      const quantity = issued?.[tour.code]
      return quantity ? [{ equipmentId: id, quantity }] : []
    })
    if (departure.endsAt >= now.toISOString() && items.length > 0) {
      await firstFree([items], () => dispatcher.call(issueEquipment, { departureId: departure.id, items }))
    }
  }
}

/** Asks one after the other until somebody is free, as a dispatcher on the phone would. @returns whether somebody was. */
async function firstFree<T>(candidates: readonly T[], ask: (one: T) => Promise<unknown>): Promise<boolean> {
  for (const candidate of candidates) {
    try {
      await ask(candidate)
      return true
    } catch (error) {
      const isUnfit = error instanceof AppError && error.details.fieldErrors?.['overrideReason'] !== undefined
      const cannot = ['staff_busy', 'vehicle_busy', 'licence_expired', 'equipment_short']
      const isImpossible = error instanceof AppError && cannot.includes(error.details.reason ?? '')
      if (!isUnfit && !isImpossible) throw error
    }
  }
  return false
}
