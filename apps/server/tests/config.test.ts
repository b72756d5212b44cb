import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, ownOrigins, readConfig, withPort } from '../src/config.ts'
import { isLoopback } from '../src/platform/loopback.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'config-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))
const read = (env: Record<string, string | undefined> = {}) => readConfig({ DATA_DIR: dataDir, ...env })

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    read(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives a demo on this computer with the usual redirect targets', () => {
  expect(read()).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://127.0.0.1:8080',
    demo: true,
    trustProxy: 0,
    identity: { kind: 'embedded', signUp: 'open', passwordMinLength: 8 },
    backend: { kind: 'own' },
    redirects: {
      afterSignIn: '/',
      afterSignUp: '/',
      afterSignOut: '/sign-in',
      afterCreateOrganization: '/',
      afterSelectOrganization: '/',
      afterLeaveOrganization: '/organizations',
      afterJoinWaitlist: '/waitlist',
    },
  })
})

test('all problems are listed at once, as text', () => {
  const problems = problemsOf({
    PORT: 'eighty',
    DATABASE_URL: 'mysql://x:secret@y/z',
    PUBLIC_URL: 'tours.example.com/app',
    DEMO: 'maybe',
    LOG_LEVEL: 'loud',
    IDENTITY: 'other',
    BACKEND: 'other',
    TRUST_PROXY: 'some',
    SESSION_SECRET: 'short',
    REDIRECT_AFTER_SIGN_IN: '//evil.example',
    MAP_STYLE_HOSTS: 'tiles',
  })
  expect(problems).toHaveLength(11)
  expect(problems[0]).toBe('PORT must be a whole number from 0 to 65535, got "eighty".')
  expect(problems.join()).not.toContain('secret@')
  expect(problems).toContain('IDENTITY must be one of "embedded", "clerk", got "other".')
})

test('map hosts are reached with encryption, or are on this computer', () => {
  const hosts = 'https://tiles.example.com,https://*.example.org,http://127.0.0.1:3000'
  expect(read({ MAP_STYLE_HOSTS: hosts }).map.styleHosts).toEqual(hosts.split(','))
  expect(problemsOf({ MAP_STYLE_HOSTS: 'http://tiles.example.com' })[0]).toContain('MAP_STYLE_HOSTS must list hosts')
})

test('demo accounts are refused wherever others can reach them', () => {
  expect(problemsOf({ HOST: '0.0.0.0' })[0]).toContain('Set DEMO=off')
  expect(problemsOf({ PUBLIC_URL: 'https://tours.example.com' })[0]).toContain('Set DEMO=off')
  expect(problemsOf({ TRUST_PROXY: '1' })[0]).toContain('Set DEMO=off')
  expect(read({ HOST: '0.0.0.0', DEMO: 'off' })).toMatchObject({ demo: false, identity: { signUp: 'waitlist' } })
})

test('the address for migrations needs the address of the database', () => {
  expect(problemsOf({ MIGRATION_DATABASE_URL: 'postgres://a/b' })[0]).toContain('without DATABASE_URL')
})

test('the secret is created once and readable only by its owner', () => {
  const first = read().secret
  expect(first).toHaveLength(64)
  expect(read().secret).toBe(first)
  expect(fs.statSync(path.join(dataDir, 'secret')).mode & 0o777).toBe(0o600)
  expect(read({ SESSION_SECRET: 'x'.repeat(32) }).secret).toBe('x'.repeat(32))
})

test('a free port becomes part of the address, unless the address was given', () => {
  expect(withPort(read({ PORT: '0' }), 4711).publicUrl).toBe('http://127.0.0.1:4711')
  const given = read({ PORT: '0', PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' })
  expect(withPort(given, 4711)).toMatchObject({ port: 4711, publicUrl: 'https://tours.example.com' })
})

test('on this computer every name of it may sign in, elsewhere only the public address', () => {
  expect(ownOrigins(read())).toEqual(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
  const open = read({ HOST: '0.0.0.0', DEMO: 'off', PUBLIC_URL: 'https://tours.example.com/' })
  expect(ownOrigins(open)).toEqual(['https://tours.example.com'])
})

test('only addresses of this computer count as loopback', () => {
  expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1'].every(isLoopback)).toBe(true)
  expect(['0.0.0.0', '::', '192.168.1.2', '127.0.0.1.example.com', ''].some(isLoopback)).toBe(false)
})

const hosted = {
  BACKEND: 'firebase',
  FIREBASE_PROJECT_ID: 'tours',
  FIREBASE_API_KEY: 'public-key',
  FIREBASE_STORAGE_BUCKET: 'tours.firebasestorage.app',
  IDENTITY: 'clerk',
  CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.test$').toString('base64').replaceAll('=', '')}`,
  CLERK_SECRET_KEY: 'sk_test_secret',
  DATABASE_URL: 'postgres://a/b',
}

test('the hosted backend has a region, and a token bridge in addition to its functions', () => {
  expect(read(hosted).backend).toEqual({
    kind: 'firebase',
    project: { apiKey: 'public-key', projectId: 'tours', storageBucket: 'tours.firebasestorage.app' },
    appCheckKey: null,
    region: 'us-central1',
    callables: 'api',
    bridge: { kind: 'exchange', url: 'https://us-central1-tours.cloudfunctions.net/exchange' },
    tokenSyncPath: null,
    local: null,
  })
  expect(read({ ...hosted, FIREBASE_BRIDGE: 'clerk-template' }).backend).toMatchObject({
    bridge: { kind: 'clerk-template', template: 'integration_firebase' },
  })
  expect(read().backend).toEqual({ kind: 'own' })
})

test('calls to our own server carry the headers of a project that is configured for it', () => {
  const project = { FIREBASE_PROJECT_ID: 'tours', FIREBASE_API_KEY: 'public-key', FIREBASE_APP_ID: '1:1:web:1' }
  const proven = read({ ...project, FIREBASE_APP_CHECK_KEY: 'site-key', FIREBASE_MESSAGING_SENDER_ID: '1' })
  expect(proven.backend).toEqual({
    kind: 'own',
    callHeaders: {
      project: { projectId: 'tours', apiKey: 'public-key', appId: '1:1:web:1', messagingSenderId: '1' },
      appCheckKey: 'site-key',
    },
  })
  expect(proven.appCheckProject).toBeNull()
  const required = { FIREBASE_APP_CHECK: 'required' }
  expect(read({ ...project, ...required, FIREBASE_APP_CHECK_KEY: 'site-key' }).appCheckProject).toBe('tours')
  expect(problemsOf({ FIREBASE_APP_CHECK_KEY: 'site-key' })).toHaveLength(3)
  expect(problemsOf(required).join()).toContain('FIREBASE_APP_CHECK=required needs FIREBASE_APP_CHECK_KEY')
})

test.each([
  ['IDENTITY', undefined, 'goes with IDENTITY=clerk'],
  ['DATABASE_URL', undefined, 'needs DATABASE_URL'],
  ['FIREBASE_PROJECT_ID', undefined, 'needs FIREBASE_PROJECT_ID'],
  ['FIREBASE_API_KEY', undefined, 'needs FIREBASE_API_KEY'],
  ['FIREBASE_STORAGE_BUCKET', undefined, 'needs FIREBASE_STORAGE_BUCKET'],
  ['FIREBASE_MEASUREMENT_ID', 'G-1', 'needs FIREBASE_APP_ID'],
  ['FIREBASE_APP_CHECK_KEY', 'site-key', 'needs FIREBASE_APP_ID'],
  ['BACKEND', undefined, 'says nothing without BACKEND=firebase'],
  ['FIREBASE_MESSAGING_SENDER_ID', '1', 'needs FIREBASE_APP_ID'],
  ['FIREBASE_CALLABLES', 'some', 'must be one of "api", "named"'],
  ['FIREBASE_BRIDGE', 'magic', 'must be one of "exchange", "clerk-template"'],
  ['FIREBASE_EXCHANGE_URL', 'exchange', 'must be a full address'],
  ['FIREBASE_TOKEN_SYNC_PATH', 'https://elsewhere.example.com/token', 'must be a path of this installation'],
  ['FIREBASE_LOCAL', '1,2', 'must be four ports'],
])('the hosted backend is refused with words when %s is %s', (name, value, words) => {
  expect(problemsOf({ ...hosted, [name]: value }).join(' ')).toContain(words)
})

test('stand-ins of the hosted backend are for this computer only', () => {
  const local = { ...hosted, FIREBASE_LOCAL: '9099,8081,5001,9199' }
  expect(read(local).backend).toMatchObject({ local: { auth: 'http://localhost:9099', functions: { port: 5001 } } })
  expect(problemsOf({ ...local, PUBLIC_URL: 'https://tours.example.com' }).join(' ')).toContain(
    'FIREBASE_LOCAL is for tests',
  )
})

/** Keys of one made-up instance; `clerk.tours.example$` in base64. */
const clerk = {
  IDENTITY: 'clerk',
  CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsudG91cnMuZXhhbXBsZSQ',
  CLERK_SECRET_KEY: 'sk_live_1',
  CLERK_WEBHOOK_SECRET: 'whsec_MQ==',
}

test('the hosted identity service is chosen with its keys, and brings no demo', () => {
  expect(read(clerk)).toMatchObject({
    demo: false,
    identity: {
      kind: 'clerk',
      clerk: {
        instance: 'production',
        frontendApi: 'clerk.tours.example',
        proxyUrl: null,
        apiUrl: 'https://api.clerk.com',
      },
    },
  })
  const { CLERK_WEBHOOK_SECRET: _none, ...rest } = clerk
  const development = { ...rest, CLERK_PUBLISHABLE_KEY: clerk.CLERK_PUBLISHABLE_KEY.replace('live', 'test') }
  expect(read({ ...development, CLERK_SECRET_KEY: 'sk_test_1' })).toMatchObject({
    identity: { clerk: { instance: 'development', webhookSecret: null } },
  })
})

test.each([
  ['a missing key', { CLERK_SECRET_KEY: '' }, 'needs CLERK_SECRET_KEY'],
  ['another prefix', { CLERK_PUBLISHABLE_KEY: 'sk_live_x' }, 'begins with "pk_live_" or "pk_test_"'],
  ['keys of two instances', { CLERK_SECRET_KEY: 'sk_test_1' }, 'must begin with "sk_live_"'],
  ['no webhooks in production', { CLERK_WEBHOOK_SECRET: '' }, 'needs CLERK_WEBHOOK_SECRET'],
  ['a secret that is none', { CLERK_WEBHOOK_SECRET: 'abc' }, 'begins with "whsec_"'],
  ['a proxy that is no address', { CLERK_PROXY_URL: 'clerk' }, 'CLERK_PROXY_URL must be a path'],
  ['an interface that is no address', { CLERK_API_URL: 'api' }, 'CLERK_API_URL must be a full address'],
  ['demo accounts', { DEMO: 'on' }, 'Set DEMO=off'],
  ['keys that nobody uses', { IDENTITY: 'embedded' }, 'say nothing without IDENTITY=clerk'],
])('with the hosted identity service, %s is refused in words', (_name, change, words) => {
  expect(problemsOf({ ...clerk, ...change }).join('\n')).toContain(words)
})

test('an address may name several servers, the same ones for application and owner', () => {
  const servers = 'one.example.com:5432,two.example.com:5433/tours'
  const several = { DATABASE_URL: `postgres://app:secret@${servers}`, DEMO: 'off' }
  expect(read(several).databaseUrl).toBe(several.DATABASE_URL)
  expect(read({ ...several, MIGRATION_DATABASE_URL: `postgres://owner:other@${servers}` }).databaseUrl).not.toBeNull()
  expect(
    problemsOf({ ...several, MIGRATION_DATABASE_URL: 'postgres://owner:other@one.example.com:5432/tours' }),
  ).toEqual(['DATABASE_URL and MIGRATION_DATABASE_URL must name the same servers, in the same order.'])
  expect(problemsOf({ DATABASE_URL: 'postgres://app@one:5432,:x/tours', DEMO: 'off' })).toHaveLength(1)
})

test('an upgrade backs up first, unless switched off', () => {
  expect(read().backupBeforeUpgrade).toBe(true)
  expect(read({ BACKUP_BEFORE_UPGRADE: 'off' }).backupBeforeUpgrade).toBe(false)
})

test('a stop waits for a load balancer only where others reach the server, or where it is configured to', () => {
  expect(read().drainSeconds).toBe(0)
  expect(read({ PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' }).drainSeconds).toBe(5)
  expect(read({ DRAIN_SECONDS: '12' }).drainSeconds).toBe(12)
  expect(problemsOf({ DRAIN_SECONDS: '1000' })).toEqual([
    'DRAIN_SECONDS must be a whole number from 0 to 300, got "1000".',
  ])
})

test('keys for data at rest come from the data folder, the environment, a file, or for functions from the secret', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const file = path.join(dataDir, 'operator-keys')
  fs.writeFileSync(file, key)
  expect(read().dataKeys).toEqual({ kind: 'file', path: path.join(dataDir, 'data-keys'), isOwn: true })
  expect(read({ DATA_KEYS: key }).dataKeys).toMatchObject({ kind: 'environment', keys: [{ key: Buffer.alloc(32, 7) }] })
  expect(read({ DATA_KEY_FILE: file }).dataKeys).toEqual({ kind: 'file', path: file, isOwn: false })
  expect(read(hosted).dataKeys).toEqual({ kind: 'secret' })
  expect(problemsOf({ DATA_KEYS: 'hunter2' })).toEqual([
    'DATA_KEYS: entry 1 is not a key: 32 bytes in base64, such as "openssl rand -base64 32" prints.',
  ])
  expect(problemsOf({ DATA_KEY_FILE: `${file}-none` })).toEqual([`DATA_KEY_FILE ${file}-none does not exist.`])
  expect(problemsOf({ DATA_KEYS: key, DATA_KEY_FILE: file })).toHaveLength(1)
})

test('the log is text for people at a terminal and JSON for programs, unless set otherwise', () => {
  const { isTTY } = process.stdout
  try {
    process.stdout.isTTY = true
    expect([read().logFormat, read({ LOG_FORMAT: 'json' }).logFormat]).toEqual(['text', 'json'])
    process.stdout.isTTY = false
    expect([read().logFormat, read({ LOG_FORMAT: 'text' }).logFormat]).toEqual(['json', 'text'])
  } finally {
    process.stdout.isTTY = isTTY
  }
})
