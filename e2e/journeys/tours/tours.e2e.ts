import { getTour, updateTour } from '@tour-ops/contract/tours/tours'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test, takeAnswers } from '../../fixtures.ts'
import { daysAhead, newCode, ownTour } from '../../own-tour.ts'

type Box = { x: number; y: number; width: number; height: number } | null

/** Neither covers the other. */
const areApart = (one: Box, other: Box): boolean =>
  one !== null &&
  other !== null &&
  (one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y)

test.describe('planning', () => {
  test.use({ storageState: sessionFile('tour_designer') })

  test('Enter right after a name chooses what is found by it, never what was listed before', async ({ page }) => {
    await page.goto('/tours/constructor')
    await expectScreen(page, 'Tour builder')
    // An answer that takes its time: until it is there, the list is that of all places.
    await page.route('**/api/places-list', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      await route.continue()
    })
    const field = page.getByLabel('Add a place')
    await field.click()
    await expect(page.getByRole('listbox').getByRole('option').nth(3)).toBeVisible()
    await field.fill('Vik')
    await field.press('Enter')
    const stops = page.getByRole('region', { name: 'Stops' }).getByRole('list').getByRole('listitem')
    await expect(stops).toHaveCount(1)
    await expect(stops).toContainText('Vík í Mýrdal')
    // The next place is typed where this one was, which the list has not pushed under the bar at the bottom.
    await expect(field).toBeFocused()
    const bar = page.locator('.form-footer')
    await expect.poll(async () => areApart(await field.boundingBox(), await bar.boundingBox())).toBe(true)
    // Nothing is found by it: nothing is added, and what was typed stays.
    await field.fill('Vikzzz')
    await field.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'No such place yet' })).toBeVisible()
    await expect(field).toHaveValue('Vikzzz')
    await expect(stops).toHaveCount(1)
    // The notice points to a button and does not cover it.
    const button = page.getByRole('button', { name: 'New place' })
    const said = page.getByRole('status').filter({ hasText: 'with “New place”' })
    await expect.poll(async () => areApart(await button.boundingBox(), await said.boundingBox())).toBe(true)
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'New place' })
    const town = dialog.getByLabel('Find it by name')
    // Nothing is found: the field keeps the key, and the form around it is not sent.
    await town.fill('Vikzzz')
    await expect(page.getByText('No town begins like this.')).toBeVisible()
    await town.press('Enter')
    await expect(dialog.getByLabel('Latitude')).not.toHaveAttribute('aria-invalid', 'true')
    await town.fill('Vik')
    await town.press('Enter')
    await expect(town).toHaveValue(/^V[ií]k$/)
    await expect(dialog.getByLabel('Latitude')).not.toHaveValue('')
  })

  test('a tour is built in the constructor, goes through the wizard, and is published with its departures', async ({
    page,
  }) => {
    const code = newCode()
    const name = `Built ${code}`
    await page.goto('/tours/constructor')
    await expectScreen(page, 'Tour builder')
    await page.getByLabel('Name (required)').fill(name)
    await page.getByLabel('Code').fill(code)
    const add = async (place: string) => {
      await page.getByLabel('Add a place').fill(place)
      // the previous list is shown until the server has searched, and would change under the pointer
      const found = page.getByRole('listbox').getByRole('option')
      await expect(found).toHaveCount(1)
      await found.filter({ hasText: place }).click()
    }
    const stops = page.getByRole('region', { name: 'Stops' }).getByRole('list').getByRole('listitem')
    await add('BSÍ bus terminal')
    await add('Gullfoss')
    await page.getByRole('button', { name: 'New place' }).click()
    const dialog = page.getByRole('dialog', { name: 'New place' })
    // Found by name, then moved on the map.
    await dialog.getByLabel('Find it by name').fill('selfoss')
    await page.getByRole('option', { name: /^Selfoss/ }).click()
    await expect(dialog.getByLabel('Name of the place')).toHaveValue('Selfoss')
    const latitude = dialog.getByLabel('Latitude')
    await expect(latitude).toHaveValue(/^63\.9/)
    const found = await latitude.inputValue()
    await dialog.getByRole('region', { name: 'Map to pick the point on' }).click({ position: { x: 60, y: 60 } })
    await expect(latitude).not.toHaveValue(found)
    await dialog.getByLabel('Name of the place').fill(`Farm ${code}`)
    await latitude.fill('64.2')
    await dialog.getByLabel('Longitude').fill('-20.5')
    await dialog.getByRole('button', { name: 'Add the place' }).click()
    await expect(stops).toHaveCount(3)
    await expect(stops.nth(2)).toContainText(`Farm ${code}`)

    // By keyboard: the farm goes before the falls, and back again with undo.
    await stops
      .nth(2)
      .getByRole('button', { name: new RegExp(`Farm ${code}`) })
      .first()
      .press('Alt+ArrowUp')
    await expect(stops.nth(1)).toContainText(`Farm ${code}`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(stops.nth(2)).toContainText(`Farm ${code}`)
    await page.getByRole('button', { name: 'Make it the end' }).click()
    await expect(page.getByText('No issues')).toBeVisible()

    // What is not saved survives a reload.
    await page.reload()
    await expect(stops).toHaveCount(3)
    await expect(page.getByLabel('Code')).toHaveValue(code)
    await page.getByRole('button', { name: /^Save the draft/ }).click()
    await expect(page).toHaveURL(/\/tours\/wizard\//)
    await expectScreen(page, name)

    const steps = page.getByRole('navigation', { name: 'Steps' })
    await page.getByRole('button', { name: 'Next: Itinerary' }).click()
    await page.getByRole('button', { name: 'Next: Capacity and rules' }).click()
    await page.getByLabel('Seats (required)').fill('9')
    await page.getByRole('button', { name: 'Next: Prices' }).click()
    await page.getByRole('button', { name: 'Add a price' }).click()
    await page.getByLabel('Price, Adult').fill('89.50')
    await page.getByRole('button', { name: 'Next: Staff and vehicles' }).click()
    await expect(steps.getByText('Adult')).toBeVisible()
    // saved: until then the question whether to leave is asked
    await expect(page).toHaveURL(/step=crew/)
    // Leaving is safe: the path continues where it was left.
    await page.getByRole('link', { name: 'Leave, it is saved' }).click()
    await expect(page).toHaveURL(/\/tours\/edit\//)
    await page.getByRole('link', { name: 'Wizard' }).click()
    await page.getByRole('button', { name: 'Next: Schedule' }).click()
    const runs = page.getByRole('button', { name: /: runs\. Leave out$/ })
    const saturdays = page.getByRole('button', { name: /^Sat .*: runs\. Leave out$/ })
    // the preview of the rule before stays until the new one is here, and the first one has to come as well
    await expect(saturdays.first()).toBeVisible()
    await page.getByRole('combobox', { name: 'Repeats' }).selectOption('weekly')
    await expect(saturdays).toHaveCount(0)
    await page.getByRole('button', { name: 'Sat', exact: true }).click()
    await expect(page.getByText(/^Mon to Sat at 09:00/).first()).toBeVisible()
    await expect(saturdays.first()).toBeVisible()
    const before = await runs.count()
    await runs.first().click()
    await expect(runs).toHaveCount(before - 1)
    await page.getByRole('button', { name: 'Next: Messages and links' }).click()
    await page.getByLabel('Meeting note').fill('Orange sign at door B')
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Publish' })).not.toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(page).toHaveURL(/\/tours\/edit\//)
    await expect(page.getByText('Revision 1', { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: 'Departures' }).click()
    await expect(
      page
        .getByRole('tabpanel')
        .or(page.locator('main'))
        .getByText(`${before - 1} departures`),
    ).toBeVisible()
  })

  test('changes of a published tour wait for the next revision, which future departures take over', async ({
    page,
  }) => {
    const { id, name } = await ownTour({ departures: 2 })
    await page.goto(`/tours/edit/${id}?show=itinerary`)
    await expectScreen(page, name)
    await page.getByRole('region', { name: 'Stops' }).getByRole('button', { name: /Falls/ }).first().click()
    await page.getByLabel('Stay').fill('45')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText(`${name} is saved`)).toBeVisible()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('dialog', { name: `Publish ${name}` })
    await expect(dialog.getByText(/^Falls .*: \d\d:\d\d–\d\d:\d\d → \d\d:\d\d–\d\d:\d\d$/)).toBeVisible()
    await expect(dialog.getByRole('checkbox')).toHaveCount(2)
    await dialog.getByRole('checkbox').first().uncheck()
    await dialog.getByLabel('What changed (optional)').fill('Longer at the falls')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('Revision 2 is published, 1 departure updated')).toBeVisible()
    await page.getByRole('tab', { name: 'Revisions' }).click()
    await expect(page.getByText(/Longer at the falls/)).toBeVisible()
  })

  test('two people who change the same tour see both versions and choose', async ({ page, complaints }) => {
    const { id, name } = await ownTour()
    const manager = await apiAs('operations_manager')
    await page.goto(`/tours/edit/${id}`)
    await page.getByLabel('Name (required)').fill(`${name} by me`)
    const { options: _options, ...theirs } = await manager.call(getTour, { id })
    await manager.call(updateTour, { ...theirs, category: 'Classics' })
    await page.getByRole('button', { name: /^Save/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Two versions of this tour' })
    await expect(dialog.getByRole('row').filter({ hasText: 'Category' })).toContainText('Classics')
    await expect(dialog.getByRole('row').filter({ hasText: 'Name' })).toContainText(`${name} by me`)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await expectScreen(page, `${name} by me`)
    // The browser itself reports the refused write.
    takeAnswers(complaints, 409)
  })

  test('a tour is duplicated, archived and restored from the catalogue', async ({ page }) => {
    const { name, code } = await ownTour()
    await page.goto(`/tours/all?q=${code}`)
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const copy = newCode()
    await page.getByLabel('Code').fill(copy)
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click()
    await expectScreen(page, `${name} (copy)`)
    await page.goto(`/tours/all?q=${code}`)
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await expect(page.getByText(`${name} is archived`)).toBeVisible()
    await page.getByRole('tab', { name: 'Archived' }).click()
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
    // The list is notified of the change before the answer arrives: the row that sent it is gone by then, and its message is still shown.
    await page.route(/tours-restore/, async (route) => {
      const response = await route.fetch()
      await expect(page.getByRole('button', { name: `Actions for ${name}`, exact: true })).toBeHidden()
      await route.fulfill({ response })
    })
    await page.getByRole('menuitem', { name: 'Restore as a draft' }).click()
    await expect(page.getByText(`${name} is a draft again`)).toBeVisible()
    await page.unroute(/tours-restore/)
  })

  test('departures are scheduled by a rule; days that exist already are named and left out', async ({ page }) => {
    const { id, name } = await ownTour({ departures: 2 })
    await page.goto(`/tours/all?show=departures&schedule=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Schedule departures' })
    await dialog.getByLabel('Start time 1').fill('9.30')
    await dialog.getByLabel('From', { exact: true }).focus()
    await expect(dialog.getByLabel('Start time 1')).toHaveValue('09:30')
    await dialog.getByLabel('From', { exact: true }).fill(daysAhead(2))
    await dialog.getByLabel('To', { exact: true }).fill(daysAhead(6))
    await expect(dialog.getByText('Already scheduled')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create 3 departures' }).click()
    await expect(page.getByText('3 departures created')).toBeVisible()
    await page.goto(`/tours/all?show=departures&f.tourId=${id}`)
    await expect(page.getByText('5 departures')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(5)
  })
})
