import type { Page } from '@playwright/test'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Lava fields')
})

const drawer = (page: Page) => page.getByRole('dialog', { name: /Lava fields/ })

test('a copied link begins with the public address where one is configured', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const departure = await makeDeparture(tour)
  await page.route(
    (url) => url.pathname === '/dashboard/overview',
    async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('"publicOrigin":null', '"publicOrigin":"https://tours.example.com"')
      await route.fulfill({ response: answer, body })
    },
  )
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await drawer(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `https://tours.example.com/dashboard/overview?departure=${departure.id}`,
  )
})

for (const [what, isThere] of [
  ['without a clipboard, as over plain http', false],
  ['with a clipboard that refuses', true],
] as const) {
  test(`a link is copied ${what}`, async ({ page }) => {
    const departure = await makeDeparture(tour)
    await page.addInitScript((refuses) => {
      const clipboard = { writeText: () => Promise.reject(new Error('refused')) }
      Object.defineProperty(navigator, 'clipboard', { value: refuses ? clipboard : undefined })
    }, isThere)
    await page.goto(`/dashboard/overview?departure=${departure.id}`)
    const copy = drawer(page).getByRole('button', { name: 'Copy link' })
    await copy.click()
    await expect(page.getByText('Link copied')).toBeVisible()
    await expect(copy).toBeFocused()
    await page.goto('/travelers/list')
    const search = page.getByRole('searchbox').first()
    await search.focus()
    await page.keyboard.press('Control+V')
    await expect(search).toHaveValue(new RegExp(`/dashboard/overview\\?departure=${departure.id}$`))
  })
}

test('where nothing may be copied, the text is shown to copy by hand', async ({ page }) => {
  const departure = await makeDeparture(tour)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await drawer(page).getByRole('button', { name: 'Copy link' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy it yourself' })
  await expect(shown.getByLabel('Text to copy')).toHaveValue(new RegExp(`departure=${departure.id}$`))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
  await expect(drawer(page)).toBeVisible()
})
