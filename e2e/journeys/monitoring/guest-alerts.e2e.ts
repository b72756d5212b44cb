import { listAlerts } from '@tour-ops/contract/monitoring/alerts'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('guests of a tour of several days who have no valid document are an alert that names how many', async ({
  page,
}) => {
  const name = `Papers ${Math.random().toString(36).slice(2, 7)}`
  const trek = await makeTour(name, undefined, { kind: 'multi_day', durationDays: 3 })
  const departure = await makeDeparture(trek, { hours: 30 })
  await book(departure.id, ['Sofia Marin', 'Luca Marin'])
  const office = await apiAs('dispatcher')
  const asked = { filters: { departureId: [departure.id], kind: ['document_missing' as const] } }
  await expect
    .poll(async () => (await office.call(listAlerts, asked)).rows.map(({ evidence }) => evidence['guests']), {
      timeout: 100_000,
      intervals: [2_000],
    })
    .toEqual([2])
  await page.goto('/tools/monitoring')
  const card = page.getByRole('article').filter({ hasText: name }).filter({ hasText: 'passport' })
  await expect(card).toContainText('2 guests without a valid passport or identity card')
  await expect(card).toContainText('Starts')
  await expectAccessible(page)
})
