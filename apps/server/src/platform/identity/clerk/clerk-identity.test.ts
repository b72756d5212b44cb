import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../../testing/world.ts'
import { testClerk, type TestClerk } from '../../../../testing/clerk.ts'

let world: TestWorld
let clerk: TestClerk

beforeAll(async () => {
  world = await testDatabase()
  clerk = testClerk(world)
})
afterAll(() => world.close())

/** A row of a business table, seen from inside its organization. */
async function memberRow(orgId: string, userId: string) {
  return inside(orgId, 'select role, status, email, name from members where user_id = $1 and org_id = $2', [
    userId,
    orgId,
  ])
}

async function inside(orgId: string, text: string, values: unknown[]): Promise<Record<string, unknown> | undefined> {
  const client = await world.database.ownerPool.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.org_id', $1, true)`, [orgId])
    const { rows } = await client.query<Record<string, unknown>>(text, values)
    return rows[0]
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const organization = (name: string) => clerk.service.state.addOrganization({ name })

test('who comes with a verified token for the first time is made a member, with organization, name and address', async () => {
  const { id: orgId } = organization('Alps Tours')
  const ann = clerk.person('Ann', [{ orgId, role: 'org:dispatcher' }])
  const { status, body } = await clerk.signIn(clerk.session(ann, orgId))
  expect(status).toBe(200)
  expect(await clerk.identity.verifyBackendToken(String(body['idToken']))).toMatchObject({
    userId: ann.id,
    orgId,
    email: 'ann@x.example',
    name: 'Ann Berg',
  })
  expect(await memberRow(orgId, ann.id)).toEqual({
    role: 'dispatcher',
    status: 'active',
    email: 'ann@x.example',
    name: 'Ann Berg',
  })
  expect(await inside(orgId, 'select name, slug, identity_kind from organizations where org_id = $1', [orgId])).toEqual(
    {
      name: 'Alps Tours',
      slug: 'alps-tours',
      identity_kind: 'clerk',
    },
  )
})

test('without an organization a person signs in and belongs nowhere', async () => {
  const bea = clerk.person('Bea')
  const { body } = await clerk.signIn(clerk.session(bea))
  expect(await clerk.identity.verifyBackendToken(String(body['idToken']))).toMatchObject({ orgId: null })
})

test('a token with a false session is refused with the codes of the toolkit', async () => {
  const session = { ...clerk.session(clerk.person('Cid')), status: 'pending' as const }
  expect(await clerk.signIn(session)).toMatchObject({
    status: 400,
    body: { error: { message: 'INVALID_CUSTOM_TOKEN' } },
  })
})

test('a role that changes at the service changes here with its message; so does a removal, and a return', async () => {
  const { id: orgId } = organization('Baltic Tours')
  const dan = clerk.person('Dan', [{ orgId, role: 'org:admin' }])
  await clerk.signIn(clerk.session(dan, orgId))
  const { state, webhook } = clerk.service
  const about = { organization: { id: orgId }, public_user_data: { user_id: dan.id } }

  const membership = state.membershipOf(dan.id, orgId)!
  membership.role = 'org:guide'
  expect(await clerk.receive(webhook('organizationMembership.updated', about))).toBe(204)
  expect(await memberRow(orgId, dan.id)).toMatchObject({ role: 'guide', status: 'active' })

  state.removeMember(dan.id, orgId)
  expect(await clerk.receive(webhook('organizationMembership.deleted', about))).toBe(204)
  expect(await memberRow(orgId, dan.id)).toMatchObject({ status: 'removed' })

  state.addMember(dan.id, orgId, 'org:viewer')
  await clerk.receive(webhook('organizationMembership.created', about))
  expect(await memberRow(orgId, dan.id)).toMatchObject({ role: 'viewer', status: 'active' })
})

test('messages out of order and twice change nothing: the current state is what counts', async () => {
  const { id: orgId } = organization('Carpathian Tours')
  const eve = clerk.person('Eve', [{ orgId, role: 'org:guide' }])
  const { state, webhook } = clerk.service
  const about = { organization: { id: orgId }, public_user_data: { user_id: eve.id } }
  const created = webhook('organizationMembership.created', about, { id: 'msg_created' })
  await clerk.receive(created)
  state.removeMember(eve.id, orgId)
  await clerk.receive(webhook('organizationMembership.deleted', about))
  // an update that was on its way for long, and the first message once more
  await clerk.receive(webhook('organizationMembership.updated', about))
  expect(await clerk.receive(created)).toBe(204)
  expect(await memberRow(orgId, eve.id)).toMatchObject({ status: 'removed' })
})

test('messages that the service did not sign just now are refused and change nothing', async () => {
  const { id: orgId } = organization('Danube Tours')
  const fay = clerk.person('Fay', [{ orgId, role: 'org:admin' }])
  const { webhook } = clerk.service
  const about = { organization: { id: orgId }, public_user_data: { user_id: fay.id } }
  const message = webhook('organizationMembership.created', about)
  expect(await clerk.receive({ ...message, body: `${message.body as string} ` })).toBe(400)
  expect(await clerk.receive({ ...message, headers: {} })).toBe(400)
  // well beyond the five minutes: time stamps are whole seconds, and a second passes while the calls run
  const [early, late] = [Date.now() - 330_000, Date.now() + 330_000]
  expect(await clerk.receive(webhook('user.created', about, { at: early }))).toBe(400)
  expect(await clerk.receive(webhook('user.created', about, { at: late }))).toBe(400)
  const secret = `whsec_${Buffer.from('another').toString('base64')}`
  expect(await clerk.receive(webhook('user.created', about, { secret }))).toBe(400)
  expect(await memberRow(orgId, fay.id)).toBeUndefined()
})

test('a message about something that does not concern us is taken and does nothing', async () => {
  expect(await clerk.receive(clerk.service.webhook('email.created', { id: 'ema_1' }))).toBe(204)
})

test('a session that ended at the service ends the backend sessions made from it', async () => {
  const session = clerk.session(clerk.person('Gus'))
  const { body } = await clerk.signIn(session)
  const idToken = String(body['idToken'])
  await clerk.receive(clerk.service.webhook('session.revoked', { id: session.id }))
  await expect(clerk.identity.verifyBackendToken(idToken)).rejects.toThrow('You have signed out')
})

test('a person who is gone at the service is gone here; an address may move to another', async () => {
  const { id: orgId } = organization('Ebro Tours')
  const hal = clerk.person('Hal', [{ orgId, role: 'org:admin' }])
  await clerk.signIn(clerk.session(hal, orgId))
  const ida = clerk.person('Ida', [{ orgId, role: 'org:admin' }])
  Object.assign(ida, { email: hal.email })
  await clerk.signIn(clerk.session(ida, orgId))
  expect(await memberRow(orgId, ida.id)).toMatchObject({ email: 'hal@x.example' })
  clerk.service.state.users.delete(hal.id)
  clerk.service.state.removeMember(hal.id, orgId)
  await clerk.receive(clerk.service.webhook('user.deleted', { id: hal.id }))
  expect(await memberRow(orgId, hal.id)).toMatchObject({ status: 'removed' })
})

test('the last administrator may leave: the service keeps that rule, not we', async () => {
  const { id: orgId } = organization('Fjord Tours')
  const jan = clerk.person('Jan', [{ orgId, role: 'org:admin' }])
  await clerk.signIn(clerk.session(jan, orgId))
  clerk.service.state.organizations.delete(orgId)
  expect(await clerk.receive(clerk.service.webhook('organization.deleted', { id: orgId }))).toBe(204)
  expect(await memberRow(orgId, jan.id)).toMatchObject({ status: 'removed' })
})

test('two organizations with one short name exist side by side', async () => {
  const [one, two] = [organization('Garda'), organization('Garda')]
  const kim = clerk.person('Kim', [
    { orgId: one.id, role: 'org:admin' },
    { orgId: two.id, role: 'org:admin' },
  ])
  expect((await clerk.signIn(clerk.session(kim, one.id))).status).toBe(200)
  expect((await clerk.signIn(clerk.session(kim, two.id))).status).toBe(200)
  expect(await inside(two.id, 'select slug from organizations where org_id = $1', [two.id])).toMatchObject({
    slug: expect.stringMatching(/^garda-org-/) as string,
  })
})

test('while the service does not answer, who is here already continues working, and who is new waits', async () => {
  const { id: orgId } = organization('Harz Tours')
  const leo = clerk.person('Leo', [{ orgId, role: 'org:guide' }])
  await clerk.signIn(clerk.session(leo, orgId))
  const mia = clerk.person('Mia', [{ orgId, role: 'org:guide' }])
  clerk.service.isDown = true
  try {
    expect((await clerk.signIn(clerk.session(leo, orgId))).status).toBe(200)
    expect((await clerk.signIn(clerk.session(mia, orgId))).status).toBe(500)
  } finally {
    clerk.service.isDown = false
  }
})
