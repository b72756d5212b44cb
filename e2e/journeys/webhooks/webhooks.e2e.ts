import { webhookReceiver, type WebhookReceiver } from '../../../apps/server/testing/webhook-receiver.ts'
import {
  expect,
  expectAccessible,
  expectAccessibleEverywhere,
  sessionFile,
  settled,
  takeAnswers,
  test,
} from '../../fixtures.ts'
import { webhookPort } from '../../webhook-service.ts'

test.use({ storageState: sessionFile('admin') })

let receiver: WebhookReceiver
test.beforeAll(async () => {
  receiver = await webhookReceiver(webhookPort)
})
test.afterAll(() => receiver?.close())

test('an endpoint is added, tested, repaired and removed, and the log says what it answered', async ({
  page,
  complaints,
}) => {
  const path = `/hooks/${Math.random().toString(36).slice(2)}`
  const url = `http://127.0.0.1:${webhookPort}${path}`
  await page.goto('/settings')
  await page.getByRole('link', { name: /^Webhooks/ }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await settled(page)
  await expectAccessible(page)

  // An address inside of the server's network is refused at its field, and what was chosen stays.
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  await dialog.getByLabel(/^URL/).fill('https://169.254.169.254/latest')
  await dialog.getByLabel(/^Events/).fill('Booking created')
  await page.getByRole('option', { name: /Booking created/ }).click()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText(/169\.254\.169\.254 is in the network of this server/).first()).toBeVisible()
  takeAnswers(complaints, 400)
  await dialog.getByLabel(/^URL/).fill(url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  const secret = page.getByRole('dialog', { name: 'Signing secret' })
  await expect(secret.getByRole('textbox')).toHaveValue(/^whsec_/)
  await expectAccessibleEverywhere(page)
  await secret.getByRole('button', { name: 'Close' }).click()

  receiver.answer(path, { status: 422, body: 'unknown account' })
  const endpoints = page.getByRole('region', { name: 'Endpoints' })
  await endpoints.getByRole('button', { name: 'Send a test event' }).click()
  const row = page.getByRole('row', { name: /Test event/ }).first()
  await expect(row).toContainText('HTTP 422')
  await row.click()
  const drawer = page.getByRole('dialog', { name: 'Test event' })
  await expect(drawer).toContainText('unknown account')
  await expect(drawer).toContainText('"type": "webhook.test"')
  await expectAccessibleEverywhere(page)

  receiver.answer(path, { status: 204 })
  await drawer.getByRole('button', { name: 'Send again' }).click()
  await expect(drawer).toContainText('HTTP 204')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('Delivered')
  // other journeys book meanwhile, and the endpoint hears of that as well
  const tests = receiver.at(path).filter(({ text }) => text.includes('"webhook.test"'))
  expect(tests.length).toBeGreaterThan(1)
  expect(new Set(tests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

  await endpoints.getByRole('button', { name: `Actions for ${url}` }).click()
  await page.getByRole('menuitem', { name: 'Remove webhook' }).click()
  await page
    .getByRole('dialog', { name: 'Remove this webhook?' })
    .getByRole('button', { name: 'Remove webhook' })
    .click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
})
