import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tour-operations-npmrc-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('with our .npmrc an installation runs no scripts, and a script that is requested runs', () => {
  const write = (what) => `node -e "require('fs').writeFileSync('${what}', '')"`
  const manifest = {
    name: 'sample',
    version: '1.0.0',
    scripts: { postinstall: write('installed'), start: write('started') },
  }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  fs.copyFileSync(path.join(import.meta.dirname, '../.npmrc'), path.join(folder, '.npmrc'))
  // npm hands its own settings down to its children
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  const npm = (...args) => spawnSync('npm', args, { cwd: folder, env, shell: process.platform === 'win32' }).status
  expect([npm('install', '--offline', '--no-audit', '--no-fund'), npm('start')]).toEqual([0, 0])
  expect(fs.readdirSync(folder)).toEqual(expect.arrayContaining(['started']))
  expect(fs.existsSync(path.join(folder, 'installed'))).toBe(false)
})
