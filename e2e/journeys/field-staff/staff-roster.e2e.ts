import { expect, expectScreen, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { makeTour } from '../../operations.ts'
import { addDeparture, addPerson, farDay, ownWord } from '../../staff.ts'

// People of the field staff: who they are, when they are away, where they are. Who works when: field-staff.e2e.ts.

test.use({ storageState: sessionFile('operations_manager') })
test.describe.configure({ mode: 'parallel' })

test('somebody new joins the roster', async ({ page, complaints }) => {
  const name = ownWord()
  await page.goto('/field-staff/list')
  await page.getByRole('link', { name: 'New staff member' }).click()
  await page.getByRole('button', { name: 'Add staff member' }).click()
  await expect(page.getByLabel('Last name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('First name').fill('Siri')
  await page.getByLabel('Last name').fill(name)
  await page.getByRole('checkbox', { name: 'Guide', exact: true }).uncheck()
  await page.getByRole('checkbox', { name: 'Driver-guide' }).check()
  await page.getByRole('button', { name: 'Add a language' }).click()
  await page.getByRole('combobox', { name: 'Language', exact: true }).fill('is')
  await page.getByRole('option', { name: /^Icelandic/ }).click()
  await page.getByRole('button', { name: 'Add a certificate' }).click()
  await page.getByRole('button', { name: 'Add staff member' }).click()
  await expect(page).toHaveURL(/\/field-staff\/details\//)
  await expectScreen(page, `Siri ${name}`)
  await page.getByRole('tab', { name: /Certificates/ }).click()
  await expect(page.getByText('First aid')).toBeVisible()
  await page.goto(`/field-staff/list?q=${name}`)
  const row = page.getByRole('row').filter({ hasText: `Siri ${name}` })
  await expect(row).toContainText('Driver-guide')
  await row.click()
  await expectScreen(page, `Siri ${name}`)
  takeAnswers(complaints, 400)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page).toHaveURL(/\/field-staff\/edit\//)
  await expectScreen(page, `Edit Siri ${name}`)
  await page.getByLabel('Phone').fill('+354 555 0134')
  await page.getByLabel('Last name').fill(`${name} Dahl`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectScreen(page, `Siri ${name} Dahl`)
  await page.reload()
  await expect(page.getByRole('main')).toContainText('+3545550134')
})

test('who is off duty is found in tracking when asked for', async ({ page }) => {
  const name = ownWord()
  const staffId = await addPerson(name)
  await page.goto('/field-staff/tracking')
  await settled(page)
  await expect(page.getByRole('row').filter({ hasText: `Siri ${name}` })).toHaveCount(0)
  await page.goto(`/field-staff/tracking?q=${name}`)
  await expect(page.getByRole('row').filter({ hasText: `Siri ${name}` })).toHaveCount(1)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Duty' }).click()
  await page.getByRole('checkbox', { name: 'Off duty' }).check()
  await page.getByRole('button', { name: 'Apply' }).click()
  const row = page.getByRole('row').filter({ hasText: `Siri ${name}` })
  await expect(row).toContainText('Off duty')
  await row.click()
  await expect(page).toHaveURL(new RegExp(`tracks=staff.${staffId}`))
  await page
    .getByRole('region', { name: 'Tracks' })
    .getByRole('link', { name: `Siri ${name}` })
    .click()
  await expect(page).toHaveURL(new RegExp(`/field-staff/details/${staffId}`))
})

test('leave is entered and deleted; leave during a departure is refused with the code of that departure', async ({
  page,
  complaints,
}) => {
  const name = ownWord()
  const staffId = await addPerson(name, { language: 'vi' })
  await page.goto(`/field-staff/details/${staffId}`)
  await settled(page)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const dialog = page.getByRole('dialog', { name: 'Add leave' })
  await page.getByRole('button', { name: 'Add leave' }).click()
  const enter = async (field: 'From' | 'To', day: string, time: string) => {
    await dialog.getByRole('textbox', { name: field, exact: true }).fill(day)
    await dialog.getByRole('textbox', { name: `${field} Time` }).fill(time)
  }
  await enter('From', tomorrow, '10:00')
  await enter('To', tomorrow, '9.00')
  await dialog.getByRole('button', { name: 'Add leave' }).click()
  await expect(dialog.getByText('Ends before it starts.')).toBeVisible()
  await enter('To', tomorrow, '18:00')
  await dialog.getByLabel('Note').fill('Dentist')
  await dialog.getByRole('button', { name: 'Add leave' }).click()
  await expect(page.getByText('The calendar is updated')).toBeVisible()
  const entry = page.getByRole('listitem').filter({ hasText: 'Dentist' })
  await expect(entry).toContainText('Leave')
  await entry.getByRole('button', { name: 'Remove' }).click()
  await expect(entry).toHaveCount(0)

  const tour = await makeTour(`Tour ${name}`)
  const day = farDay()
  const departure = await addDeparture(tour, day, '09:00', 'vi')
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  await page.getByRole('listitem').filter({ hasText: tour.name }).getByRole('button').first().click()
  await page.getByRole('checkbox', { name: `Siri ${name}` }).check()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText(`Siri ${name} is on ${departure.code}`)).toBeVisible()
  await page.goto(`/field-staff/details/${staffId}`)
  await page.getByRole('button', { name: 'Add leave' }).click()
  await enter('From', day, '8:00')
  await enter('To', day, '12:00')
  await dialog.getByRole('button', { name: 'Add leave' }).click()
  await expect(dialog.getByRole('alert')).toContainText(departure.code)
  takeAnswers(complaints, 400, 409)
})

test.describe('somebody who sits far from the office', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' })

  test('enters leave in the times of the office', async ({ page }) => {
    const staffId = await addPerson(ownWord(), { language: 'th' })
    await page.goto(`/field-staff/details/${staffId}`)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.getByRole('button', { name: 'Add leave' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add leave' })
    await expect(dialog).toContainText('Reykjav')
    for (const [field, time] of [
      ['From', '10:00'],
      ['To', '18:30'],
    ] as const) {
      await dialog.getByRole('textbox', { name: field, exact: true }).fill(tomorrow)
      await dialog.getByRole('textbox', { name: `${field} Time` }).fill(time)
    }
    await dialog.getByRole('button', { name: 'Add leave' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Leave' })
    await expect(entry).toContainText(/10:00.+18:30/)
  })
})
