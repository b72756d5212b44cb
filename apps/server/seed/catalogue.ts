import { discountRecord } from '@tour-ops/contract/bookings/discount-codes'
import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { createFieldStaff, listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { createPlace } from '@tour-ops/contract/places/places'
import { createTour, getTour, listTours, publishTour } from '@tour-ops/contract/tours/tours'
import { addVehicleBlock } from '@tour-ops/contract/vehicles/vehicle-calendar'
import { createSupplier, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { type DemoEquipment, demoEquipment } from './data/equipment.ts'
import { demoPlaces } from './data/places.ts'
import { type DemoStaff, type DemoVehicle, demoStaff, demoVehicles } from './data/staff.ts'
import { type DemoTour, demoTours } from './data/tours.ts'
import type { Person } from './person.ts'

export interface SeededTour extends DemoTour {
  readonly id: string
  readonly optionId: string | null
}
export interface SeededStaff extends DemoStaff {
  readonly id: string
}
export interface SeededVehicle extends DemoVehicle {
  readonly id: string
}

export interface SeededEquipment extends DemoEquipment {
  readonly id: string
}

export interface Catalogue {
  readonly tours: readonly SeededTour[]
  readonly staff: readonly SeededStaff[]
  readonly vehicles: readonly SeededVehicle[]
  readonly equipment: readonly SeededEquipment[]
}

const agencies = ['Norðurljós guides', 'Guias do Tejo', 'Himal porters and guides']

/** Places, suppliers, crew, vehicles and the published tours, made the way the office would. */
export async function seedCatalogue(designer: Person, today: Date): Promise<Catalogue> {
  const places = new Map<string, string>()
  for (const [key, place] of demoPlaces) places.set(key, (await designer.call(createPlace, place)).id)
  const placeId = (key: string): string => {
    const id = places.get(key)
    if (!id) throw new Error(`The demo has no place "${key}"`)
    return id
  }
  for (const name of agencies) await designer.call(createSupplier, { name, kind: 'guide_agency' })
  const staff = await seedStaff(designer, placeId, today)
  const vehicles = await seedVehicles(designer, today)
  const equipment: SeededEquipment[] = []
  for (const one of demoEquipment) {
    const { base, issued: _issued, ...kind } = one
    equipment.push({
      ...one,
      ...(await designer.call(equipmentRecord.create, { ...kind, basePlaceId: placeId(base) })),
    })
  }
  await designer.call(discountRecord.create, { code: 'AURORA10', kind: 'percent', value: 10 })
  const tours: SeededTour[] = []
  for (const tour of demoTours) tours.push({ ...tour, ...(await seedTour(designer, tour, placeId)) })
  return { tours, staff, vehicles, equipment }
}

/** What is there of it by now: a visitor may have taken something away, or out of use. */
export async function findCatalogue(planner: Person): Promise<Catalogue> {
  const active = { size: 500, filters: { status: ['active' as const] } }
  const published = await planner.call(listTours, { size: 500, filters: { status: ['published'] } })
  const tours = new Map(published.rows.map((row) => [row.code, row.id]))
  const staff = new Map((await planner.call(listFieldStaff, active)).rows.map((row) => [row.code, row.id]))
  const vehicles = new Map((await planner.call(vehicleRecord.list, active)).rows.map((row) => [row.label, row.id]))
  const equipment = new Map(
    (await planner.call(equipmentRecord.list, { size: 500 })).rows.map((row) => [row.name, row.id]),
  )
  const onSale: SeededTour[] = []
  for (const tour of withIds(demoTours, ({ code }) => tours.get(code))) {
    const { options } = await planner.call(getTour, { id: tour.id })
    onSale.push({ ...tour, optionId: options[0]?.id ?? null })
  }
  return {
    tours: onSale,
    staff: withIds(demoStaff, ({ code }) => staff.get(code)),
    vehicles: withIds(demoVehicles, ({ label }) => vehicles.get(label)),
    equipment: withIds(demoEquipment, ({ name }) => equipment.get(name)),
  }
}

const withIds = <T>(all: readonly T[], idOf: (one: T) => string | undefined): (T & { id: string })[] =>
  all.flatMap((one) => {
    const id = idOf(one)
    return id === undefined ? [] : [{ ...one, id }]
  })

const inDays = (today: Date, days: number): string =>
  new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10)

async function seedStaff(designer: Person, placeId: (key: string) => string, today: Date): Promise<SeededStaff[]> {
  const seeded: SeededStaff[] = []
  for (const [index, one] of demoStaff.entries()) {
    const { id } = await designer.call(createFieldStaff, {
      code: one.code,
      firstName: one.firstName,
      lastName: one.lastName,
      kinds: [...one.kinds],
      employment: one.employment,
      phone: `+4477009001${String(index).padStart(2, '0')}`,
      email: `${one.code.toLowerCase()}@example.org`,
      homeBasePlaceId: placeId(one.base),
      languages: one.languages.map((tag, place) => ({ tag, level: place === 0 ? ('C2' as const) : ('C1' as const) })),
      contractedHoursPerWeek: one.employment === 'employee' ? 40 : null,
      certificates: [{ kind: 'first_aid', validUntil: inDays(today, 60 + 25 * index) }],
    })
    seeded.push({ ...one, id })
  }
  return seeded
}

/** One inspection expires soon: the board should show it. One van is in maintenance soon. See docs/domain.md, "Demo organization". */
async function seedVehicles(designer: Person, today: Date): Promise<SeededVehicle[]> {
  const seeded: SeededVehicle[] = []
  for (const [index, one] of demoVehicles.entries()) {
    const { tours: _tours, ...vehicle } = one
    const { id } = await designer.call(vehicleRecord.create, {
      ...vehicle,
      inspectionValidUntil: inDays(today, one.label === 'Minibus 3' ? 9 : 120 + 20 * index),
    })
    if (one.label === 'Van 6') {
      const [startsAt, endsAt] = [`${inDays(today, 3)}T08:00:00Z`, `${inDays(today, 4)}T16:00:00Z`]
      await designer.call(addVehicleBlock, { vehicleId: id, kind: 'maintenance', startsAt, endsAt, note: 'Brakes' })
    }
    seeded.push({ ...one, id })
  }
  return seeded
}

/** What guests get back who cancel, as it is usual: all until a day or two before, on long tours less and less. */
const dayTourSteps = [
  { daysBefore: 2, refundPercent: 100 },
  { daysBefore: 1, refundPercent: 50 },
]
const longTourSteps = [
  { daysBefore: 30, refundPercent: 90 },
  { daysBefore: 14, refundPercent: 50 },
  { daysBefore: 7, refundPercent: 20 },
]

async function seedTour(
  designer: Person,
  tour: DemoTour,
  placeId: (key: string) => string,
): Promise<{ id: string; optionId: string | null }> {
  const stops = tour.days.flatMap((day, dayPlace) =>
    day.stops.map((stop, place) => ({
      dayIndex: dayPlace + 1,
      order: place + 1,
      placeId: placeId(stop.place),
      kind: stop.kind,
      offsetMin: stop.offsetMin,
      dwellMin: stop.dwellMin,
      slackMin: stop.slackMin ?? 0,
      headcountRequired: stop.headcount ?? false,
      timedEntry: stop.timedEntry ?? false,
      travelMode: stop.travelMode ?? null,
    })),
  )
  const { id } = await designer.call(createTour, {
    code: tour.code,
    name: tour.name,
    kind: tour.kind,
    timeZone: tour.timeZone,
    color: tour.color,
    durationMin: tour.durationMin,
    durationDays: tour.days.length,
    difficulty: tour.difficulty ?? 'easy',
    languages: [...tour.languages],
    defaultCapacity: tour.capacity,
    minPax: tour.minPax,
    cutoffMinutes: 30,
    cancellationSteps: tour.days.length > 1 ? longTourSteps : dayTourSteps,
    requirements: {
      guideRatio: tour.capacity,
      roles: [...tour.roles],
      vehicleClass: tour.vehicleClass ?? null,
    },
    options: [{ name: 'Standard', startTimesLocal: [...tour.startTimes], language: tour.languages[0] ?? null }],
    content: {
      days: tour.days.map((day, place) => ({ dayIndex: place + 1, title: day.title })),
      stops,
      units: tour.prices.map(([unitType, priceMinor]) => ({ unitType, priceMinor, currency: tour.currency })),
      texts: { description: tour.description, whatToBring: tour.whatToBring ?? null },
    },
  })
  const draft = await designer.call(getTour, { id })
  await designer.call(publishTour, { id, version: draft.version, note: 'First publication' })
  return { id, optionId: draft.options[0]?.id ?? null }
}
