import type { Page } from '@playwright/test'

/** An answer in JSON, or the text of a script. */
type GoogleAnswers = Readonly<Record<string, object | string>>

const isOfGoogle = ({ hostname, pathname }: URL): boolean =>
  /(googleapis|googletagmanager)\.com$/.test(hostname) ||
  `${hostname}${pathname}`.startsWith('www.google.com/recaptcha/')

/**
 * Answers a page's requests to Google's hosts in the services' place, by method and path; what is not among the answers gets `{}`. Nothing
 * leaves the machine.
 *
 * @returns What was asked, oldest first; it grows.
 */
export async function answerGoogle(page: Page, answers: GoogleAnswers): Promise<readonly string[]> {
  const asked: string[] = []
  await page.route(isOfGoogle, async (route) => {
    const { pathname } = new URL(route.request().url())
    const name = `${route.request().method()} ${decodeURIComponent(pathname)}`
    if (route.request().method() !== 'OPTIONS') asked.push(name)
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    const answer = answers[name] ?? {}
    if (typeof answer === 'string') return route.fulfill({ contentType: 'text/javascript', body: answer, headers })
    return route.fulfill({ json: answer, headers })
  })
  return asked
}

/** An installation of the page at Google, whose token ends after some seconds. */
export const installation = (seconds: number): object => ({
  fid: 'cInstallation00000000',
  refreshToken: 'refresh',
  authToken: {
    token: 'installation.token',
    expiresIn: `${seconds}s`,
    creationTime: new Date(Date.now() + 1_000).toISOString(),
  },
})

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The tokens that `proofAnswers` give. */
export const appCheckToken = `${encode({ alg: 'RS256' })}.${encode({ sub: '1:1:web:1' })}.signature`
export const messagingToken = 'messaging-instance-token'

/** What proves to App Check that a browser runs our page, and names its instance of Messaging. */
export const proofAnswers = (projectId: string, appId: string): GoogleAnswers => ({
  'GET /recaptcha/api.js': `
    let chosen
    window.grecaptcha = {
      ready: (run) => run(),
      render: (_element, options) => { chosen = options; return 0 },
      execute: async () => { chosen.callback(); return 'solved' },
    }`,
  [`POST /v1/projects/${projectId}/apps/${appId}:exchangeRecaptchaV3Token`]: { token: appCheckToken, ttl: '3600s' },
  [`POST /v1/projects/${projectId}/installations`]: installation(604_800),
  [`POST /v1/projects/${projectId}/registrations`]: { token: messagingToken },
})

/** The browser of somebody who has allowed notifications. A browser without a window has no service that brings them. */
export const allowNotifications = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    const subscription = { endpoint: 'https://push.test/1', getKey: () => new Uint8Array([1, 2, 3]).buffer }
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(null),
      subscribe: () => Promise.resolve(subscription),
    })
  })
