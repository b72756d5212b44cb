import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { pageConfigOf } from './page-config.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'page-config-'))
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }))

const publicOriginOf = (env: Record<string, string>) =>
  pageConfigOf(readConfig({ DATA_DIR: dataDir, ...env }), 'build').publicOrigin

test('screens know the public address where one is configured, and none of this computer alone', () => {
  expect(publicOriginOf({})).toBeNull()
  expect(publicOriginOf({ PUBLIC_URL: 'https://tours.example.com', DEMO: 'off' })).toBe('https://tours.example.com')
})
