import type { Role } from '@tour-ops/contract/identity/access'
import type { In, Out } from '@tour-ops/contract/callable'
import { listOutbox, retryDelivery, type OutboxRow } from '@tour-ops/contract/notifications/notifications'
import { pino } from 'pino'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Channels } from '../../platform/channels/channels.ts'
import { Courier, type Enclose } from '../../platform/channels/courier.ts'
import { guestEnclosures } from '../../platform/operations/guest-enclosures.ts'
import { smtpTransport, type MailTransport } from '../../platform/channels/mail-transport.ts'
import { outboxChannels } from '../../platform/channels/outbox-channels.ts'
import { mailSink } from '../../../testing/mail-sink.ts'
import { testIdentity, type TestIdentity } from '../../../testing/identity.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { phonesOf } from '../../../testing/phone-provider.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { addDeparture, publishedTour } from '../../../testing/operations.ts'
import { notificationVerbs } from './outbox-service.ts'

let world: TestWorld
let site: TestIdentity
let channels: Channels
const log = pino({ level: 'silent' })

beforeAll(async () => {
  world = await testDatabase()
  const { db, clock } = world.services
  channels = outboxChannels({ db, clock, delivery: 'outbox' })
  site = testIdentity(world)
})
afterAll(() => world.close())

const verbOf = verbsOf(notificationVerbs)
const [list, retry] = [verbOf(listOutbox), verbOf(retryDelivery)]

const outbox = (
  { caller }: Pick<TestCaller, 'caller'>,
  input: In<typeof listOutbox> = {},
  delivery: Channels['delivery'] = 'outbox',
): Promise<Out<typeof listOutbox>> =>
  execute({ ...world.services, channels: { ...channels, delivery } }, requestMeta(), caller, list, input)

const message = (orgId: string, to: string, more: object = {}) => ({
  channel: 'email' as const,
  to,
  subject: 'Your booking',
  body: 'See you soon',
  orgId,
  kind: 'booking_confirmed',
  ...more,
})

const courier = (mail: MailTransport | null = null) =>
  new Courier({
    db: world.database,
    log,
    mail,
    phones: phonesOf(world.services),
    enclose: guestEnclosures('https://ops.example'),
  })
const accepting: MailTransport = { send: async () => ({ id: 'taken' }), close: () => undefined }
const failing: MailTransport = { send: async () => Promise.reject(new Error('mailbox full')), close: () => undefined }
const only = (rows: readonly OutboxRow[]): OutboxRow => {
  if (rows.length !== 1 || !rows[0]) throw new Error(`One row expected, got ${rows.length}`)
  return rows[0]
}

test('what is sent waits in the outbox, is delivered to the screen, and the log can be searched and filtered', async () => {
  const viewer = await world.as('viewer')
  await channels.send(null, message(viewer.orgId, 'anna@example.com'))
  await channels.send(
    null,
    message(viewer.orgId, '+4477009001', { channel: 'sms', subject: undefined, kind: 'delay_notice' }),
  )
  expect((await outbox(viewer)).figures).toEqual({ sent24h: 0, failed: 0, queued: 2, optedOut: 0 })
  await courier().deliverDue()
  const { rows, total, figures, delivery } = await outbox(viewer, { sort: [{ by: 'to', descending: true }] })
  expect({ total, figures, delivery }).toEqual({
    total: 2,
    // nobody has set up SMS
    figures: { sent24h: 1, failed: 1, queued: 0, optedOut: 0 },
    delivery: 'outbox',
  })
  expect(rows[0]).toMatchObject({
    to: 'anna@example.com',
    subject: 'Your booking',
    body: 'See you soon',
    status: 'sent',
    attempts: 1,
  })
  expect((await outbox(viewer, { filters: { channel: ['sms'] } })).total).toBe(1)
  expect((await outbox(viewer, { q: 'ANNA' })).total).toBe(1)
  const [written] = await viewer.transaction(async (tx) =>
    tx
      .selectFrom('messages')
      .select(['status'])
      .where('org_id', '=', viewer.orgId)
      .orderBy('created_at')
      .limit(1)
      .execute(),
  )
  expect(written).toEqual({ status: 'sent' })
})

test('what is due in a moment leaves then, though nobody wakes the courier again', async () => {
  const viewer = await world.as('viewer')
  const { clock } = world.services
  await channels.send(null, message(viewer.orgId, 'soon@example.com', { dueAt: new Date(clock.now().getTime() + 700) }))
  const running = courier()
  await running.start()
  await expect.poll(async () => (await outbox(viewer)).figures.sent24h, { timeout: 8_000 }).toBe(1)
  await running.stop()
})

test('nothing of another organization is seen, and a transaction that fails sends nothing', async () => {
  const one = await world.as('admin')
  const other = await world.as('admin')
  await channels.send(null, message(one.orgId, 'mine@example.com'))
  const broken = one.transaction(async (tx) => {
    await channels.send(tx, message(one.orgId, 'never@example.com'))
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect((await outbox(one, { filters: { source: ['organization'] } })).rows.map((row) => row.to)).toEqual([
    'mine@example.com',
  ])
  expect((await outbox(other, { filters: { source: ['organization'] } })).total).toBe(0)
})

test('a guide sees messages about their own departures only', async () => {
  const admin = await world.as('admin')
  const guide = await world.as('guide', { orgId: admin.orgId })
  await channels.send(null, message(admin.orgId, 'guest@example.com'))
  expect((await outbox(admin, { filters: { source: ['organization'] } })).total).toBe(1)
  expect((await outbox(guide)).total).toBe(0)
})

test('a refused e-mail is tried three times, then shown as failed and sent again on demand', async () => {
  const manager = await world.as('operations_manager')
  const { orgId } = manager
  await channels.send(null, message(orgId, 'full@example.com'))
  const due = () =>
    world.database.ownerPool.query(
      `update deliveries set next_attempt_at = now() - interval '1 second' where org_id = $1`,
      [orgId],
    )
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await courier(failing).deliverDue()
    expect(only((await outbox(manager)).rows)).toMatchObject({
      attempts: attempt,
      error: 'mailbox full',
      status: attempt < 3 ? 'queued' : 'failed',
    })
    await due()
  }
  const { id } = only((await outbox(manager)).rows)
  const statusOfMessage = async () =>
    (await world.database.ownerPool.query('select status from messages where org_id = $1', [orgId])).rows[0]?.status
  expect(await statusOfMessage()).toBe('failed')
  const viewer = await world.as('viewer', { orgId })
  await expect(viewer.call(retry, { id })).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('operations_manager')
  await expect(stranger.call(retry, { id })).rejects.toMatchObject({ code: 'not-found' })
  await manager.call(retry, { id })
  await courier().deliverDue()
  expect(only((await outbox(manager)).rows)).toMatchObject({ status: 'sent', error: null })
  expect(await statusOfMessage()).toBe('sent')
  await expect(manager.call(retry, { id })).rejects.toMatchObject({ code: 'not-found' })
})

test('messages about one departure are found by it', async () => {
  const ops = await world.as('operations_manager')
  const { tourId } = await publishedTour(ops)
  const departureId = await addDeparture(ops, tourId, { localDate: '2030-07-15' })
  await channels.send(null, message(ops.orgId, 'here@example.com', { departureId }))
  await channels.send(null, message(ops.orgId, 'elsewhere@example.com'))
  expect(only((await outbox(ops, { filters: { departureId: [departureId] } })).rows).to).toBe('here@example.com')
})

test('two couriers at once deliver each message once', async () => {
  const admin = await world.as('admin')
  const sent: string[] = []
  const counting: MailTransport = {
    send: async ({ to }) => {
      sent.push(to)
      return { id: to }
    },
    close: () => undefined,
  }
  for (let index = 0; index < 12; index += 1)
    await channels.send(null, message(admin.orgId, `guest${index}@example.com`))
  await Promise.all([courier(counting).deliverDue(), courier(counting).deliverDue()])
  const ours = sent.filter((to) => to.startsWith('guest'))
  expect(ours).toHaveLength(12)
  expect(new Set(ours).size).toBe(12)
})

test('a running courier is woken by what is sent', async () => {
  const admin = await world.as('admin')
  const running = courier()
  await running.start()
  await channels.send(null, message(admin.orgId, 'wake@example.com'))
  await expect.poll(async () => (await outbox(admin, { q: 'wake@' })).rows[0]?.status).toBe('sent')
  await running.stop()
})

/** Members with accounts; the first organization of the installation is made before. */
async function people(slug: string, ...roles: Role[]) {
  const made = await Promise.all(roles.map((role) => site.person(`${slug} ${role}`)))
  const { orgId } = await site.identity.accounts.createOrganization({
    name: slug,
    slug,
    members: made.map(({ userId }, index) => ({ userId, role: roles[index] ?? 'viewer' })),
  })
  return made.map(({ userId, email }) => ({
    email,
    orgId,
    caller: { userId, email, name: null, sessionId: null, orgId },
  }))
}

test('e-mails of the identity service are read by administrators of the only organization of their recipient', async () => {
  const [home] = await people('home', 'admin')
  const [admin, viewer] = await people('e-mails', 'admin', 'viewer')
  const [foreign] = await people('foreign', 'admin')
  if (!home || !admin || !viewer || !foreign) throw new Error('four people expected')
  await site.browser().post('/api/auth/request-password-reset', { email: viewer.email })
  const seen = async (person: typeof admin, delivery: Channels['delivery'] = 'outbox') =>
    (await outbox(person, { filters: { source: ['identity'] }, q: viewer.email }, delivery)).rows
  expect(only(await seen(admin))).toMatchObject({
    kind: 'reset_password',
    body: expect.stringContaining('/reset-password?token='),
  })
  expect(only(await seen(admin, 'smtp')).body).toBeNull()
  expect(await seen(viewer)).toEqual([])
  expect(await seen(foreign)).toEqual([])
  // somebody of two organizations: neither may open the other's door
  await world.database.ownerPool.query(
    `insert into identity.member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, 'viewer', now())`,
    [newId(), foreign.orgId, viewer.caller.userId],
  )
  expect(only(await seen(admin)).body).toBeNull()
  expect(only(await seen(foreign)).body).toBeNull()
})

test('e-mails to people who belong nowhere yet are read by the first organization alone', async () => {
  const { rows } = await world.database.ownerPool.query<{ id: string; user: string }>(
    `select o.id, m."userId" as "user" from identity.organization o join identity.member m on m."organizationId" = o.id
     order by o."createdAt", o.id limit 1`,
  )
  const home = {
    caller: { userId: rows[0]?.user ?? '', email: null, name: null, sessionId: null, orgId: rows[0]?.id ?? '' },
  }
  const [other] = await people('other', 'admin')
  const open = testIdentity(world, { signUp: 'open' })
  const email = 'newcomer@example.com'
  await open.browser().post('/api/auth/sign-up/email', { email, password: 'correct horse 1', name: 'New' })
  expect(only((await outbox(home, { q: email })).rows)).toMatchObject({
    kind: 'verify_email',
    body: expect.stringContaining('token='),
  })
  // with a mail server no person has to pass on links or sees who is new
  expect((await outbox(home, { q: email }, 'smtp')).rows).toEqual([])
  if (!other) throw new Error('one person expected')
  expect((await outbox(other, { q: email })).rows).toEqual([])
})

test('inviting an address does not show whether it has an account, here or in its e-mails', async () => {
  const [admin] = await people('inviting', 'admin')
  const [stranger] = await people('elsewhere', 'admin')
  if (!admin || !stranger) throw new Error('two people expected')
  const open = testIdentity(world, { signUp: 'open' })
  const unknown = 'no-account@example.com'
  const { db, clock } = world.services
  const { caller, orgId } = admin
  const scope = {
    orgId,
    actor: { kind: 'user', id: caller.userId },
    action: 'members-invite',
    requestId: newId(),
  } as const
  for (const email of [stranger.email, unknown]) {
    await db.transaction(scope, (tx) =>
      site.identity.admin.invite(
        { tx, orgId, caller, clock },
        { email, role: 'viewer', staffId: null, locale: 'en', message: null, expiresAt: new Date('2100-01-01') },
      ),
    )
    await open.browser().post('/api/auth/sign-up/email', { email, password: 'correct horse 1', name: 'Someone' })
    await open.browser().post('/api/auth/request-password-reset', { email })
  }
  const seen = async (email: string) =>
    (await outbox(admin, { q: email })).rows.map(({ source, kind, status }) => ({ source, kind, status }))
  expect(await seen(stranger.email)).toEqual([{ source: 'organization', kind: 'invitation', status: 'queued' }])
  expect(await seen(unknown)).toEqual(await seen(stranger.email))
})

test('with a mail server e-mails go out by SMTP', async () => {
  const admin = await world.as('admin')
  const server = await mailSink()
  const mail = smtpTransport(`smtp://127.0.0.1:${server.port}`, 'Tours <office@example.com>')
  await channels.send(null, message(admin.orgId, 'smtp@example.com', { body: 'Grüße' }))
  await courier(mail).deliverDue()
  mail.close()
  await server.close()
  expect(only((await outbox(admin, { q: 'smtp@' })).rows)).toMatchObject({ status: 'sent' })
  expect(server.mails.join('')).toMatch(
    /From: Tours <office@example.com>[\s\S]*To: smtp@example.com[\s\S]*Subject: Your booking/,
  )
})

test('e-mails of an organization carry its name and its address for answers', async () => {
  const admin = await world.as('admin')
  await admin.transaction((tx) =>
    sql`update org_settings set notification_rules = '{"senderName": "Aurora & Atlas", "replyTo": "office@aurora.example"}'
      where org_id = ${admin.orgId}`.execute(tx),
  )
  const server = await mailSink()
  const mail = smtpTransport(`smtp://127.0.0.1:${server.port}`, 'Tours <office@example.com>')
  await channels.send(null, message(admin.orgId, 'guest@example.com'))
  await courier(mail).deliverDue()
  mail.close()
  await server.close()
  expect(server.mails.join('')).toMatch(/From: "?Aurora & Atlas"? <office@example.com>/)
  expect(server.mails.join('')).toContain('Reply-To: office@aurora.example')
})

test('what is put into an e-mail when it is sent goes with it, a calendar file as a file', async () => {
  const admin = await world.as('admin')
  const server = await mailSink()
  const mail = smtpTransport(`smtp://127.0.0.1:${server.port}`, 'Tours <office@example.com>')
  await channels.send(null, message(admin.orgId, 'calendar@example.com'))
  const enclose: Enclose = async (_tx, _orgId, { body }) => ({ body: `${body}, Ada`, calendar: 'BEGIN:VCALENDAR' })
  await new Courier({ db: world.database, log, mail, phones: phonesOf(world.services), enclose }).deliverDue()
  mail.close()
  await server.close()
  const received = server.mails.join('')
  expect(received).toContain('See you soon, Ada')
  expect(received).toMatch(/Content-Type: text\/calendar; charset=utf-8[\s\S]*filename="?tour\.ics/)
  expect(only((await outbox(admin, { q: 'calendar@' })).rows).body).toBe('See you soon')
})

test('an e-mail that cannot be put together fails in words, and holds up no other', async () => {
  const admin = await world.as('admin')
  await channels.send(null, message(admin.orgId, 'first@example.com', { body: 'broken' }))
  await channels.send(null, message(admin.orgId, 'second@example.com'))
  const enclose: Enclose = async (_tx, _orgId, { body }) => {
    if (body === 'broken') throw new Error('relation "secrets" does not exist')
    return { body }
  }
  await new Courier({
    db: world.database,
    log,
    mail: accepting,
    phones: phonesOf(world.services),
    enclose,
  }).deliverDue()
  expect(only((await outbox(admin, { q: 'first@' })).rows)).toMatchObject({
    status: 'queued',
    attempts: 1,
    error: 'The e-mail could not be put together.',
  })
  expect(only((await outbox(admin, { q: 'second@' })).rows)).toMatchObject({ status: 'sent' })
})
