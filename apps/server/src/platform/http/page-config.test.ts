import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { hasStart, pageConfigOf } from './page-config.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'page-config-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

const publicOriginOf = (env: Record<string, string>) =>
  pageConfigOf(readConfig({ DATA_DIR: dataDir, ...env }), 'build').publicOrigin

test('screens know the public address where one is configured, and none of this computer alone', () => {
  expect(publicOriginOf({})).toBeNull()
  expect(publicOriginOf({ PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' })).toBe('https://tours.example.com')
})

const firebase = { FIREBASE_PROJECT_ID: 'tours', FIREBASE_API_KEY: 'key', FIREBASE_APP_ID: '1:1:web:1' }
const appCheck = { ...firebase, FIREBASE_APP_CHECK_KEY: 'site-key' }
const clerk = {
  IDENTITY: 'clerk',
  CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`,
  CLERK_SECRET_KEY: 'sk_test_x',
  CLERK_WEBHOOK_SECRET: `whsec_${Buffer.from('x'.repeat(24)).toString('base64')}`,
}

test.each<[string, boolean, Record<string, string>]>([
  ['on this computer', true, {}],
  ['at a public address with https', true, { PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' }],
  ['at an address without https', false, { PUBLIC_URL: 'http://tours.example.com', DEMO: 'off' }],
  ['where browsers prove themselves', false, appCheck],
  ['where they have to', false, { ...appCheck, FIREBASE_APP_CHECK: 'required' }],
  ['with another identity service', false, { ...clerk, DEMO: 'off' }],
])('the start in one answer %s: %s', (_where, expected, env) => {
  expect(hasStart(readConfig({ DATA_DIR: dataDir, ...env }))).toBe(expected)
})
