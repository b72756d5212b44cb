import { type TileHost, tileHost } from '../../../apps/server/testing/tile-host.ts'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { expect, expectAccessible, goWithin, takeAnswers, test } from '../../fixtures.ts'
import { mapServicePort } from '../../map-service.ts'

test.describe.configure({ mode: 'serial' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

let host: TileHost
test.beforeAll(async () => {
  host = await tileHost(mapServicePort)
})
test.afterAll(() => host?.close())

test('a map service is checked when it is saved, maps are drawn on it, and on the offline basemap while it fails', async ({
  page,
  complaints,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Street Walks')
  await page.goto('/settings/general#map')
  const address = page.getByLabel(/^URL of the style or the file/)
  await expect(page.getByText(`Maps may be loaded from: ${host.origin}`)).toBeVisible()
  await page.getByLabel(/^Basemap/).selectOption('style')
  await address.fill('https://tiles.example.com/style.json')
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Browsers may not load maps from tiles.example.com.')).toBeVisible()
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await expect(address).toHaveValue('https://tiles.example.com/style.json')
  await address.fill(`${host.origin}/nothing.json`)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText(`${host.host} does not answer, or has nothing at this URL.`)).toBeVisible()
  await expectAccessible(page)
  takeAnswers(complaints, 400)
  await address.fill(`${host.origin}/style.json`)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()

  const makers = page.getByRole('link', { name: '© Street makers' })
  const offline = page.getByText('Natural Earth · GeoNames')
  await goWithin(page, '/dashboard/map')
  await expect(makers).toBeVisible()
  await expect(makers).toHaveAttribute('href', 'https://streets.example/copyright')
  await expect(offline).toBeHidden()
  await expect.poll(() => host.asked.some((path) => path.endsWith('.png'))).toBe(true)
  expect(host.asked.filter((path) => path.startsWith('/fonts/'))).toEqual([])
  await expectAccessible(page)
  // another theme draws the same map
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html.dark')).toBeAttached()
  await expect(makers).toBeVisible()

  host.fail(true)
  await page.reload()
  const notice = page.getByRole('status').filter({ hasText: 'Your map does not load' })
  await expect(notice).toContainText(`${host.host} does not answer as it should.`)
  await expect(offline).toBeVisible()
  await expectAccessible(page)
  takeAnswers(complaints, 503)
  host.fail(false)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(makers).toBeVisible()
  await expect(notice).toBeHidden()

  // the style answers, and its tiles do not
  host.answer('/tiles.json', { status: 503, body: '' })
  await page.reload()
  await expect(notice).toBeVisible()
  await expect(offline).toBeVisible()
  takeAnswers(complaints, 503)
  await notice.getByRole('button', { name: 'Close the notice' }).click()
  await expect(notice).toBeHidden()
  host.answer('/tiles.json', undefined)
})

test('a PMTiles file is read in parts and drawn in our colors, on small maps as well', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'File Walks')
  await page.goto('/settings/general#map')
  await page.getByLabel(/^Basemap/).selectOption('pmtiles')
  await page.getByLabel(/^URL of the style or the file/).fill(`${host.origin}/streets.pmtiles`)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  host.asked.splice(0)
  await goWithin(page, '/dashboard/map')
  await expect(page.getByText('Makers of the file')).toBeVisible()
  await expect(page.getByText('Natural Earth · GeoNames')).toBeHidden()
  // header with the first directory, and then the tile
  await expect.poll(() => new Set(host.asked).size).toBeGreaterThan(1)
  expect(host.asked.filter((path) => !path.startsWith('/streets.pmtiles bytes='))).toEqual([])

  await goWithin(page, '/tours/constructor')
  await page.getByRole('button', { name: 'New place' }).click()
  const dialog = page.getByRole('dialog', { name: 'New place' })
  await expect(dialog.getByText('Makers of the file')).toBeVisible()
  await expect(dialog.getByText('Natural Earth · GeoNames')).toBeHidden()
  // the small map is made again in another theme
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html.dark')).toBeAttached()
  await expect(dialog.getByText('Makers of the file')).toBeVisible()
})
