import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { listTracked } from '@tour-ops/contract/tracking/tracked-subjects'
import { apiAs } from '../../api.ts'
import { newWalker, walk, type Walker } from '../../walk.ts'

let walker: Walker
test.beforeAll(async ({ browser }) => {
  walker = await newWalker(browser)
})

test.describe('people who may see track history', () => {
  test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

  test('chooses somebody in the list, and map, graph and course of the day show one moment', async ({ page }) => {
    const { staffId, name } = walker
    const { end } = await walk(page, walker)
    await page.goto(`/field-staff/tracking?q=${name}`)
    const row = page.getByRole('row').filter({ hasText: name })
    await row.getByText(name).click()
    await expect(page).toHaveURL(new RegExp(`tracks=staff.${staffId}`))
    const pane = page.getByRole('region', { name: 'Tracks' })
    await expect(pane.getByRole('region', { name: 'Map of tracks' })).toBeVisible()
    await expect(pane.getByRole('link', { name })).toHaveAttribute('href', `/field-staff/details/${staffId}`)

    const slider = pane.getByRole('slider', { name: 'Time of the replay' })
    await slider.focus()
    await page.keyboard.press('End')
    const line = pane.getByRole('listitem').filter({ hasText: name })
    await expect(line).toContainText('28 km/h')
    await pane.getByRole('button', { name: 'Battery' }).click()
    await expect(page).toHaveURL(/graph=battery/)
    await expect(line).toContainText('85%')
    await pane.getByRole('button', { name: 'Altitude' }).click()
    await expect(line).toContainText('45 m')
    await slider.focus()
    await page.keyboard.press('Home')
    await expect(page).toHaveURL(/at=\d+/)
    const moment = await pane.getByRole('status').innerText()
    const address = page.url()

    await pane.getByRole('combobox', { name: 'Replay speed' }).selectOption('5')
    await slider.focus()
    await page.keyboard.press('End')
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press(' ')
    await expect(pane.getByRole('button', { name: 'Pause (Space)' })).toBeVisible()
    await expect(pane.getByRole('button', { name: 'Play (Space)' })).toBeVisible()
    await expect(page).not.toHaveURL(/at=/)
    await settled(page)
    await expectAccessible(page)

    await page.goto(address)
    await expect(pane.getByRole('status')).toHaveText(moment)
    await expect(pane.getByRole('button', { name: 'Altitude' })).toHaveAttribute('aria-pressed', 'true')
    await pane.getByRole('button', { name: 'Day before' }).click()
    await expect(pane.getByText(/No positions on/)).toBeVisible()
    await pane.getByRole('button', { name: 'Close tracks' }).click()
    await expect(page).not.toHaveURL(/tracks=/)
    await expect(pane.getByText(/hoose people or vehicles in the list/)).toBeVisible()
    await end()
  })

  test('compares several, takes them as one file, and removes one again', async ({ page }) => {
    const { name } = walker
    const { end } = await walk(page, walker)
    const { rows } = await (await apiAs('dispatcher')).call(listTracked, { filters: { kind: ['driver'] } })
    const other = rows.find(({ subject }) => subject.name !== name)?.subject
    if (!other) throw new Error('The demo has a driver.')
    await page.goto(`/field-staff/tracking?q=${name}&tracks=staff.${other.id}`)
    await page.getByRole('checkbox', { name }).check()
    const pane = page.getByRole('region', { name: 'Tracks' })
    const legend = pane.getByRole('list', { name: 'Tracks' }).getByRole('listitem')
    await expect(legend).toHaveCount(2)
    const download = page.waitForEvent('download')
    await pane.getByRole('button', { name: 'Tracks of this day as a file' }).click()
    await page.getByRole('menuitem', { name: /^GPX/ }).click()
    expect((await download).suggestedFilename()).toMatch(/^tracks-\d{4}-\d\d-\d\d\.gpx$/)
    await legend
      .nth(1)
      .getByRole('button', { name: /^Remove the track of/ })
      .click()
    await expect(legend).toHaveCount(1)
    await end()
  })

  test('on a phone the list leads to the map and back', async ({ page }) => {
    const { name } = walker
    const { end } = await walk(page, walker)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/field-staff/tracking?q=${name}`)
    await page.getByRole('listitem').filter({ hasText: name }).getByRole('button').click()
    await expect(page.getByRole('slider', { name: 'Time of the replay' })).toBeVisible()
    await settled(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
    await end()
  })
})

test.describe('a dispatcher', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('sees who is on duty on the map, and reads who may see more', async ({ page }) => {
    const { staffId, name } = walker
    const { end } = await walk(page, walker)
    await page.goto(`/field-staff/tracking?q=${name}&tracks=staff.${staffId}`)
    const pane = page.getByRole('region', { name: 'Tracks' })
    await expect(pane.getByText('Track history is not part of your role')).toBeVisible()
    await expect(pane.getByText(/These roles can see where people were on other days: Admin/)).toBeVisible()
    await expect(page.getByRole('checkbox', { name })).toHaveCount(0)
    await expect(page.getByRole('slider')).toHaveCount(0)
    await page.getByRole('row').filter({ hasText: name }).getByText(name).click()
    await expect(page).toHaveURL(new RegExp(`/field-staff/details/${staffId}`))
    await end()
  })
})
