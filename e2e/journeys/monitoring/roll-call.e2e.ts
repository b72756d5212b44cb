import { createLink } from '@tour-ops/contract/links/links'
import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('the office asks who is safe, guests answer with one tap on their link, and a call for help is seen at once', async ({
  page,
  browser,
}) => {
  const tour = await makeTour(`Ridge ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour)
  const family = await book(departure.id, ['Sofia Marin', 'Luca Marin'])
  await book(departure.id, ['Yuki Tanaka'])
  const office = await apiAs('dispatcher')
  const { path } = await office.call(createLink, {
    kind: 'booking_guest',
    subjectId: family.id,
    label: `Marin ${tour.name}`,
    language: 'en',
  })
  const incident = await office.call(reportIncident, {
    category: 'weather',
    severity: 2,
    title: `Storm over ${tour.name}`,
    departureId: departure.id,
  })

  await page.goto(`/tools/monitoring?incident=${incident.id}`)
  const room = page.getByRole('dialog', { name: new RegExp(incident.number) })
  await room.getByRole('button', { name: 'Ask who is safe' }).click()
  const dialog = page.getByRole('dialog', { name: /Ask everyone/ })
  await dialog.getByRole('textbox', { name: 'What guests read' }).fill('A storm comes over the ridge. The tour waits.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ask who is safe' }).click()
  await expect(page.getByText('3 people are asked')).toBeVisible()
  const rollCall = room.getByRole('region', { name: 'Roll call' })
  const rowOf = (name: string) => rollCall.getByRole('listitem').filter({ hasText: name })
  await expect(rowOf('Sofia Marin')).toContainText('Can answer on their link')
  await expect(rowOf('Yuki Tanaka')).toContainText('No link, call them')

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  await expect(phone.getByRole('heading', { name: 'Are you safe?' })).toBeVisible()
  await expect(phone.getByText('A storm comes over the ridge.')).toBeVisible()
  await expect(phone.getByText('Yuki')).toHaveCount(0)
  await expectAccessible(phone)
  await phone.getByRole('button', { name: /^We are all safe/ }).click()
  await expect(phone.getByText('The office knows that you are safe.')).toBeVisible()
  await expect(rowOf('Sofia Marin')).toContainText('Safe')
  await phone.getByRole('button', { name: 'Luca: Needs help' }).click()
  await expect(phone.getByText('The office knows that you need help.')).toBeVisible()
  await expectAccessible(phone)

  await expect(rowOf('Luca Marin')).toContainText('Needs help')
  await expect(rollCall.getByRole('listitem').first()).toContainText('Luca Marin')
  const { alerts } = await office.call(monitoringBoard, {})
  expect(alerts.filter(({ kind, departure: on }) => kind === 'sos' && on?.id === departure.id)).toHaveLength(1)

  await rowOf('Yuki Tanaka').getByRole('button', { name: 'Answer of Yuki Tanaka' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Safe' }).click()
  await expect(rowOf('Yuki Tanaka')).toContainText('noted by the office')
  await context.close()
})
