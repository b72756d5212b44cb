import fs from 'node:fs'
import path from 'node:path'
import { getSession } from '@tour-ops/contract/identity/session'
import { startAddress } from '@tour-ops/contract/start'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startServer, type RunningServer } from '../src/server.ts'
import { newDataFolder } from '../testing/programs.ts'

// The server as it is composed for FIREBASE_APP_CHECK=required: which endpoints require the proof that a request comes from our pages.

const folder = newDataFolder('app-check')
let server: RunningServer
beforeAll(async () => {
  const webDist = path.join(folder, 'dist')
  fs.mkdirSync(webDist)
  fs.writeFileSync(path.join(webDist, 'index.html'), '<html><head></head></html>')
  const overview = '/dashboard/overview'
  fs.writeFileSync(
    path.join(webDist, 'routes.json'),
    JSON.stringify({ routes: [overview], chunks: { [overview]: ['assets/overview.js'] } }),
  )
  const config = readConfig({
    DATA_DIR: path.join(folder, 'data'),
    WEB_DIST: webDist,
    EMBEDDED_ENGINE: 'pglite',
    DEMO: 'off',
    PORT: '0',
    FIREBASE_PROJECT_ID: 'tours',
    FIREBASE_API_KEY: 'key',
    FIREBASE_APP_ID: '1:1:web:1',
    FIREBASE_APP_CHECK_KEY: 'site-key',
    FIREBASE_APP_CHECK: 'required',
  })
  server = await startServer(config, pino({ level: 'silent' }))
})
afterAll(async () => {
  await server?.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const ask = (address: string, init: RequestInit = {}) => fetch(server.services.config.publicUrl + address, init)
const post = (address: string, headers: Record<string, string>) =>
  ask(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer nobody', ...headers },
    body: JSON.stringify({ data: {}, targets: [] }),
  })

test.each([`/api/${getSession.name}`, '/api/documents:get', '/api/live/listen'])(
  '%s without the proof, or with a wrong one, is refused before anybody asks who it is',
  async (address) => {
    const wrong: Record<string, string>[] = [{}, { 'x-firebase-appcheck': 'a.b.c' }]
    for (const headers of wrong) {
      const answer = await post(address, headers)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ error: { details: { reason: 'app_check' } } })
    }
  },
)

test('nothing is asked for ahead that would need the proof, and there is no start in one answer', async () => {
  const link = (await ask('/dashboard/overview')).headers.get('link') ?? ''
  expect(link).toContain('</api/auth/get-session>')
  expect(link).not.toContain('/api/start')
  const start = await ask(`/api${startAddress('overview')}`, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(start.status).toBe(401)
  expect(await start.text()).not.toContain('answers')
})
