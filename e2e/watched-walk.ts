import { type APIRequestContext, expect } from '@playwright/test'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createPlace, listPlaces } from '@tour-ops/contract/places/places'
import type { Api } from './api.ts'
import { makeDeparture, makeTour, planBetween } from './operations.ts'
import { guideWithPhone } from './walk.ts'

interface Report {
  readonly secondsAgo?: number
  readonly battery?: number
}

/**
 * A departure under way in an organization that has no place yet, with a lead guide on duty whose phone reports from its start.
 *
 * @param change.signalGap No signal is expected on the way to its end.
 */
export async function walkOnTheWay(
  office: Api,
  request: APIRequestContext,
  { name, signalGap = false }: { name: string; signalGap?: boolean },
) {
  for (const [place, lat] of [
    ['Base', 64.15],
    ['Hut', 64.4],
  ] as const)
    await office.call(createPlace, {
      name: place,
      kind: 'sight',
      lat,
      lng: -21.94,
      timeZone: 'Atlantic/Reykjavik',
    })
  const [base, hut] = (await office.call(listPlaces, { size: 2, sort: [{ by: 'name' }] })).rows
  const plan = planBetween(base?.id ?? '', hut?.id ?? '')
  const stops = plan.stops?.map((stop) => (stop.kind === 'end' ? { ...stop, signalGap } : stop))
  const tour = await makeTour(name, office, { content: { ...plan, stops } })
  const { id } = await makeDeparture(tour, {}, office)
  const { staffId, url } = await guideWithPhone(office, 'Nils')
  await office.call(createAssignment, { departureId: id, staffId, role: 'lead_guide' })
  for (const to of ['boarding', 'in_progress'] as const) {
    const { version } = await office.call(getDeparture, { id })
    await office.call(setDepartureStatus, { id, version, to, reason: 'Journey' })
  }
  const report = async ({ secondsAgo = 0, battery = 80 }: Report = {}): Promise<void> => {
    const at = Date.now() - secondsAgo * 1_000
    const sent = await request.get(`${url}?lat=64.15&lon=-21.94&timestamp=${at}&accuracy=10&batt=${battery}`)
    expect(sent.status()).toBe(200)
  }
  return { id, staffId, report }
}
