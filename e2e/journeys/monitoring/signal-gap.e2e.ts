import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { walkOnTheWay } from '../../watched-walk.ts'

test('a phone that is not heard where no signal is expected is shown with until when, on the monitoring list, the tracking list and the map', async ({
  page,
  context,
  request,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Quiet Valley Tours')
  const { report } = await walkOnTheWay(await apiOfBrowser(context), request, { name: 'Valley trek', signalGap: true })
  await report({ secondsAgo: 280 })

  await page.goto('/tools/full-monitoring-list')
  const row = page.getByRole('row').filter({ hasText: 'Valley trek' })
  await expect(row.getByText(/^No signal until (\w{3} )?\d\d:\d\d$/)).toBeVisible()
  await expect(row.getByTitle(/^No signal expected until about (\w{3} )?\d\d:\d\d$/)).toBeVisible()
  await expect(row.getByText('Stale')).toHaveCount(0)
  await expectAccessible(page)

  await page.goto('/field-staff/tracking')
  const tracked = page.getByRole('row').filter({ hasText: 'Nils' })
  await expect(tracked.getByTitle(/^No signal expected until about (\w{3} )?\d\d:\d\d$/)).toHaveText(/^No signal until/)
  await expectAccessible(page)
  await page.goto('/field-staff/tracking?f.state=stale')
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.goto('/field-staff/tracking?f.state=quiet')
  await expect(tracked).toBeVisible()

  await page.goto('/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures" })
  await panel.getByRole('button', { name: /on duty seen/ }).click()
  const nils = panel.getByRole('button', { name: /Nils/ })
  await expect(nils.filter({ hasText: 'No signal expected until about' })).toBeVisible()

  // heard all the same: as anybody
  await report()
  await expect(nils.filter({ hasText: 'No signal expected' })).toHaveCount(0)
  await expect(nils.filter({ hasText: 'Live' })).toBeVisible()
  await page.goto('/tools/full-monitoring-list')
  await expect(row.getByText('Live')).toBeVisible()
})
