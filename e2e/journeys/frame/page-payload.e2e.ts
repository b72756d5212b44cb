import { expect, settled, test } from '../../fixtures.ts'
import { startOwnServer, type OwnServer } from '../../own-server.ts'

/** The installation before and after a change of its settings. */
let open: OwnServer
let closed: OwnServer

test.beforeAll(async () => {
  ;[open, closed] = await Promise.all([
    startOwnServer(18_232, { DEMO: 'off', SIGN_UP: 'open' }),
    startOwnServer(18_233, { DEMO: 'off', SIGN_UP: 'waitlist' }),
  ])
})
test.afterAll(async () => {
  await open?.stop()
  await closed?.stop()
})

test('the first page has its facts in the document; the next one asks for its payload and shows what holds by then', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/_payload.json')) asked.push(`${request.method()} ${pathname}`)
  })
  await page.goto(`${open.url}/sign-in`)
  await settled(page)
  await expect(page.getByText('Sign-up is closed for now.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByText('With an account you can join or create an organization.')).toBeVisible()
  expect(asked, 'the page that was loaded asks for nothing, the one after it once').toEqual([
    'GET /sign-up/_payload.json',
  ])

  // from now on the server with the changed setting answers; the document in the browser is the previous one
  await page.route('**/_payload.json', (route) =>
    route.continue({ url: closed.url + new URL(route.request().url()).pathname }),
  )
  await page.goBack()
  await expect(page.getByText('Sign-up is closed for now.')).toBeVisible()
  await page.getByRole('link', { name: 'Join the waitlist' }).click()
  await expect(page.getByRole('button', { name: 'Join the waitlist' })).toBeVisible()
  expect(asked.slice(1)).toEqual(['GET /sign-in/_payload.json', 'GET /waitlist/_payload.json'])
  const payload: unknown = await (await page.request.get(`${closed.url}/waitlist/_payload.json`)).json()
  expect(payload).toMatchObject({ path: '/waitlist', signUp: 'waitlist', passwordMinLength: 8 })
})
