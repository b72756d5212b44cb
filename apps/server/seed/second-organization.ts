import { scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { createPlace } from '@tour-ops/contract/places/places'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { createTour, getTour, publishTour } from '@tour-ops/contract/tours/tours'
import type { Services } from '../src/context.ts'
import type { EmbeddedAccounts } from '../src/platform/identity/embedded-accounts.ts'
import { addDays, localDateOf } from '../src/platform/local-time.ts'
import type { DemoPeople } from './demo.ts'
import { person } from './person.ts'

export const secondSlug = 'harbor-walks'

/** A small operator to switch to: one tour, one guide, another time zone and currency. */
export async function seedSecondOrganization(
  services: Services,
  accounts: EmbeddedAccounts,
  people: DemoPeople,
): Promise<void> {
  const { orgId } = await accounts.createOrganization({
    name: 'Harbor Walks',
    slug: secondSlug,
    members: [
      { userId: people.admin.userId, role: 'admin' },
      { userId: people.operations_manager.userId, role: 'operations_manager' },
      { userId: people.dispatcher.userId, role: 'viewer' },
    ],
  })
  const now = services.clock.now()
  const admin = person(services, { ...people.admin, orgId }).at(new Date(now.getTime() - 20 * 86_400_000))
  const timeZone = 'America/Halifax'
  const { version, settings } = await admin.call(getGeneralSettings, {})
  await admin.call(updateGeneralSettings, {
    version,
    settings: {
      ...settings,
      name: 'Harbor Walks',
      timeZone,
      currency: 'CAD',
      map: { lat: 44.6488, lng: -63.5752, zoom: 9 },
    },
  })
  const start = await admin.call(createPlace, {
    name: 'Halifax waterfront',
    kind: 'meeting_point',
    lat: 44.6476,
    lng: -63.5728,
    timeZone,
  })
  const end = await admin.call(createPlace, {
    name: 'Citadel Hill',
    kind: 'sight',
    lat: 44.6475,
    lng: -63.5803,
    timeZone,
  })
  await admin.call(createFieldStaff, {
    firstName: 'Moira',
    lastName: 'MacNeil',
    kinds: ['guide'],
    employment: 'employee',
    phone: '+19025550142',
    languages: [{ tag: 'en', level: 'C2' }],
  })
  const { id } = await admin.call(createTour, {
    code: 'WALK',
    name: 'Harbor walk',
    kind: 'walking',
    timeZone,
    durationMin: 120,
    defaultCapacity: 15,
    minPax: 2,
    options: [{ name: 'Standard', startTimesLocal: ['11:00'], language: 'en' }],
    content: {
      days: [{ dayIndex: 1, title: 'Harbor walk' }],
      stops: [
        { dayIndex: 1, order: 1, placeId: start.id, kind: 'start', offsetMin: 0, dwellMin: 10 },
        { dayIndex: 1, order: 2, placeId: end.id, kind: 'end', offsetMin: 120 },
      ],
      units: [{ unitType: 'adult', priceMinor: 3500, currency: 'CAD' }],
    },
  })
  const draft = await admin.call(getTour, { id })
  await admin.call(publishTour, { id, version: draft.version })
  const today = localDateOf(now, timeZone)
  await admin.call(scheduleDepartures, {
    tourId: id,
    optionId: draft.options[0]?.id ?? null,
    language: 'en',
    rrule: 'FREQ=DAILY',
    from: today,
    to: addDays(today, 20),
    startTimesLocal: ['11:00'],
  })
}
