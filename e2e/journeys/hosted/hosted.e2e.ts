import type { Page, Request } from '@playwright/test'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { fillSignIn, test } from '../../clerk-world.ts'
import {
  answerOf,
  createTourAt,
  databasesOf,
  expect,
  inAnotherBrowser,
  printOutputOfFailed,
  signInAt,
  notifiedDispatcher,
  workingOrganization,
} from '../../hosted-steps.ts'
import { onePixel } from '../../one-pixel.ts'
import { book, makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { scriptKilobytes, scriptsOf, withoutDatabase } from '../../script-bytes.ts'
import { openHostedWorld, type HostedWorld } from '../../hosted-world.ts'
import {
  allowNotifications,
  answerGoogle,
  appCheckToken,
  installation,
  messagingToken,
  proofAnswers,
} from '../../stand-ins/google.ts'

// Identity service and backend both hosted: their real libraries in a real browser, against stand-ins of the services.

let world: HostedWorld

test.beforeAll(async () => {
  world = await openHostedWorld(18_100)
})
test.afterEach(() => printOutputOfFailed(test.info(), world))
test.afterAll(() => world?.stop())
test.use({ actionTimeout: 60_000 })

/** The address of a guest's page in an e-mail, whose long lines are broken as quoted-printable has it. */
const linkIn = (mail: string): string => /http:\/\/\S+\/share\/[\w/-]+/.exec(mail.replaceAll(/=\r?\n/g, ''))?.[0] ?? ''

const signIn = (page: Page, email: string): Promise<void> => signInAt(world.clerk.url, page, email)

test('what one browser changes is seen in another, through functions and live documents', async ({ page, browser }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Alps Tours' }).id
  const ann = world.clerk.person('Ann', [{ orgId, role: 'org:admin' }])
  const ben = world.clerk.person('Ben', [{ orgId, role: 'org:tour_designer' }])
  await signIn(page, ann.email)
  await expect.poll(() => world.tokens.log).toContain('POST accounts:signInWithCustomToken')
  await page.goto(`${world.clerk.url}/tours/all`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => world.firestore.at(`orgs/${orgId}/members/${ann.id}`)).toMatchObject({ role: 'admin' })
  await inAnotherBrowser(browser, async (other) => {
    await signIn(other, ben.email)
    await createTourAt(world.clerk.url, other, 'Seen at once')
  })
  await expect(page.getByText('Seen at once')).toBeVisible()
})

test('sign-out removes what the browser stored, and the next person starts empty', async ({ page }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Baltic Tours' }).id
  const cid = world.clerk.person('Cid', [{ orgId, role: 'org:dispatcher' }])
  await signIn(page, cid.email)
  await expect.poll(async () => (await databasesOf(page)).some((name) => name.startsWith('firestore/'))).toBe(true)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await expect.poll(async () => (await databasesOf(page)).some((name) => name.startsWith('firestore/'))).toBe(false)
})

test('a party is booked and checked in; a second browser and the overview see it without a reload', async ({
  page,
  browser,
}) => {
  const { admin, dispatcher, api, departure } = await workingOrganization(world, 'Ebro Tours', 'Old town walk')
  await signIn(page, dispatcher.email)
  await expect(
    page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Old town walk' }).first(),
  ).toBeVisible()
  await page.goto(`${world.clerk.url}/travelers/list?departure=${departure.id}&tab=manifest`)
  await expect(page.getByRole('dialog', { name: /Old town walk/ })).toBeVisible()

  await inAnotherBrowser(browser, async (other) => {
    await signIn(other, admin.email)
    await book(departure.id, ['Iris Dahl', 'Jon Dahl'], {}, api)
    // the open page is notified of the booking
    await page.getByRole('button', { name: 'Check in Iris Dahl' }).click()
    await expect(page.getByText('1 of 2 aboard').first()).toBeVisible()
    await other.goto(`${world.clerk.url}/travelers/list?departure=${departure.id}&tab=manifest`)
    await expect(other.getByText('1 of 2 aboard').first()).toBeVisible()
    await other.getByRole('button', { name: 'Check in Jon Dahl' }).click()
    await expect(page.getByText('2 of 2 aboard').first()).toBeVisible()
  })
})

test('a guest of a booking that a function made is written to by the always-on server, and the link in the e-mail shows the tour', async ({
  browser,
}) => {
  const { api, departure } = await workingOrganization(world, 'Douro Tours', 'River walk')
  await book(departure.id, ['Inês Rocha'], { contact: { name: 'Inês Rocha', email: 'ines@example.org' } }, api)
  const letter = () => world.mail.mails.find((mail) => /^To: .*ines@example\.org/im.test(mail))
  await expect.poll(letter).toBeDefined()
  const address = linkIn(letter() ?? '')
  expect(address.startsWith(world.clerk.url)).toBe(true)
  await inAnotherBrowser(browser, async (guest) => {
    await guest.goto(address)
    await expect(guest.getByRole('heading', { name: /River walk/ }).first()).toBeVisible()
  })
})

test('the overview needs at most 260 kB of our own scripts for its first load, without the library of the database', async ({
  page,
  browser,
}) => {
  const { dispatcher, departure } = await workingOrganization(world, 'Fen Tours', 'Reed path')
  await signIn(page, dispatcher.email)
  const scripts = await scriptsOf(browser, {
    // its day is the next one shortly before midnight
    address: `${world.clerk.url}/dashboard/overview?day=${departure.localDate}`,
    ready: 'main table tbody tr td',
    storageState: await page.context().storageState(),
  })
  const own = await withoutDatabase(scripts.filter((url) => url.startsWith(`${world.clerk.url}/assets/`)))
  const kilobytes = await scriptKilobytes(own)
  test.info().annotations.push({ type: 'kB', description: kilobytes.toFixed(1) })
  expect(own.length).toBeGreaterThan(5)
  // what the embedded one may need, and 60 for the libraries of identity service and backend
  expect(kilobytes).toBeLessThanOrEqual(260)
})

test('a file goes to the bucket, is read by the functions, and its guests are imported', async ({ page }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Cobalt Tours' }).id
  const dora = world.clerk.person('Dora', [{ orgId, role: 'org:admin' }])
  const api = await world.api(dora.id, orgId)
  await makePlaces(api)
  const departure = await makeDeparture(await makeTour('Canal trip', api), { capacity: 900, hours: 30 }, api)
  await signIn(page, dora.email)
  await page.goto(`${world.clerk.url}/travelers/import`)
  // long enough to be sent in pieces
  const notes = 'x'.repeat(500)
  const rows = Array.from({ length: 800 }, (_, row) => `BK-${row};${departure.code};Guest ${row};Bucket;${notes}`)
  const buffer = Buffer.from(`Booking no;Departure code;First name;Last name;Notes\n${rows.join('\n')}`)
  await page.locator('input[type=file]').setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer })
  await expect(page.getByRole('table', { name: 'Columns of the file' })).toBeVisible()
  expect(world.storage.pieces).toBeGreaterThan(1)
  // checked files are stored separately from arriving ones
  expect(world.storage.names().every((name) => name.startsWith('contents/'))).toBe(true)
  await page.getByRole('button', { name: 'Check 800 rows' }).click()
  await expect(page.getByText('Nothing is written yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 800 rows' }).click()
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible()
  await page.goto(`${world.clerk.url}/travelers/list?q=Guest+799`)
  await expect(page.getByRole('row').filter({ hasText: 'Guest 799 Bucket' })).toBeVisible()
})

test('a photo of an incident goes to the bucket, is shown in its log, and leaves it again', async ({ page }) => {
  const orgId = world.clerk.service.state.addOrganization({ name: 'Ember Tours' }).id
  const ines = world.clerk.person('Ines', [{ orgId, role: 'org:dispatcher' }])
  const api = await world.api(ines.id, orgId)
  const { id, number } = await api.call(reportIncident, { category: 'medical', severity: 2, title: 'Guest unwell' })
  await signIn(page, ines.email)
  await page.goto(`${world.clerk.url}/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: new RegExp(number) })
  await room
    .locator('input[type=file]')
    .setInputFiles({ name: 'car-park.png', mimeType: 'image/png', buffer: onePixel })
  const photo = room.getByRole('button', { name: 'Open photo: car-park.png' }).locator('img')
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await room.getByRole('button', { name: 'Remove file: car-park.png' }).click()
  await page.getByRole('dialog', { name: 'Remove this file?' }).getByRole('button', { name: 'Remove file' }).click()
  await expect(room.getByRole('list', { name: 'Log' })).toContainText('File removed: car-park.png')
  await expect(photo).toHaveCount(0)
})

test('nothing of analytics is loaded before a person agrees, and no address of a record is sent after', async ({
  page,
}) => {
  const asked = await answerGoogle(page, {
    'POST /v1/projects/demo-tour/installations': installation(1), // the next page asks for another
    'POST /v1/projects/demo-tour/installations/cInstallation00000000/authTokens:generate': {
      token: 'installation.token.2',
      expiresIn: '604800s',
    },
    'GET /v1alpha/projects/-/apps/1:1:web:1/webConfig': { measurementId: 'G-DEMO', appId: '1:1:web:1' },
    'GET /gtag/js': '',
  })
  const orgId = world.clerk.service.state.addOrganization({ name: 'Delta Tours' }).id
  const emil = world.clerk.person('Emil', [{ orgId, role: 'org:dispatcher' }])
  await signIn(page, emil.email)
  await page.goto(`${world.clerk.url}/tours/all`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked).toEqual([])

  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Usage statistics' }).click()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect.poll(() => asked).toContain('POST /v1/projects/demo-tour/installations')
  await expect.poll(() => asked).toContain('GET /v1alpha/projects/-/apps/1:1:web:1/webConfig')
  await expect.poll(() => asked).toContain('GET /gtag/js')

  await page.goto(`${world.clerk.url}/travelers/list?q=Secret+Name`)
  await expect.poll(() => asked.some((name) => name.endsWith('authTokens:generate'))).toBe(true)
  await page.getByRole('link', { name: 'Tours', exact: true }).first().click()
  const told = () => page.evaluate(() => JSON.stringify((window as { dataLayer?: unknown[] }).dataLayer ?? []))
  await expect.poll(told).toContain('"page_path":"/tours/all"')
  expect(await told()).not.toContain('Secret')
})

test.describe('with the template of the service, App Check, Messaging and a path for the token', () => {
  let putBack: (() => Promise<void>) | undefined
  /** What the path for the token received. */
  let told: string[] = []
  test.beforeAll(async () => {
    putBack = await world.clerk.changeSettings(18_107, {
      FIREBASE_BRIDGE: 'clerk-template',
      FIREBASE_APP_CHECK_KEY: 'site-key',
      FIREBASE_MESSAGING_SENDER_ID: '1',
      FIREBASE_TOKEN_SYNC_PATH: '/token-sync',
    })
  })
  test.beforeEach(async ({ page }) => {
    addTemplate()
    await answerGoogle(page, proofAnswers('demo-tour', '1:1:web:1'))
    await allowNotifications(page)
    told = []
    await page.route('**/token-sync', (route) => {
      const { authorization = '' } = route.request().headers()
      const isOurs = world.tokens.verify(authorization.replace(/^Bearer /, '')) !== undefined
      told.push(`${route.request().method()}${isOurs ? ' with the backend token' : ''}`)
      return route.fulfill({ status: 204 })
    })
  })
  test.afterAll(() => putBack?.())

  /** The service makes the token itself, signed by the account of the backend's project. */
  const addTemplate = () =>
    world.clerk.service.templates.set('integration_firebase', (session) =>
      world.tokens.mint(session.userId, { org_id: session.orgId, sid: session.id }),
    )

  test('the token after the template signs in to the backend; without a template the start ends with a message', async ({
    page,
    complaints,
  }) => {
    const hal = await notifiedDispatcher(world, 'Hal', 'Garda Tours')
    world.clerk.service.templates.clear()
    await page.goto(`${world.clerk.url}/sign-in`)
    await fillSignIn(page, hal.email)
    await expect(page.getByRole('heading', { name: 'Internal Server Error' })).toBeVisible()
    expect(complaints.splice(0).join('\n')).toContain('Failed to get Firebase token from Clerk')

    addTemplate()
    const exchanged: string[] = []
    page.on('request', (request) => request.url().endsWith('/exchange') && exchanged.push(request.url()))
    const overview = answerOf(page, 'api/overview-get')
    await page.getByRole('button', { name: 'Try again' }).click()
    expect((await overview).status()).toBe(200)
    await expect(page).toHaveURL(/\/dashboard\/overview/)
    expect(exchanged, 'our own function is not asked').toEqual([])
  })

  test('calls carry the proof of App Check and the instance of Messaging; streams of documents the proof', async ({
    page,
  }) => {
    const calls: Request[] = []
    const streams: string[] = []
    page.on('request', (request) => {
      const { port, pathname, searchParams } = new URL(request.url())
      if (pathname.includes('/us-central1/api/') && request.method() === 'POST') calls.push(request)
      const isOpened =
        Number(port) === world.firestore.port && pathname.endsWith('/channel') && !searchParams.has('SID')
      if (isOpened) streams.push(decodeURIComponent(request.postData() ?? ''))
    })
    const ida = await notifiedDispatcher(world, 'Ida', 'Harz Tours')
    await signIn(page, ida.email)
    await expect(page.locator('[data-connection="live"]')).toBeVisible()
    await expect.poll(() => calls.some((request) => request.url().endsWith('/overview-get'))).toBe(true)
    for (const call of calls) {
      const headers = await call.allHeaders()
      const found = [headers['x-firebase-appcheck'], headers['firebase-instance-id-token']]
      expect(found, call.url()).toEqual([appCheckToken, messagingToken])
    }
    await expect.poll(() => streams).not.toEqual([])
    const proof = `x-firebase-appcheck:${appCheckToken}`.toLowerCase()
    for (const stream of streams) expect(stream.toLowerCase()).toContain(proof)
  })

  test('the backend token is sent to the configured path with every sign-in, and deleted with the sign-out', async ({
    page,
  }) => {
    const gil = await notifiedDispatcher(world, 'Gil', 'Fjord Tours')
    await signIn(page, gil.email)
    await expect.poll(() => told).toContain('POST with the backend token')
    told.length = 0
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(/\/sign-in$/)
    await expect.poll(() => told).toContain('DELETE')
  })
})

test.describe('with each callable as a separate function', () => {
  let putBack: (() => Promise<void>) | undefined
  test.beforeAll(async () => {
    putBack = await world.clerk.changeSettings(18_107, { FIREBASE_CALLABLES: 'named' })
  })
  test.afterAll(() => putBack?.())

  test('a call goes to the function that has its name, in region and project, and none to another', async ({
    page,
  }) => {
    const orgId = world.clerk.service.state.addOrganization({ name: 'Ilmen Tours' }).id
    const jan = world.clerk.person('Jan', [{ orgId, role: 'org:admin' }])
    const asked: string[] = []
    page.on('request', (request) => {
      const { port, pathname } = new URL(request.url())
      if (Number(port) === world.functionsPort && request.method() === 'POST') asked.push(pathname)
    })
    const overview = answerOf(page, 'overview-get')
    await signIn(page, jan.email)
    expect(await (await overview).json()).toMatchObject({ result: { start: { departures: false } } })
    // next to a name that has another one as its beginning
    const tours = answerOf(page, 'tours-list')
    await page.goto(`${world.clerk.url}/tours/all`)
    expect((await tours).status()).toBe(200)
    expect(asked.filter((path) => !/^\/demo-tour\/us-central1\/[a-z-]+$/.test(path))).toEqual([])
  })
})
