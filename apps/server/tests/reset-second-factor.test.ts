import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { openDatabaseBeside } from '../src/platform/db/database.ts'
import { createLog } from '../src/platform/log.ts'
import { newDataFolder, type Program, startProgram } from '../testing/programs.ts'

// `npm run reset-second-factor` as an operator runs it, next to a running server.

let folder: string
let server: Program
beforeAll(async () => {
  folder = newDataFolder('factor')
  server = await startProgram({ DATA_DIR: folder, PORT: '0' })
}, 180_000)
afterAll(async () => {
  server?.child.kill('SIGTERM')
  await server?.ended
  fs.rmSync(folder, { recursive: true, force: true })
})

async function reset(...args: string[]) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/reset-second-factor.ts'), ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...texts }
}

// several processes are started one after the other
test('the account loses its factors and sessions, is written to, and nobody else is touched', async () => {
  const config = readConfig({ DATA_DIR: folder, DEMO: 'off' })
  const db = await openDatabaseBeside({ ...config, log: createLog('silent') })
  try {
    for (const name of ['ada', 'ben']) {
      await db.ownerPool.query(
        `with person as (insert into identity."user" (id, name, email, "emailVerified", "twoFactorEnabled")
           values ($1, $1, $1 || '@example.com', true, true) returning id),
         app as (insert into identity."twoFactor" (id, secret, "backupCodes", "userId", verified) select $1, 'x', 'x', id, true from person)
         insert into identity.session (id, "expiresAt", token, "updatedAt", "userId", "secondFactor")
         select $1, now() + interval '1 day', $1, now(), id, 'totp' from person`,
        [name],
      )
    }
    expect(await reset()).toMatchObject({ code: 1, err: expect.stringContaining('-- EMAIL') })
    expect(await reset('nobody@example.com')).toMatchObject({ code: 1, err: expect.stringContaining('no account') })
    expect(await reset('Ada@example.com')).toMatchObject({ code: 0, out: expect.stringContaining('is reset'), err: '' })
    expect(await reset('ada@example.com')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no second factor'),
    })
    const { rows } = await db.ownerPool.query(
      `select u.id, identity.has_factor(u.id) as "hasFactor", u."twoFactorEnabled" as asks,
         (select count(*)::int from identity.session s where s."userId" = u.id) as sessions,
         (select count(*)::int from identity.mails m where m.recipient = u.email) as emails
       from identity."user" u order by u.id`,
    )
    expect(rows).toEqual([
      { id: 'ada', hasFactor: false, asks: false, sessions: 0, emails: 1 },
      { id: 'ben', hasFactor: true, asks: true, sessions: 1, emails: 0 },
    ])
  } finally {
    await db.close()
  }
}, 120_000)
