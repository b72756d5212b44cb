import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'

const contact = { name: 'Ada Ito', email: 'ada@example.org', locale: 'en' }

test('a rule is limited to guests of a tour and a sales channel, says what that means before it is saved, and is for everybody again', async ({
  page,
  context,
}, info) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Gneiss Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  const tour = await makeTour('Ice caves', office)
  const [caves, walk] = [
    await makeDeparture(tour, { hours: 100 }, office),
    await makeDeparture(await makeTour('Harbour walk', office), { hours: 100 }, office),
  ]
  await book(caves.id, ['Ada Ito'], { contact, channel: 'phone' }, office)
  await book(caves.id, ['Bea Ito'], { contact, channel: 'ota' }, office)
  await book(walk.id, ['Cy Ito'], { contact, channel: 'phone' }, office)

  await page.goto('/tools/notifications?show=rules')
  const rule = page.getByRole('button', { name: /^Booking confirmed/ })
  await rule.click()
  await expect(page.getByText('All guests')).toBeVisible()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who gets “Booking confirmed”' })
  await dialog.getByRole('combobox', { name: 'Tours' }).selectOption('Only these tours')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /Ice caves/ }).check()
  await expect(dialog.getByText('Would have written 2 times in the last 7 days')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Sales channels' }).selectOption('Only these channels')
  await dialog.getByRole('checkbox', { name: 'Phone' }).check()
  await expect(dialog.getByText('Would have written 1 time in the last 7 days')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('who.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('who-390.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The rule is changed')).toBeVisible()
  await expect(rule).toContainText('Guests of 1 tour · Sold by: Phone')
  await page.screenshot({ path: info.outputPath('rules.png') })

  const to = async (name: string) => {
    await page.goto('/tools/notifications')
    return page.getByRole('cell', { name: `${name}@example.org` })
  }
  const theirs = (name: string) => ({ ...contact, name, email: `${name}@example.org` })
  await book(walk.id, ['Dee Ito'], { contact: theirs('dee'), channel: 'phone' }, office)
  await book(caves.id, ['Eve Ito'], { contact: theirs('eve'), channel: 'phone' }, office)
  await expect(await to('eve')).toBeVisible()
  await expect(page.getByRole('cell', { name: 'dee@example.org' })).toHaveCount(0)

  await page.goto('/tools/notifications?show=rules')
  await rule.click()
  await page.getByRole('button', { name: 'Change…' }).click()
  await dialog.getByRole('combobox', { name: 'Tours' }).selectOption('All tours')
  await dialog.getByRole('combobox', { name: 'Sales channels' }).selectOption('All channels')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rule).not.toContainText('Sold by')
  await book(walk.id, ['Flo Ito'], { contact: theirs('flo'), channel: 'ota' }, office)
  await expect(await to('flo')).toBeVisible()
})

test('a rule is limited to parties of three or more: a booking of two gets no message, and one of three does', async ({
  page,
  context,
}, info) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Basalt Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  const caves = await makeDeparture(await makeTour('Ice caves', office), { hours: 100 }, office)
  const theirs = (name: string) => ({ ...contact, name, email: `${name}@example.org` })
  await book(caves.id, ['Ada Ito', 'Bea Ito'], { contact: theirs('ada') }, office)
  await book(caves.id, ['Cy Ito', 'Dee Ito', 'Eve Ito'], { contact: theirs('cy') }, office)

  await page.goto('/tools/notifications?show=rules')
  const rule = page.getByRole('button', { name: /^Booking confirmed/ })
  await rule.click()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Who gets “Booking confirmed”' })
  const [least, most] = [
    dialog.getByRole('textbox', { name: 'Party size, at least' }),
    dialog.getByRole('textbox', { name: 'Party size, at most' }),
  ]
  await least.fill('3')
  await expect(dialog.getByText('Would have written 1 time in the last 7 days')).toBeVisible()
  // what nobody can be says so at its field, and stays to be corrected
  await most.fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('At least 3.')).toBeVisible()
  await expect(most).toHaveValue('2')
  await page.screenshot({ path: info.outputPath('refused.png') })
  await most.fill('')
  await dialog.getByRole('combobox', { name: 'Payment' }).selectOption('Only who owes nothing')
  await expect(dialog.getByText('Would have written 0 times in the last 7 days')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Payment' }).selectOption('Only who still owes something')
  await expect(dialog.getByText('Would have written 1 time in the last 7 days')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('conditions.png') })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('conditions-390.png') })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rule).toContainText('Parties of 3 or more who still owe something')
  await page.screenshot({ path: info.outputPath('rules.png') })

  await book(caves.id, ['Flo Ito', 'Gus Ito'], { contact: theirs('flo') }, office)
  await book(caves.id, ['Hal Ito', 'Ina Ito', 'Jo Ito'], { contact: theirs('hal') }, office)
  await page.goto('/tools/notifications')
  await expect(page.getByRole('cell', { name: 'hal@example.org' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'flo@example.org' })).toHaveCount(0)

  await page.goto('/tools/notifications?show=rules')
  await rule.click()
  await page.getByRole('button', { name: 'Change…' }).click()
  await expect(least).toHaveValue('3')
})
