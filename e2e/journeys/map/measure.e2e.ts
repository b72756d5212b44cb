import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { expect, expectAccessible, settled, test } from '../../fixtures.ts'

test('a way is measured leg by leg and in all, by points that are pressed or typed, until Escape', async ({
  page,
}, info) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Long Way Tours')
  await page.goto('/dashboard/map')
  const button = page.getByRole('button', { name: 'Measure', exact: true })
  await button.focus()
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: 'Measure', exact: true })
  const type = async (lat: string, lng: string) => {
    await card.getByLabel('Latitude').fill(lat)
    await card.getByLabel('Longitude').fill(lng)
    await page.keyboard.press('Enter')
  }
  await type('64', '-21')
  await expect(card.getByRole('status')).toHaveText('')
  await type('65', '-21')
  await expect(card.getByRole('status')).toHaveText('111 km in all')
  await type('64.5', '-21')
  await expect(card.getByRole('listitem')).toHaveText(['1 to 2111 km', '2 to 356 km'])
  await expect(card.getByRole('status')).toHaveText('167 km in all')
  await settled(page)
  await expectAccessible(page)

  await card.getByRole('button', { name: 'Remove last point' }).click()
  await expect(card.getByRole('status')).toHaveText('111 km in all')
  const map = page.getByRole('region', { name: "Map of today's departures" })
  await expect(map).toHaveCSS('cursor', 'crosshair')
  await map.click({ position: { x: 700, y: 500 } })
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await page.screenshot({ path: info.outputPath('measure.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(card).toBeInViewport({ ratio: 1 })
  await settled(page)
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('measure-390.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })

  await page.keyboard.press('Escape')
  await expect(card).toHaveCount(0)
  await expect(button).toBeFocused()
  await expect(map).not.toHaveCSS('cursor', 'crosshair')
  // another tool that takes presses ends it
  await button.click()
  await expect(card).toBeVisible()
  await page.getByRole('button', { name: 'No-go areas' }).click()
  await expect(card).toHaveCount(0)
  await button.click()
  await expect(card).toBeVisible()
  await expect(page).not.toHaveURL(/noGo/)
})
