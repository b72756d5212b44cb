import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, settled, test } from '../../fixtures.ts'
import { createdAddress, overflow, revokeAndSeeItEnd, withoutAccount } from '../../link-steps.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'

test('a report is shared from its screen: a partner without an account sees the figures, revenue only where chosen, until the link is revoked', async ({
  page,
  browser,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Shared Figures')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Ridge walk', office, { kind: 'walking' })
  const departure = await makeDeparture(tour, { hours: 30 }, office)
  await book(departure.id, ['Sofia Quill'], {}, office)

  // the departure is ahead: a period that has it
  await page.goto('/reports/tour-performance?compare=none')
  await settled(page)
  await page.getByRole('button', { name: '12 weeks' }).click()
  await page.getByRole('link', { name: 'Share as a link' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  await expect(dialog.getByRole('radio', { name: /^Report/ })).toBeChecked()
  await expect(dialog.getByRole('combobox', { name: 'Period' })).toHaveValue('84')
  await expect(dialog.getByRole('combobox', { name: 'Compare with' })).toHaveValue('none')
  await expect(dialog.getByRole('radio', { name: /^In 30 days/ })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: /^Tour end|^End of the tour/ })).toHaveCount(0)
  await expect(dialog.getByRole('checkbox')).toHaveCount(1)
  await expect(dialog.getByRole('checkbox', { name: /^Revenue/ })).not.toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Owner, quarter')
  const rolling = await createdAddress(page)
  await expect(page.getByText('Tour performance · 12 weeks until today')).toBeVisible()

  const { page: screen, context } = await withoutAccount(browser)
  await screen.goto(rolling)
  await expect(screen.getByRole('heading', { level: 1, name: 'Tour performance' })).toBeVisible()
  await expect(screen.getByText(/^As of /)).toBeVisible()
  await expect(screen.getByText('What the figures mean')).toBeVisible()
  await expect(screen.getByText('Nothing in this period')).toBeVisible()
  await expect(screen.getByText('Revenue')).toHaveCount(0)

  // days of one's own choice, with the departure in them, and with money
  const day = departure.localDate
  await page.goto(`/reports/tour-performance?from=${day}&to=${day}&compare=previous`)
  await settled(page)
  await page.getByRole('link', { name: 'Share as a link' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Period' })).toHaveValue('')
  await dialog.getByRole('checkbox', { name: /^Revenue/ }).check()
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Owner, one day')
  await screen.goto(await createdAddress(page))
  const tours = screen.getByRole('region', { name: 'Tours' })
  await expect(tours.getByRole('rowheader', { name: 'Ridge walk' })).toBeVisible()
  await expect(tours.getByRole('columnheader', { name: 'Revenue', exact: true })).toBeVisible()
  await expect(screen.getByText(/^Compared with /)).toBeVisible()
  expect(await screen.locator('.share').innerText()).not.toMatch(/Sofia|Quill/)
  for (const width of [390, 1440]) {
    await screen.setViewportSize({ width, height: 900 })
    expect(await overflow(screen)).toBeLessThanOrEqual(0)
    await expectAccessible(screen)
  }

  await revokeAndSeeItEnd(page, 'Owner, one day', screen)
  await context.close()

  // of persons no link is made
  await page.goto('/reports/staff-performance')
  await settled(page)
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Share as a link' })).toHaveCount(0)
})
