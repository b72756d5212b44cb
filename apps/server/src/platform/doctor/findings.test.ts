import net from 'node:net'
import { inject, afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { writeFact } from '../installation.ts'
import { backupFindings, clockFindings, emailFindings, queueFindings, schemaFindings } from './database-findings.ts'
import { examine, reportOf } from './finding.ts'
import { certificateFinding, certificateFindings, diskFindings, mailFindings } from './machine-findings.ts'

const now = new Date('2026-07-14T08:00:00Z')
const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000)

describe('of the machine', () => {
  test('a certificate that ends in less than two weeks is a warning, one that browsers refuse a problem', () => {
    expect(certificateFinding({ validTo: inDays(60), refused: null }, now).state).toBe('good')
    expect(certificateFinding({ validTo: inDays(9), refused: null }, now)).toMatchObject({
      state: 'warning',
      words: 'expires in 9 days',
    })
    expect(certificateFinding({ validTo: inDays(1), refused: null }, now).words).toBe('expires in 1 day')
    expect(certificateFinding({ validTo: inDays(60), refused: 'CERT_HAS_EXPIRED' }, now).state).toBe('problem')
  })

  test('an address without encryption is a warning wherever others reach it', async () => {
    const stateFor = async (publicUrl: string) => (await certificateFindings({ publicUrl }, now))[0]?.state
    expect(await stateFor('http://127.0.0.1:8080')).toBe('good')
    expect(await stateFor('http://tours.example.com')).toBe('warning')
  })

  test.each([
    [0.2, 'problem'],
    [1.5, 'warning'],
    [200, 'good'],
  ])('%d GB of room is a %s', async (gigabytes, state) => {
    const stat = async () => ({ bsize: 1, bavail: gigabytes * 1e9, blocks: 1000e9 })
    expect((await diskFindings({ dataDir: '/data' }, stat))[0]?.state).toBe(state)
  })

  test('a mail server that is not there is a problem with what to do, and none at all is none', async () => {
    const server = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as net.AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'office@example.com' }
    expect(await examine('Mail', 'Check SMTP_URL.', () => mailFindings({ mail }))).toEqual([
      {
        subject: 'Mail',
        state: 'problem',
        words: expect.stringContaining('ECONNREFUSED') as unknown,
        todo: 'Check SMTP_URL.',
      },
    ])
    expect((await mailFindings({ mail: null }))[0]?.state).toBe('good')
  })
})

describe.runIf(inject('embeddedPostgres') !== null)('of the database (runs on PostgreSQL)', () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await testDatabase()
  })
  afterAll(() => world.close())

  test('a schema that is up to date is good; a migration that is missing or unknown, the demo, and half a restore are not', async () => {
    const { ownerPool } = world.database
    const look = () => examine('Database', 'Do this.', () => schemaFindings(ownerPool, false))
    expect(await look()).toMatchObject([
      { state: 'good', words: expect.stringMatching(/^PostgreSQL \d+.*up to date$/) as unknown },
    ])
    const { rows } = await ownerPool.query<{ name: string; hash: string }>(
      'delete from migrations.applied where name = (select max(name) from migrations.applied) returning name, hash',
    )
    expect(await look()).toMatchObject([
      { state: 'warning', words: expect.stringContaining('1 migration is') as unknown },
    ])
    await ownerPool.query('insert into migrations.applied (name, hash) values ($1, $2)', [rows[0]?.name, rows[0]?.hash])
    await ownerPool.query(`insert into migrations.applied (name, hash) values ('9999_future.sql', 'x')`)
    expect(await look()).toMatchObject([
      { state: 'problem', words: expect.stringContaining('9999_future.sql') as unknown },
    ])
    await ownerPool.query(`delete from migrations.applied where name = '9999_future.sql'`)
    await writeFact(ownerPool, 'demo')
    expect(await look()).toMatchObject([
      { state: 'problem', words: expect.stringContaining('holds the demo') as unknown },
    ])
    await ownerPool.query('delete from installation.facts')
    await ownerPool.query('create table migrations.unfinished_restore ()')
    expect(await look()).toMatchObject([{ state: 'problem', words: 'A restore did not finish.' }])
    await ownerPool.query('drop table migrations.unfinished_restore')
  })

  test('no backup, and one older than two days, is a warning', async () => {
    const { ownerPool } = world.database
    const look = async (moment: Date) => (await backupFindings(ownerPool, moment))[0]?.state
    expect(await look(new Date())).toBe('warning')
    await writeFact(ownerPool, 'last backup', { file: '/backups/a', bytes: 1 })
    expect(await look(new Date())).toBe('good')
    expect(await look(new Date(Date.now() + 3 * 86_400_000))).toBe('warning')
  })

  test('e-mails that failed or wait, and the clocks, are looked at', async () => {
    const { ownerPool } = world.database
    expect(await emailFindings(ownerPool)).toEqual([])
    await ownerPool.query(
      `insert into identity.mails (id, kind, recipient, subject, body, status) values ('m', 'invitation', 'a@example.com', 's', 'b', 'failed')`,
    )
    expect(await emailFindings(ownerPool)).toMatchObject([{ state: 'warning' }])
    expect(await clockFindings(ownerPool)).toMatchObject([{ state: 'good' }])
    expect(await queueFindings(ownerPool)).toMatchObject([{ state: 'good' }])
  })
})

test('the report is a line for each finding, what to do below it, and the sum', () => {
  expect(
    reportOf([
      { subject: 'Disk', state: 'good', words: '9 GB free' },
      { subject: 'Last backup', state: 'warning', words: 'there is none', todo: 'npm run backup -- FILE' },
    ]),
  ).toBe(
    [
      'ok       Disk         9 GB free',
      'WARNING  Last backup  there is none',
      '                      → npm run backup -- FILE',
      '',
      '0 problem(s), 1 warning(s).',
    ].join('\n'),
  )
})
