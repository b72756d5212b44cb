import type { Page } from '@playwright/test'
import { type Departure, readinessChecks } from '@tour-ops/contract/departures/departures'
import { expect, sessionFile, settled, test } from '../../fixtures.ts'
import { book, makeBoarding, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

const drawer = (page: Page) => page.getByRole('dialog').first()
/** Also behind a dialog. */
const tab = (page: Page, name: RegExp) =>
  expect(page.getByRole('tab', { name, includeHidden: true })).toHaveAttribute('aria-selected', 'true')
const dialog = (page: Page, name: string) => expect(page.getByRole('dialog', { name })).toBeVisible()

/** Every check with its words and where the press must end. */
const fixes: Record<Departure['checks'][number]['check'], [words: string, lands: (page: Page) => Promise<unknown>]> = {
  lead_guide: ['No lead guide', (page) => Promise.all([tab(page, /Crew/), dialog(page, 'Assign crew')])],
  language: ['Nobody in the crew speaks', (page) => Promise.all([tab(page, /Crew/), dialog(page, 'Assign crew')])],
  guide_ratio: ['Too few guides', (page) => Promise.all([tab(page, /Crew/), dialog(page, 'Assign crew')])],
  vehicle_seats: ['No vehicle', (page) => Promise.all([tab(page, /Crew/), dialog(page, 'Assign vehicle')])],
  services_confirmed: ['Services are not confirmed', (page) => tab(page, /Services/)],
  documents: ['Documents are missing', (page) => tab(page, /Manifest/)],
  weather_note: ['Weather note missing', (page) => Promise.all([tab(page, /Run sheet/), dialog(page, 'Notes')])],
  minimum_pax: ['Below the minimum', (page) => tab(page, /Bookings/)],
  suppliers_informed: ['Suppliers not told', (page) => tab(page, /Services/)],
  messages_delivered: ['Messages failed', (page) => expect(page).toHaveURL(/\/tools\/notifications\?/)],
}

for (const [place, width] of [
  ['a desk', 1440],
  ['a phone', 390],
] as const) {
  test(`on ${place} each failing check leads to its fix in one press`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    const departure = await makeDeparture(await makeTour('Nothing ready'))
    // No departure fails everything at once: the answer says so instead.
    await page.route('**/api/departures-get', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { result: Departure }
      const checks = readinessChecks.map((check) => ({ check, ok: false, detail: null }))
      const readiness = { ready: false, done: 0, total: checks.length, failing: [...readinessChecks] }
      await route.fulfill({ response: answer, json: { ...body, result: { ...body.result, checks, readiness } } })
    })
    for (const [check, [words, lands]] of Object.entries(fixes)) {
      await test.step(check, async () => {
        await page.goto(`/tours/all?departure=${departure.id}&tab=history`)
        await drawer(page)
          .getByRole('button', { name: /0 of 10/ })
          .click()
        await page.getByRole('link', { name: new RegExp(words) }).click()
        await lands(page)
      })
    }
    // The last of them says which departure it shows; a phone has its filters behind a button.
    await settled(page)
    if (width > 600) await expect(page.getByText(departure.code).first()).toBeVisible()
  })
}

test('a missing head count leads to the count', async ({ page }) => {
  const departure = await makeBoarding(await makeTour('Count them'))
  await book(departure.id, ['Ada Nord'])
  await page.goto(`/tours/all?departure=${departure.id}&tab=history`)
  await drawer(page)
    .getByRole('button', { name: /Head count/ })
    .click()
  await page.getByRole('link', { name: /Head count/ }).click()
  await expect(page.getByRole('dialog', { name: 'How many are there?' })).toBeVisible()
})

test('on the overview each check of tomorrow leads to its fix, the row to the departure', async ({ page }) => {
  const tour = await makeTour(`Quiet ${Date.now().toString(36)}`, undefined, { minPax: 4 })
  const hours = 24 * (100 + Math.floor(Math.random() * 200))
  const departure = await makeDeparture(tour, { hours })
  const before = new Date(Date.parse(departure.localDate) - 86_400_000).toISOString().slice(0, 10)
  const row = page.getByRole('listitem').filter({ hasText: tour.name })
  const open = async () => {
    await page.goto(`/dashboard/overview?day=${before}`)
    await settled(page)
  }
  await open()
  await row.getByRole('link', { name: 'No lead guide' }).click()
  await tab(page, /Crew/)
  await dialog(page, 'Assign crew')
  await open()
  await row.getByRole('link', { name: 'Below minimum' }).click()
  await tab(page, /Bookings/)
  await open()
  await row.getByRole('link', { name: tour.name }).click()
  await tab(page, /Run sheet/)
})
