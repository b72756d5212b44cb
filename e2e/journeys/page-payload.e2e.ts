import { expect, settled, test } from '../fixtures.ts'
import { startOwnServer } from '../own-server.ts'

const port = 18_232

test('the first page has its facts in the document; the next one asks for its payload and shows what holds by then', async ({
  page,
  complaints,
}) => {
  test.setTimeout(180_000)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/_payload.json')) asked.push(`${request.method()} ${pathname}`)
  })
  const open = await startOwnServer(port, { DEMO: 'off', SIGN_UP: 'open' })
  await page.goto(`${open.url}/sign-in`)
  await settled(page)
  await expect(page.getByText('Sign-up is closed for now.')).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByText('With an account you can join or create an organization.')).toBeVisible()
  expect(asked, 'the page that was loaded asks for nothing, the one after it once').toEqual([
    'GET /sign-up/_payload.json',
  ])
  await open.stop()

  // the same address with another setting; the document in the browser is the one of before
  const closed = await startOwnServer(port, { DEMO: 'off', SIGN_UP: 'waitlist' })
  try {
    await page.goBack()
    await expect(page.getByText('Sign-up is closed for now.')).toBeVisible()
    await page.getByRole('link', { name: 'Join the waitlist' }).click()
    await expect(page.getByRole('button', { name: 'Join the waitlist' })).toBeVisible()
    expect(asked.slice(1)).toEqual(['GET /sign-in/_payload.json', 'GET /waitlist/_payload.json'])
    const payload: unknown = await (await page.request.get(`${closed.url}/waitlist/_payload.json`)).json()
    expect(payload).toMatchObject({ path: '/waitlist', signUp: 'waitlist', passwordMinLength: 8 })
  } finally {
    await closed.stop()
  }
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !line.includes('ERR_CONNECTION_REFUSED')))
})
