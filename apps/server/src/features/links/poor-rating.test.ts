import { getOverview } from '@tour-ops/contract/overview/overview'
import { listFeedback } from '@tour-ops/contract/reports/feedback'
import { getNotificationSettings, updateNotificationSettings } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDeparture, book, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { allVerbs } from '../../verbs.ts'
import { isNewlyPoor } from './poor-rating.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** An office of which parties gave one to five stars. */
async function ratedOffice() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  for (const stars of [1, 2, 3, 4, 5]) {
    const { id } = await book(caller, departureId, 1)
    await caller.transaction((tx) =>
      sql`insert into feedback (org_id, id, departure_id, booking_id, tour_rating, at)
        values (${caller.orgId}, ${newId()}, ${departureId}, ${id}, ${stars}, app_now())`.execute(tx),
    )
  }
  const admin = await world.as('admin', { orgId: caller.orgId, clock })
  const limit = async (poorestStars: number) => {
    const { version, settings } = await admin.call(verbOf(getNotificationSettings), {})
    await admin.call(verbOf(updateNotificationSettings), { version, settings: { ...settings, poorestStars } })
  }
  return { caller, limit }
}

/** Stars that the overview, the list and the notice call poor. */
async function poorFor(caller: TestCaller) {
  const { attention } = await caller.call(verbOf(getOverview), {})
  const { rows } = await caller.call(verbOf(listFeedback), { filters: { followUp: ['open'] } })
  const newly = await Promise.all(
    [1, 2, 3, 4, 5].map(async (stars) => {
      const is = await caller.transaction((tx) =>
        isNewlyPoor(tx, caller.orgId, { tourRating: 5, guideRating: stars }, { tourRating: 5, guideRating: null }),
      )
      return is ? [stars] : []
    }),
  )
  return {
    overview: attention.flatMap(({ feedback }) => (feedback ? [feedback.stars] : [])).toSorted((a, b) => a - b),
    list: rows.map(({ tourRating }) => tourRating ?? 0).toSorted((a, b) => a - b),
    notice: newly.flat(),
  }
}

test('an organization says up to how many stars a rating is poor, for the overview, the list and the notice alike', async () => {
  const [{ caller, limit }, { caller: stranger }] = [await ratedOffice(), await ratedOffice()]
  const same = (stars: number[]) => ({ overview: stars, list: stars, notice: stars })
  expect(await poorFor(caller)).toEqual(same([1, 2]))
  await limit(3)
  expect(await poorFor(caller)).toEqual(same([1, 2, 3]))
  await limit(1)
  expect(await poorFor(caller)).toEqual(same([1]))
  expect(await poorFor(stranger)).toEqual(same([1, 2]))
  for (const none of [0, 5]) await expect(limit(none)).rejects.toMatchObject({ code: 'invalid-argument' })
})

test('a rating is news where it is poor and was not before', async () => {
  const { caller } = await ratedOffice()
  const isNews = (tourRating: number, before: number | null) =>
    caller.transaction((tx) =>
      isNewlyPoor(
        tx,
        caller.orgId,
        { tourRating, guideRating: null },
        before === null ? null : { tourRating: before, guideRating: null },
      ),
    )
  expect([await isNews(2, null), await isNews(1, 2), await isNews(1, 5), await isNews(4, 1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
