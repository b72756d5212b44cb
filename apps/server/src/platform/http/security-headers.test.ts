import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { securityHeaders } from './security-headers.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'headers-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

const policyOf = (env: Record<string, string>): string[] =>
  (new Map(securityHeaders(readConfig({ DATA_DIR: dataDir, ...env }))).get('content-security-policy') ?? '').split('; ')

const clerk = {
  IDENTITY: 'clerk',
  CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsudG91cnMuZXhhbXBsZSQ',
  CLERK_SECRET_KEY: 'sk_live_1',
  CLERK_WEBHOOK_SECRET: 'whsec_MQ==',
}

test('with the embedded identity nothing but our own origin is let in', () => {
  const policy = policyOf({})
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("style-src 'self'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy.some((rule) => rule.startsWith('frame-src'))).toBe(false)
})

test('the hosted identity service may bring its script, its pictures, its worker and its frames', () => {
  const policy = policyOf(clerk)
  const guards = 'https://challenges.cloudflare.com https://*.protect.clerk.com'
  expect(policy).toContain(`script-src 'self' https://clerk.tours.example ${guards}`)
  expect(policy).toContain(`connect-src 'self' https://clerk.tours.example ${guards}:*`)
  expect(policy).toContain("img-src 'self' data: blob: https://img.clerk.com")
  expect(policy).toContain("worker-src 'self' blob:")
  expect(policy).toContain("style-src 'self' 'unsafe-inline'")
  expect(policy).toContain(`frame-src ${guards}`)
})

test('the hosted backend opens its own addresses; analytics and App Check theirs only where they are configured', () => {
  const hosted = {
    ...clerk,
    BACKEND: 'firebase',
    DATABASE_URL: 'postgres://a/b',
    FIREBASE_PROJECT_ID: 'tours',
    FIREBASE_API_KEY: 'public-key',
    FIREBASE_STORAGE_BUCKET: 'tours.firebasestorage.app',
    FIREBASE_APP_ID: '1:1:web:1',
  }
  const rule = (policy: string[], name: string) => policy.find((each) => each.startsWith(name)) ?? ''
  const plain = policyOf(hosted)
  expect(rule(plain, 'connect-src')).toContain('https://firebasestorage.googleapis.com')
  expect(plain.join()).not.toMatch(/googletagmanager|firebaseinstallations|recaptcha|firebaseappcheck/)
  const counted = policyOf({ ...hosted, FIREBASE_MEASUREMENT_ID: 'G-1' })
  expect(rule(counted, 'script-src')).toContain('https://*.googletagmanager.com')
  expect(rule(counted, 'connect-src')).toContain('https://firebaseinstallations.googleapis.com')
  expect(rule(counted, 'frame-src')).not.toContain('recaptcha')
  const proven = policyOf({ ...hosted, FIREBASE_APP_CHECK_KEY: 'site-key' })
  expect(rule(proven, 'script-src')).toContain('https://www.google.com/recaptcha/')
  expect(rule(proven, 'connect-src')).toContain('https://content-firebaseappcheck.googleapis.com')
  expect(rule(proven, 'frame-src')).toContain('https://www.google.com/recaptcha/')
})

test('our own server opens what App Check and Messaging need, only where they are configured', () => {
  const project = { FIREBASE_PROJECT_ID: 'tours', FIREBASE_API_KEY: 'public-key', FIREBASE_APP_ID: '1:1:web:1' }
  const hostsOf = (env: Record<string, string>) =>
    policyOf(env)
      .join()
      .match(/https:[^ ;,]+/g) ?? []
  expect(hostsOf({})).toEqual([])
  expect(hostsOf({ ...project, FIREBASE_APP_CHECK_KEY: 'site-key' })).toEqual([
    'https://www.google.com/recaptcha/',
    'https://www.gstatic.com/recaptcha/',
    'https://content-firebaseappcheck.googleapis.com',
    'https://www.google.com/recaptcha/',
    'https://www.google.com/recaptcha/',
    'https://recaptcha.google.com/recaptcha/',
  ])
  expect(hostsOf({ ...project, FIREBASE_MESSAGING_SENDER_ID: '1' })).toEqual([
    'https://firebaseinstallations.googleapis.com',
    'https://fcmregistrations.googleapis.com',
  ])
})

test('behind our proxy path its own host is not let in', () => {
  const policy = policyOf({ ...clerk, CLERK_PROXY_URL: '/__clerk' })
  expect(policy.join()).not.toContain('clerk.tours.example')
})
