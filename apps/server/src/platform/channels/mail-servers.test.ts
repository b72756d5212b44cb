import type { SMTPServerOptions } from 'smtp-server'
import { listOutbox } from '@tour-ops/contract/notifications/notifications'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../testing/programs.ts'
import { type MailSink, mailSink } from '../../../testing/mail-sink.ts'
import { phonesOf } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { notificationVerbs } from '../../features/notifications/outbox-service.ts'
import { guestEnclosures } from '../operations/guest-enclosures.ts'
import { Courier } from './courier.ts'
import { smtpTransport } from './mail-transport.ts'
import { outboxChannels } from './outbox-channels.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(notificationVerbs)

/** An office with e-mails to send. */
async function office(...addresses: string[]) {
  const admin = await world.as('admin')
  const { db, clock } = world.services
  const channels = outboxChannels({ db, clock, delivery: 'smtp' })
  const { orgId } = admin
  const message = { channel: 'email' as const, subject: 'Your booking', body: 'See you soon', orgId, kind: 'test' }
  for (const to of addresses) await channels.send(null, { ...message, to })
  return admin
}

const isDueNow = (admin: TestCaller) =>
  admin.transaction((tx) => sql`update deliveries set next_attempt_at = app_now() where status = 'queued'`.execute(tx))

async function deliver(url: string): Promise<void> {
  const mail = smtpTransport(url, 'Tours <office@example.com>')
  const enclose = guestEnclosures('https://ops.example')
  await new Courier({
    db: world.database,
    log: pino({ level: 'silent' }),
    mail,
    phones: phonesOf(world.services),
    enclose,
  }).deliverDue()
  mail.close()
}
const plain = ({ port }: Pick<MailSink, 'port'>): string => `smtp://127.0.0.1:${port}`
const stateOf = async (admin: TestCaller) => {
  const { rows, outages } = await admin.call(verbOf(listOutbox), { filters: { source: ['organization'] } })
  return {
    outage: outages[0] ?? null,
    states: Object.fromEntries(rows.map((row) => [row.to.split('@')[0], `${row.status} ${row.attempts}`])),
    rows,
  }
}

/** Refuses recipients by what stands before the @ of their address. */
const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) => {
  const refusal = (code: number, words: string) => done(Object.assign(new Error(words), { responseCode: code }))
  if (address.startsWith('nobody')) return refusal(550, 'No such user here')
  if (address.startsWith('gray')) return refusal(451, 'Greylisted, come back later')
  done()
}

describe('a mail server', () => {
  test('that knows no such address ends that e-mail at once, with its words, and holds up no other', async () => {
    const server = await mailSink({ onRcptTo })
    const admin = await office('nobody@example.com', 'anna@example.com')
    await deliver(plain(server))
    const { states, rows } = await stateOf(admin)
    expect(states).toEqual({ nobody: 'failed 1', anna: 'sent 1' })
    expect(rows.find(({ to }) => to.startsWith('nobody'))?.error).toContain('No such user here')
    await server.close()
  })

  test('that wants an e-mail a second time, as greylisting does, gets it a second time', async () => {
    const strict = await mailSink({ onRcptTo })
    const admin = await office('gray@example.com')
    await deliver(plain(strict))
    expect(await stateOf(admin)).toMatchObject({ states: { gray: 'queued 1' }, outage: null })
    await strict.close()
    const lenient = await mailSink()
    await isDueNow(admin)
    await deliver(plain(lenient))
    expect((await stateOf(admin)).states).toEqual({ gray: 'sent 2' })
    expect(lenient.taken()).toBe(1)
    await lenient.close()
  })

  test('that cannot be reached costs no attempt however long it is down: e-mails wait, the screen says so, and they leave once', async () => {
    const nobody = `smtp://127.0.0.1:${await freePort()}`
    const admin = await office('one@example.com', 'two@example.com')
    for (let time = 0; time < 5; time += 1) {
      await isDueNow(admin)
      await deliver(nobody)
    }
    const down = await stateOf(admin)
    expect(down.states).toEqual({ one: 'queued 0', two: 'queued 0' })
    expect(down.outage).toMatchObject({ waiting: 2, error: expect.stringContaining('ECONNREFUSED') })
    const server = await mailSink()
    await isDueNow(admin)
    await deliver(plain(server))
    expect(await stateOf(admin)).toMatchObject({ states: { one: 'sent 1', two: 'sent 1' }, outage: null })
    expect(server.taken()).toBe(2)
    await server.close()
  })

  test('that is down is asked for no second batch', async () => {
    let tries = 0
    const server = await mailSink({
      onConnect: (_session, done) => {
        tries += 1
        done(Object.assign(new Error('Too busy'), { responseCode: 421 }))
      },
    })
    const admin = await office(...Array.from({ length: 60 }, (_, n) => `guest${n}@example.com`))
    await deliver(plain(server))
    expect(tries).toBeLessThanOrEqual(5)
    expect(Object.values((await stateOf(admin)).states).every((state) => state === 'queued 0')).toBe(true)
    await server.close()
  })

  test('gets e-mails encrypted where it can, and none where its certificate is of somebody else', async () => {
    const offered = { disabledCommands: ['AUTH'] }
    const server = await mailSink(offered)
    const admin = await office('anna@example.com')
    await deliver(plain(server))
    expect(server.taken()).toBe(0)
    expect((await stateOf(admin)).outage?.error).toMatch(/certificate/i)
    await isDueNow(admin)
    await deliver(`${plain(server)}?tls.rejectUnauthorized=false`)
    expect(server.mails[0]).toContain('See you soon')
    await server.close()
  })

  test('that wants another password holds all e-mails up and loses none', async () => {
    const server = await mailSink({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'office' }) : done(new Error('Wrong password')),
    })
    const admin = await office('anna@example.com')
    await deliver(`smtp://office:wrong@127.0.0.1:${server.port}`)
    expect(await stateOf(admin)).toMatchObject({ states: { anna: 'queued 0' }, outage: { waiting: 1 } })
    await isDueNow(admin)
    await deliver(`smtp://office:right@127.0.0.1:${server.port}`)
    expect((await stateOf(admin)).states).toEqual({ anna: 'sent 1' })
    await server.close()
  })
})

test('neither an address nor a subject begins a header or a second recipient', async () => {
  const server = await mailSink()
  const admin = await office('anna@example.com')
  await admin.transaction((tx) =>
    sql`update deliveries set subject = ${'Hello\r\nBcc: thief@example.com'} where org_id = ${admin.orgId}`.execute(tx),
  )
  await deliver(plain(server))
  expect(server.taken()).toBe(1)
  expect(server.mails[0]).not.toMatch(/^Bcc:/im)
  await server.close()
})
