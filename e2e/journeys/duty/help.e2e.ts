import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { apiAs } from '../../api.ts'
import { endCutOff, installed, takeCutOffs } from '../../duty-steps.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'

// A guide calls for help where there is no signal, and the office hears of it when there is one.

test.use({
  viewport: { width: 390, height: 844 },
  permissions: ['geolocation'],
  geolocation: { latitude: 64.1406, longitude: -21.9127 },
})

const state = (page: Page) => page.getByRole('main').getByRole('status')

test('a guide without a signal calls for help; the office is told, takes it, and the phone says who', async ({
  page,
  browser,
  complaints,
}) => {
  // nobody else's call is on the board under this name, not even one of an earlier try
  const lastName = `Berglind ${randomUUID().slice(0, 6)}`
  const { staffId } = await becomeGuide(page, browser, lastName)
  const api = await apiAs('admin')
  const { id } = await makeDeparture(await makeTour('Glacier tongue'))
  await api.call(createAssignment, { departureId: id, staffId, role: 'lead_guide', overrideReason: 'Journey' })
  await page.goto('/duty')
  await installed(page)
  await page.getByRole('link', { name: 'Run sheet', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Glacier tongue' })).toBeVisible()

  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Call for help', exact: true }).click()
  await expect(page.getByRole('link', { name: /^In danger\? Call \d+ first\.$/ })).toHaveAttribute('href', /^tel:\d+$/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Call for help now' }).click()
  await expect(state(page)).toContainText('The call is still on this phone')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page.getByText('You have called for help')).toBeVisible()
  await endCutOff(page)
  await expect(page.getByText('The office has the call; nobody has taken it yet.')).toBeVisible()
  takeCutOffs(complaints)

  const office = await browser.newContext({
    storageState: sessionFile('dispatcher'),
    viewport: { width: 1440, height: 900 },
  })
  const desk = await office.newPage()
  await desk.goto('/tools/monitoring')
  await desk.getByRole('button', { name: `Nadia ${lastName} calls for help`, exact: true }).click()
  const panel = desk.getByRole('dialog', { name: `Nadia ${lastName} calls for help` })
  await expect(panel.getByText(/^Called at /)).toBeVisible()
  await expect(panel.getByText('64.14060, -21.91270').first()).toBeVisible()
  await panel.getByRole('button', { name: /^Acknowledge/ }).click()
  await expect(panel.getByRole('button', { name: 'Return to New' })).toBeVisible()
  await expectAccessible(desk)

  await page.getByRole('link', { name: 'View' }).click()
  await expect(state(page)).toContainText('is taking care of it.')
  await page.getByRole('button', { name: 'I need no help any more' }).click()
  await expect(state(page)).toContainText('you need no help any more')
  await expect(desk.getByText(/no help is needed any more$/).first()).toBeVisible()
  await panel.getByRole('button', { name: 'Resolve' }).click()
  const ask = desk.getByRole('dialog', { name: 'Resolve this alert' })
  await ask.getByRole('textbox', { name: 'How it ended' }).fill('A tyre, changed by now')
  await ask.getByRole('button', { name: 'Resolve' }).click()
  await expect(state(page)).toContainText('The office closed the call at')
  await office.close()
})
