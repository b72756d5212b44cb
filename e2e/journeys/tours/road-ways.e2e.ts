import { createPlace } from '@tour-ops/contract/places/places'
import { osrmWay, type TestRouter, testRouter } from '../../../apps/server/testing/routers.ts'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, expectScreen, test } from '../../fixtures.ts'
import { routerPort } from '../../router-service.ts'

test.describe.configure({ mode: 'serial' })

let router: TestRouter
test.beforeAll(async () => {
  router = await testRouter(routerPort)
})
test.afterAll(() => router?.close())

test('the itinerary shows ways by road where the organization has a router, and estimates where it does not answer', async ({
  page,
  context,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Road Days')
  const api = await apiOfBrowser(context)
  const places = { Town: [64.1466, -21.9426], Geyser: [64.3104, -20.3014], Falls: [64.3271, -20.1199] } as const
  for (const [name, [lat, lng]] of Object.entries(places)) {
    await api.call(createPlace, { name, kind: 'sight', lat, lng, timeZone: 'Atlantic/Reykjavik' })
  }

  const stops = page.getByRole('region', { name: 'Stops' }).getByRole('list').getByRole('listitem')
  const plan = page.getByRole('region', { name: 'Day map' })
  const add = async (place: string) => {
    const field = page.getByLabel('Add a place')
    await field.fill(place)
    const found = page.getByRole('listbox').getByRole('option')
    await expect(found).toHaveCount(1)
    await found.filter({ hasText: place }).click()
  }

  // without a router there is one kind of way, and nothing to say about it
  await page.goto('/tours/constructor')
  await expectScreen(page, 'Tour builder')
  await add('Town')
  await add('Geyser')
  await expect(stops.nth(1)).toContainText('110 km · 1 h 50 min')
  await expect(plan).toContainText('distance, about')

  await page.goto('/settings/general#routing')
  await page.getByLabel(/^Source of travel times/).selectOption('osrm')
  await page.getByLabel(/^URL of the routing service/).fill(router.address)
  router.answer({ body: osrmWay(60, 1000) })
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()

  router.answer({ body: osrmWay(6780, 99_700) })
  await page.goto('/tours/constructor')
  await expect(stops.nth(1)).toContainText('100 km by road')
  await expect(plan).toContainText('distance by road')
  await expectAccessible(page)

  // a plan that is shorter than the router says is tight, with the minutes of the router
  router.answer({ body: osrmWay(3540, 14_200) })
  await add('Falls')
  await expect(stops.nth(2)).toContainText('14 km by road')
  await expect(plan).toContainText(/The way to Falls is tight: planned \d+ min, around 1 h needed\./)
  await plan.getByRole('button', { name: 'Use 1 h' }).click()
  await expect(plan).not.toContainText('is tight')

  // the router is gone: what it gave stays, what it has not given is estimated
  router.answer(null)
  await add('Town')
  await expect(plan).toContainText('The routing service does not answer.')
  await expect(stops.nth(3)).toContainText('km estimated')
  await expect(stops.nth(1)).toContainText('100 km by road')
  await expect(plan).toContainText('distance, about')
  await expectAccessible(page)
})
