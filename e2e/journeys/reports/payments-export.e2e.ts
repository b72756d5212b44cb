import fs from 'node:fs/promises'
import { exportPayments } from '@tour-ops/contract/bookings/payments-export'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

test('payments of a month are exported for bookkeeping, by the days of the organization', async ({ page }) => {
  await page.goto('/reports/tour-performance')
  await settled(page)
  await page.getByRole('button', { name: 'Payments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Payments for bookkeeping' })
  await expect(dialog).toContainText('(Reykjavik)')
  await expect(dialog.getByRole('button', { name: 'Last month' })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'This month' }).click()
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const file = await download
  const [, from = '', to = ''] =
    /^payments-(\d{4}-\d\d-01)-(\d{4}-\d\d-\d\d)\.csv$/.exec(file.suggestedFilename()) ?? []
  const text = await fs.readFile(await file.path(), 'utf8')
  expect(text).toMatch(
    /^\uFEFFreceived_on,kind,method,amount,currency,amount_minor,reference,receipt,invoice,booking_ref/,
  )
  const { rows } = await (await apiAs('operations_manager')).call(exportPayments, { from, to })
  expect(rows).toBeGreaterThan(0)
  await expect(page.getByText(new RegExp(`^${rows} payments? exported\\.$`))).toBeVisible()
  await expect(dialog).toBeHidden()
})

test.describe('who may not export', () => {
  test.use({ storageState: sessionFile('dispatcher') })
  test('is not offered it', async ({ page }) => {
    await page.goto('/reports/tour-performance')
    await settled(page)
    await expect(page.getByText('What the figures mean')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Payments' })).toHaveCount(0)
  })
})
