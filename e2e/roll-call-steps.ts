import { expect, type Page } from '@playwright/test'
import { createLink } from '@tour-ops/contract/links/links'
import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import type { Api } from './api.ts'
import { expectAccessible } from './fixtures.ts'
import { book, makeDeparture, makeTour } from './operations.ts'

interface RollCallParts {
  /** Of somebody who may change incidents, in the office. */
  readonly page: Page
  /** Of a guest, who has no account. */
  readonly phone: Page
  /** Who prepares it. */
  readonly office: Api
  /** In front of every path; nothing where the browser knows it. */
  readonly base?: string
}

/** The office asks who is safe in an incident of its own, a guest answers on their link, and the office sees and completes the answers. */
export async function askAndAnswerRollCall({ page, phone, office, base = '' }: RollCallParts): Promise<void> {
  const tour = await makeTour(`Ridge ${Math.random().toString(36).slice(2, 7)}`, office)
  const departure = await makeDeparture(tour, {}, office)
  const contact = { name: 'Sofia Marin', email: 'sofia.marin@example.com' }
  const family = await book(departure.id, ['Sofia Marin', 'Luca Marin'], { contact }, office)
  await book(departure.id, ['Yuki Tanaka'], {}, office)
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

  await page.goto(`${base}/tools/monitoring?incident=${incident.id}`)
  const room = page.getByRole('dialog', { name: new RegExp(incident.number) })
  await room.getByRole('button', { name: 'Ask who is safe' }).click()
  const dialog = page.getByRole('dialog', { name: /Ask everyone/ })
  await dialog.getByRole('textbox', { name: 'What guests read' }).fill('A storm comes over the ridge. The tour waits.')
  await expect(dialog.getByRole('checkbox', { name: /^Write to the guests/ })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ask who is safe' }).click()
  await expect(page.getByText('3 people are asked · 1 party is written to')).toBeVisible()
  const rollCall = room.getByRole('region', { name: 'Roll call' })
  const rowOf = (name: string) => rollCall.getByRole('listitem').filter({ hasText: name })
  await expect(rowOf('Sofia Marin')).toContainText('Can answer on their link')
  await expect(rowOf('Yuki Tanaka')).toContainText('No link, call them')

  await phone.goto(base + path)
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
}
