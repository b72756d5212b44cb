import type { Page, Request } from '@playwright/test'
import { ownPassword } from '../../accounts.ts'
import { expect, settled, test } from '../../fixtures.ts'
import { startOwnServer, type OwnServer } from '../../own-server.ts'
import {
  allowNotifications,
  answerGoogle,
  appCheckToken,
  messagingToken,
  proofAnswers,
} from '../../stand-ins/google.ts'

// Our own server, with a project whose App Check and Messaging give calls their headers.

let server: OwnServer

test.beforeAll(async () => {
  server = await startOwnServer(18_236, {
    DEMO: 'off',
    FIREBASE_PROJECT_ID: 'demo-tour',
    FIREBASE_API_KEY: 'demo',
    FIREBASE_APP_ID: '1:1:web:1',
    FIREBASE_APP_CHECK_KEY: 'site-key',
    FIREBASE_MESSAGING_SENDER_ID: '1',
  })
})
test.afterAll(() => server?.stop())

/** Requests of the backend: calls and live documents. The identity service has its own paths and cookies. */
function backendRequests(page: Page): Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/auth/')) requests.push(request)
  })
  return requests
}

test('calls and live documents carry the proof of App Check and the instance of Messaging', async ({ page }) => {
  const asked = await answerGoogle(page, proofAnswers('demo-tour', '1:1:web:1'))
  await allowNotifications(page)
  const requests = backendRequests(page)
  const [link = ''] = /http:\S+\/sign-up\?setup=[\w-]+/.exec(server.output()) ?? []
  await page.goto(link)
  await page.getByLabel('Your name').fill('Íris Jónsdóttir')
  await page.getByLabel('E-mail').fill('iris@example.com')
  await page.getByLabel('Password', { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Create organization' }).click()
  await page.getByLabel('Name of the organization').fill('Proven Tours')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await settled(page)
  await expect(page.locator('[data-connection="live"]')).toBeVisible()

  const paths = requests.map((request) => new URL(request.url()).pathname)
  expect(paths).toEqual(expect.arrayContaining(['/api/overview-get', '/api/v1/accounts:signInWithCustomToken']))
  expect(paths.some((path) => path.startsWith('/api/live/'))).toBe(true)
  for (const request of requests) {
    const headers = await request.allHeaders()
    const found = [headers['x-firebase-appcheck'], headers['firebase-instance-id-token']]
    expect(found, request.url()).toEqual([appCheckToken, messagingToken])
  }
  expect(asked).toContain('POST /v1/projects/demo-tour/registrations')
})
