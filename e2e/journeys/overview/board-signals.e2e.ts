import { getDeparture } from '@tour-ops/contract/departures/departures'
import { markStop } from '@tour-ops/contract/departures/run-sheet'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { walkOnTheWay } from '../../watched-walk.ts'

test('the board says what an estimate rests on, when the phone was last heard and how full it is, and follows new positions', async ({
  page,
  context,
  request,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Open Ridge Tours')
  const office = await apiOfBrowser(context)
  const { id, report } = await walkOnTheWay(office, request, { name: 'Ridge walk' })
  await report({ secondsAgo: 200, battery: 41 })

  await page.goto('/dashboard/overview')
  const row = page.getByRole('row').filter({ hasText: 'Ridge walk' })

  await expect(row.getByText('41%')).toBeVisible()
  await expect(row.getByText(/^3 min$/)).toBeVisible()
  await expectAccessible(page)

  // as a value over the stream: the board is not requested again
  const asked: string[] = []
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname))
  await report({ battery: 12 })
  await expect(row.getByText('12%')).toBeVisible()
  await expect(row.getByText(/^\d+ s$/)).toBeVisible()
  expect(asked.filter((path) => path === '/api/overview-get').length).toBeLessThanOrEqual(1)

  // the office says that they are at the start: that is what the estimate rests on from now on
  const start = (await office.call(getDeparture, { id })).stops[0]
  await office.call(markStop, {
    id: start?.id ?? '',
    version: start?.version ?? 0,
    to: 'arrived',
    reason: 'Journey',
  })
  await expect(row.getByTitle('Office')).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('link').filter({ hasText: 'Ridge walk' })
  await expect(card.getByText('12%')).toBeVisible()
})
