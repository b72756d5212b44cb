import fs from 'node:fs'
import { createLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linksVerbs } from '../src/features/links/verbs.ts'
import { movableClock } from '../src/platform/clock.ts'
import { describeSchema } from '../src/platform/db/schema-text.ts'
import { diskBlobs } from '../src/platform/files/blobs.ts'
import { filesFolder, filesOfOrganization } from '../src/platform/files/stored-files.ts'
import { testIdentity, testPassword, type TestIdentity } from '../testing/identity.ts'
import { refuseOtherKind, writeFact } from '../src/platform/installation.ts'
import { execute } from '../src/platform/verb.ts'
import { addDeparture, publishedTour } from '../testing/operations.ts'
import { verbsOf } from '../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../testing/world.ts'
import { demoEmail, demoPassword } from './data/staff.ts'
import { findDemo, removeDemo, removeFilesOfDemo } from './remove-demo.ts'

let world: TestWorld
let site: TestIdentity
beforeAll(async () => {
  world = await testDatabase()
  site = testIdentity(world)
})
afterAll(() => world.close())

const verbOf = verbsOf(linksVerbs)
/** Four days before the sample departure. */
const today = movableClock(new Date('2030-07-10T08:00:00Z'))
const credentials = { email: demoEmail('admin'), password: demoPassword }

/** Everything that lets somebody into the demo. */
async function demoWithVisitors() {
  const { accounts } = site.identity
  await writeFact(world.database.ownerPool, 'demo')
  const admin = await accounts.createAccount({ ...credentials, name: 'Sigrún Hallsdóttir', verified: true })
  const members = [{ userId: admin.userId, role: 'admin' as const }]
  const { orgId } = await accounts.createOrganization({ name: 'Aurora & Atlas', slug: 'aurora-atlas', members })
  const browser = site.browser()
  await browser.post('/api/auth/sign-in/email', credentials)
  const { body } = await browser.get('/api/auth/token')
  const tokens = await browser.backendToken()
  const manager: TestCaller = await world.as('operations_manager', { orgId, clock: today })
  const { tourId } = await publishedTour(manager)
  const subjectId = await addDeparture(manager, tourId)
  const link = await manager.call(verbOf(createLink), { kind: 'departure_guest', subjectId, label: 'For the guests' })
  await diskBlobs(filesFolder(world.services.config)).put(orgId, Buffer.from('a picture'))
  return { orgId, browser, tokens, identityToken: String(body['token']), share: link.token, userId: admin.userId }
}

/** Whether each sign-in method works. */
async function waysIn({ browser, tokens, identityToken, share }: Awaited<ReturnType<typeof demoWithVisitors>>) {
  const isOpen = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  const fresh = site.browser()
  const services = { ...world.services, clock: today }
  return {
    password: (await fresh.post('/api/auth/sign-in/email', credentials)).status === 200,
    cookie: 'user' in ((await browser.get('/api/auth/get-session')).body ?? {}),
    identityToken: await isOpen(site.identity.signIn(identityToken)),
    bearer: await isOpen(site.identity.verifyBackendToken(tokens.idToken)),
    refreshToken: await isOpen(site.identity.backend.refresh(tokens.refreshToken)),
    share: await isOpen(execute(services, requestMeta(), null, verbOf(getSharedPage), { token: share })),
  }
}

const allOpen = { password: true, cookie: true, identityToken: true, bearer: true, refreshToken: true, share: true }
const allClosed = {
  password: false,
  cookie: false,
  identityToken: false,
  bearer: false,
  refreshToken: false,
  share: false,
}

test('a database with the demo becomes a real one: no previous sign-in works, what somebody created in addition to the demo stays', async () => {
  const { ownerPool } = world.database
  await expect(refuseOtherKind(ownerPool, false)).resolves.toBeUndefined()
  const demo = await demoWithVisitors()
  await expect(refuseOtherKind(ownerPool, false)).rejects.toThrow('npm run go-live')
  await expect(refuseOtherKind(ownerPool, true)).resolves.toBeUndefined()

  const own = await site.identity.accounts.createAccount({
    email: 'ada@tours.test',
    password: testPassword,
    name: 'Ada',
    verified: true,
  })
  const kept = await site.identity.accounts.createOrganization({
    name: 'Fjord Walks',
    slug: 'fjord-walks',
    members: [
      { userId: own.userId, role: 'admin' },
      { userId: demo.userId, role: 'dispatcher' },
    ],
  })
  const stranded = await site.identity.accounts.createOrganization({
    name: 'Tried once',
    slug: 'tried-once',
    members: [{ userId: demo.userId, role: 'admin' }],
  })
  expect(await waysIn(demo)).toEqual(allOpen)
  expect(await findDemo(ownerPool)).toMatchObject({
    people: [{ email: 'admin@example.com' }],
    organizations: [{ name: 'Aurora & Atlas' }],
    kept: [{ name: 'Fjord Walks' }, { name: 'Tried once' }],
    withoutAdmin: [{ name: 'Tried once' }],
  })
  await expect(removeDemo(ownerPool, { removeOthers: false })).rejects.toThrow('without an administrator')

  // a removal that fails at its very end, as a crash would: foreign keys come back last, and this one cannot
  const before = await describeSchema(ownerPool)
  await ownerPool.query('create table public.obstacle (user_id text references identity."user" (id))')
  await ownerPool.query('insert into public.obstacle values ($1)', [demo.userId])
  await expect(removeDemo(ownerPool, { removeOthers: true })).rejects.toThrow('obstacle')
  expect(await waysIn(demo)).toEqual(allOpen)
  await ownerPool.query('drop table public.obstacle')

  await removeDemo(ownerPool, { removeOthers: true })
  expect(await describeSchema(ownerPool)).toBe(before)
  expect(await waysIn(demo)).toEqual(allClosed)
  expect(await rowsOf([demo.orgId, stranded.orgId])).toEqual([])
  await expect(refuseOtherKind(ownerPool, false)).resolves.toBeUndefined()
  await expect(refuseOtherKind(ownerPool, true)).rejects.toThrow('DEMO=off')
  const members = await ownerPool.query('select user_id, status from members where org_id = $1 order by status', [
    kept.orgId,
  ])
  expect(members.rows).toEqual([
    { user_id: own.userId, status: 'active' },
    { user_id: demo.userId, status: 'removed' },
  ])

  const files = filesOfOrganization(world.services.config, demo.orgId)
  expect(fs.existsSync(files)).toBe(true)
  await removeFilesOfDemo(ownerPool, world.services.config)
  expect(fs.existsSync(files)).toBe(false)
}, 90_000)

/** Tables that still have a row of one of the organizations. */
async function rowsOf(orgIds: readonly string[]): Promise<string[]> {
  const { rows } = await world.database.ownerPool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
  )
  const left: string[] = []
  for (const { name } of rows) {
    const found = await world.database.ownerPool.query(`select from ${name} where org_id = any($1) limit 1`, [orgIds])
    if (found.rowCount) left.push(name)
  }
  return left
}
