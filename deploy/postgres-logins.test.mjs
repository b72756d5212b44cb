import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

// What runs in PostgreSQL's container when the database is new, with a psql that writes down what it is given.

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-logins-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const passwords = { POSTGRES_PASSWORD: 'super', OWNER_PASSWORD: 'owner', APP_PASSWORD: 'application' }

function run(env) {
  fs.writeFileSync(path.join(folder, 'psql'), '#!/bin/sh\nprintf "%s\\n" "$@"\ncat\n', { mode: 0o755 })
  const script = path.join(import.meta.dirname, 'postgres-logins.sh')
  return spawnSync('sh', [script], {
    env: { PATH: `${folder}:${process.env.PATH}`, POSTGRES_USER: 'postgres', POSTGRES_DB: 'tour_operations', ...env },
    encoding: 'utf8',
  })
}

describe.skipIf(process.platform === 'win32')('the logins of the containers', () => {
  test('owner and application have passwords of their own', () => {
    const { status, stdout } = run(passwords)
    expect(status).toBe(0)
    expect(stdout).toContain('owner_password=owner\n--set\napp_password=application\n')
    expect(stdout).toContain("create role app_owner login createrole password :'owner_password';")
    expect(stdout).toContain("create role app_login login password :'app_password';")
    expect(stdout).not.toContain('super')
  })

  test.each([
    { ...passwords, APP_PASSWORD: 'owner' },
    { ...passwords, OWNER_PASSWORD: 'super' },
    { ...passwords, APP_PASSWORD: 'super' },
  ])('the same password twice is refused: %j', (env) => {
    const { status, stdout, stderr } = run(env)
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining('must differ')])
  })
})

test('each process of the servers gets the address of its own login only with that login’s password', () => {
  const compose = fs.readFileSync(path.join(import.meta.dirname, 'compose.yaml'), 'utf8')
  const passwordOf = (name) => new RegExp(`\\n    ${name}: postgres://(\\w+):\\$\\{(\\w+)`).exec(compose)?.slice(1)
  expect(passwordOf('DATABASE_URL')).toEqual(['app_login', 'APP_PASSWORD'])
  expect(passwordOf('MIGRATION_DATABASE_URL')).toEqual(['app_owner', 'OWNER_PASSWORD'])
})
