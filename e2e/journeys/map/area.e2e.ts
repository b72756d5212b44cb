import fs from 'node:fs'
import { reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { createPlace } from '@tour-ops/contract/places/places'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { openDrawing } from '../../map-drawing.ts'
import { newWalker, walk } from '../../walk.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('an area that is drawn lists who is in it with the age of the position, and the list is saved', async ({
  page,
  browser,
}) => {
  const walker = await newWalker(browser)
  const { end } = await walk(page, walker)
  await page.goto('/dashboard/map')
  await page.getByRole('button', { name: 'Who is here' }).click()
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await panel.getByLabel('Latitude').fill('64.1')
  await panel.getByLabel('Longitude').fill('-21.9')
  await panel.getByLabel('Radius').fill('0')
  await panel.getByLabel('Latitude').focus()
  await expect(panel.getByText('Enter a radius up to 200,000 m.')).toBeVisible()
  await panel.getByLabel('Radius').fill('900')
  await expect(page).toHaveURL(/area=64\.1(,|%2C)-21\.9(,|%2C)900/)
  const person = panel.getByRole('listitem').filter({ hasText: walker.name })
  await expect(person).toContainText(/Live.*Person · Position of .* ago/, { timeout: 60_000 })
  await settled(page)
  await expectAccessible(page)

  const saved = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Save as CSV' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^who-is-here-\d{4}-\d\d-\d\d-\d{4}\.csv$/)
  const file = fs.readFileSync(await download.path(), 'utf8')
  expect(file).toContain('Kind,Name,Status,Guests,Known by,Known since,Age\r\n')
  expect(file).toContain(`Person,${walker.name},Live`)

  // Somewhere else nobody is.
  await panel.getByLabel('Latitude').fill('10')
  await expect(panel.getByText('Nobody is known to be in this area now.')).toBeVisible()
  await end()
})

test('nobody is said to be absent before positions have come, nor after their stream has ended', async ({
  page,
  complaints,
}) => {
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  const nobody = panel.getByText('Nobody is known to be in this area now.')
  await page.route('**/api/live/**', () => undefined)
  await page.goto('/dashboard/map?area=10,10,500')
  await expect(panel.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(nobody).toBeHidden()
  await expect(panel.getByRole('button', { name: 'Copy' })).toBeHidden()
  await page.unroute('**/api/live/**')

  await page.route('**/api/live/**', (route) => route.fulfill({ status: 403, body: '{}' }))
  await page.reload()
  await expect(panel.getByRole('alert')).toContainText('The positions could not be loaded.')
  await expect(nobody).toBeHidden()
  await expect(panel.getByRole('button', { name: 'Print' })).toBeHidden()
  await page.unroute('**/api/live/**')
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(nobody).toBeVisible()
  complaints.splice(0)
})

test('corners that are pressed on the map make an area, and the address brings it back', async ({ page }) => {
  const press = await openDrawing(page, '/dashboard/map?area=new')
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await panel.getByRole('button', { name: 'Outline' }).click()
  const map = page.getByRole('region', { name: "Map of today's departures" })
  await press(600, 200)
  await expect(panel.getByText('Corners: 1')).toBeVisible()
  // Two corners, and no closer look.
  await press(800, 200, 2)
  await expect(panel.getByText('Corners: 3')).toBeVisible()
  await press(800, 500)
  await expect(panel.getByText('Corners: 4')).toBeVisible()
  await expect(page).toHaveURL(/area=[^&]+(;|%3B)/)
  await expect(panel.getByText(/Departures: /)).toBeVisible()
  await page.reload()
  await expect(panel.getByText('Corners: 4')).toBeVisible()
  await panel.getByRole('button', { name: 'Remove last corner' }).click()
  await panel.getByRole('button', { name: 'Remove last corner' }).click()
  await expect(page).toHaveURL(/area=new/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/area=/)
  const tool = page.getByRole('button', { name: 'Who is here' })
  await expect(tool).toBeFocused()
  await tool.press('Enter')
  await panel.getByRole('button', { name: 'Close the list' }).click()
  await expect(tool).toBeFocused()
  await expect(map).not.toHaveCSS('cursor', 'crosshair')
})

test('an address whose area is none opens the map as without one, with nothing drawn', async ({ page }) => {
  await page.goto('/dashboard/map?area=nowhere')
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await expect(panel.getByLabel('Latitude')).toHaveValue('')
  await expect(page).toHaveURL(/area=new/)
})

test('an incident with a place is listed and marked on the map, and both open it', async ({ page }) => {
  const admin = await apiAs('admin')
  // In the sea, and not where one of a run before stands.
  const lat = 58 + Math.random() * 4
  const place = { kind: 'sight', timeZone: 'Atlantic/Reykjavik', lat, lng: -30 } as const
  const name = `Far out ${Date.now().toString(36)}`
  const { id: placeId } = await admin.call(createPlace, { ...place, name })
  const report = { category: 'vehicle', severity: 2, title: `Flat tyre ${name}`, placeId } as const
  const { id, version } = await admin.call(reportIncident, report)
  await page.goto('/dashboard/map')
  const listed = page.getByRole('region', { name: 'Incidents' }).getByRole('button', { name: report.title })
  await listed.click()
  await expect(page).toHaveURL(new RegExp(`incident=${id}`))
  await expect(page.getByRole('dialog')).toContainText(report.title)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const map = page.getByRole('region', { name: "Map of today's departures" })
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  const [whole, left] = [await map.boundingBox(), await panel.boundingBox()]
  if (!whole || !left) throw new Error('The map and its panel have no place on the screen.')
  const middle = {
    x: (left.x + left.width + 64 + whole.x + whole.width - 88) / 2,
    y: whole.y + whole.height / 2,
  }
  await expect
    .poll(async () => {
      await page.mouse.move(middle.x - 200, middle.y)
      await page.mouse.move(middle.x, middle.y)
      return map.evaluate((canvas) => getComputedStyle(canvas).cursor)
    })
    .toBe('pointer')
  await page.mouse.click(middle.x, middle.y)
  await expect(page).toHaveURL(new RegExp(`incident=${id}`))
  await expect(page.getByRole('dialog')).toContainText(report.title)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Incidents' }).click()
  await expect(listed).toBeHidden()

  let now = version
  for (const to of ['triaged', 'active', 'stabilised', 'resolved'] as const)
    now = (await admin.call(setIncidentStatus, { id, version: now, to })).version
})

test.describe('for a guide', () => {
  test.use({ storageState: sessionFile('guide') })

  test('who sees no positions of others is not offered the list of an area', async ({ page }) => {
    await page.goto('/dashboard/map?area=64.1,-21.9,900')
    await expect(page.getByRole('button', { name: 'Layers' })).toBeVisible()
    await settled(page)
    await expect(page.getByRole('button', { name: 'Who is here' })).toBeHidden()
    await expect(page.getByLabel('Latitude')).toBeHidden()
  })
})
