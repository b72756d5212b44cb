import { archiveNoGoArea, createNoGoArea, listNoGoAreas } from '@tour-ops/contract/map/no-go-areas'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { openDrawing } from '../../map-drawing.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

const panelName = { name: "Today's departures", exact: true }
const unique = (name: string): string => `${name} ${Date.now().toString(36)}`

/** Areas of a journey do not stay for the next one. */
async function archiveAll(...names: readonly string[]): Promise<void> {
  const api = await apiAs('dispatcher')
  const { areas } = await api.call(listNoGoAreas, {})
  for (const { id, version, name } of areas)
    if (names.includes(name)) await api.call(archiveNoGoArea, { id, version, archived: true })
}

test('a no-go area is typed, named, changed, archived and restored with the keyboard', async ({ page }) => {
  const name = unique('Avalanche slope')
  await page.goto('/dashboard/map')
  const tool = page.getByRole('button', { name: 'No-go areas' })
  await tool.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', panelName)
  await expect(panel.getByRole('heading', { level: 1 })).toContainText('No-go areas')
  await expect(panel.getByRole('button', { name: 'Close the no-go areas' })).toBeFocused()
  await panel.getByRole('button', { name: 'Draw area' }).press('Enter')
  await expect(panel.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByText('Fill this in.')).toBeVisible()
  await expect(panel.getByRole('alert')).toContainText('Enter center and radius')
  await settled(page)
  await expectAccessible(page)
  await page.keyboard.type(name)
  await panel.getByLabel('Latitude').fill('64.26')
  await panel.getByLabel('Longitude').fill('-21.1')
  await panel.getByLabel('Radius').fill('800')
  await page.keyboard.press('Enter')
  const row = panel.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Circle, radius 800 m')
  await expect(page).toHaveURL(/noGo=list/)
  await settled(page)
  await expectAccessible(page)

  await row.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  await expect(panel.getByLabel('Radius')).toHaveValue('800')
  await panel.getByRole('button', { name: 'Outline' }).press('Enter')
  for (const [lat, lng] of [
    ['64.2', '-21.2'],
    ['64.3', '-21.2'],
    ['64.3', '-21'],
  ] as const) {
    await panel.getByLabel('Latitude').fill(lat)
    await panel.getByLabel('Longitude').fill(lng)
    await page.keyboard.press('Enter')
    await expect(panel.getByLabel('Latitude')).toBeFocused()
    await expect(panel.getByLabel('Latitude')).toHaveValue('')
  }
  await expect(panel.getByText('Corners: 3')).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(row).toContainText('Outline, 3 corners')

  await row.getByRole('button', { name: `Actions for ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Archive' }).press('Enter')
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(row).toBeHidden()
  await panel.getByRole('button', { name: 'Archived areas' }).click()
  await panel.getByRole('button', { name: `Restore ${name}` }).click()
  await expect(row.getByRole('button', { name: `Actions for ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/noGo=/)
  await expect(tool).toBeFocused()
  await archiveAll(name)
})

test('corners are pressed on the map; an outline that crosses itself is not saved, and nothing of it is lost', async ({
  page,
}) => {
  const name = unique('Reef')
  const press = await openDrawing(page, '/dashboard/map?noGo=new')
  const panel = page.getByRole('region', panelName)
  await panel.getByLabel('Name').fill(name)
  await panel.getByRole('button', { name: 'Outline' }).click()
  for (const [x, y] of [
    [600, 200],
    [800, 400],
    [800, 200],
    [600, 400],
  ] as const)
    await press(x, y)
  const crosses = panel.getByText('The outline crosses itself.')
  await expect(crosses).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(crosses).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(panel.getByLabel('Name')).toHaveValue(name)
  await panel.getByRole('button', { name: 'Remove last corner' }).click()
  await expect(crosses).toBeHidden()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: name })).toContainText('Outline, 3 corners')
  await archiveAll(name)
})

test('a circle that is pressed on the view of the world is looked at from near', async ({ page }) => {
  const press = await openDrawing(page, '/dashboard/map?area=new')
  const panel = page.getByRole('region', panelName)
  const isNear = page.getByText('Plan view, no streets this close')
  await expect(isNear).toBeHidden()
  await press(800, 300)
  await expect(panel.getByLabel('Latitude')).not.toHaveValue('')
  await expect(isNear).toBeVisible()
  // one that is typed larger than the view is looked at from farther away
  await panel.getByLabel('Radius').fill('150000')
  await expect(isNear).toBeHidden()
})

test('on a phone the areas are drawn in the sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard/map?noGo=new')
  const panel = page.getByRole('region', panelName)
  await expect(panel.getByLabel('Name')).toBeVisible()
  await settled(page)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expect(panel.getByRole('button', { name: 'Save' })).toBeInViewport()
})

test.describe('for a guide', () => {
  test.use({ storageState: sessionFile('guide') })

  test('who does not dispatch reads where nobody may go, and changes none of it', async ({ page }) => {
    const name = unique('Cliff')
    const office = await apiAs('dispatcher')
    const area = { kind: 'circle', center: [-30, 60], radiusM: 500 } satisfies {
      kind: 'circle'
      center: [number, number]
      radiusM: number
    }
    await office.call(createNoGoArea, { name, area })
    await page.goto('/dashboard/map?noGo=list')
    const panel = page.getByRole('region', panelName)
    await expect(panel.getByRole('listitem').filter({ hasText: name })).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Draw area' })).toBeHidden()
    await expect(panel.getByRole('button', { name: `Actions for ${name}` })).toBeHidden()
    await expect(panel.getByRole('button', { name: 'Archived areas' })).toBeHidden()
    await page.goto('/dashboard/map?noGo=new')
    await expect(panel.getByRole('listitem').filter({ hasText: name })).toBeVisible()
    await expect(panel.getByLabel('Name')).toBeHidden()
    // Nothing is drawn, so presses are for the marks.
    await expect(page.getByRole('region', { name: "Map of today's departures" })).not.toHaveCSS('cursor', 'crosshair')
    await archiveAll(name)
  })
})
