import type { Page } from '@playwright/test'
import { listDevices } from '@tour-ops/contract/tracking/devices'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { becomeGuide } from '../../own-guide.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** A phone that stands still: it says where it is when a watch begins, and then nothing. The browser's own stand-in repeats a moment of the past. */
const standStill = (page: Page) =>
  page.addInitScript(() => {
    navigator.geolocation.watchPosition = (take) => {
      const coords = { latitude: 64.1375, longitude: -21.935, accuracy: 5, speed: null, heading: null, altitude: null }
      setTimeout(() => take({ coords, timestamp: Date.now() } as GeolocationPosition), 100)
      return 1
    }
  })

/** An open phone hears of a question within half a minute. */
const heard = { timeout: 50_000 }

test('the office asks where somebody is, the phone that stands still says so and what was asked, and a break ends the asking', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const { staffId } = await becomeGuide(page, browser)
  const api = await apiAs('dispatcher')
  await standStill(page)
  await page.goto('/duty')
  await page.getByRole('button', { name: 'Begin duty' }).click()
  await page.getByRole('button', { name: /^Agree/ }).click()
  const line = page.locator('header')
  await expect(line.getByText('Visible to the office since')).toBeVisible()
  const signals = async () => (await api.call(listDevices, { filters: { staffId: [staffId] } })).rows
  await expect.poll(async () => (await signals()).filter(({ lastSeenAt }) => lastSeenAt !== null).length).toBe(1)

  const desk = await browser.newContext({
    storageState: sessionFile('operations_manager'),
    viewport: { width: 1440, height: 900 },
  })
  const office = await desk.newPage()
  await office.goto(`/field-staff/tracking?tracks=staff.${staffId}`)
  const tracks = office.getByRole('region', { name: 'Tracks', exact: true })
  await tracks.getByRole('button', { name: 'Ask for position' }).click()
  await expect(tracks.getByText(/^Asked at [\d:]+( [AP]M)?$/)).toBeVisible()
  await expect(line.getByText('The office asked where you are at', { exact: false })).toBeVisible(heard)
  await expect(tracks.getByText(/^Asked at .*, position of .* received$/)).toBeVisible(heard)
  await expectAccessible(page)
  await expectAccessible(office)

  await line.getByRole('button', { name: 'Break', exact: true }).click()
  await expect(tracks.getByText('On a break: nobody is asked during a break.')).toBeVisible()
  await expect(tracks.getByRole('button', { name: 'Ask for position' })).toHaveAttribute('aria-disabled', 'true')
  await desk.close()
})
