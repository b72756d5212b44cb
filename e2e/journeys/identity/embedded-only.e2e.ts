import fs from 'node:fs'
import path from 'node:path'
import type { Response } from '@playwright/test'
import { signIn } from '../../accounts.ts'
import { demoPassword, expect, settled, test } from '../../fixtures.ts'

/** What only the code of the hosted services holds: packages of the one, names of the other's services. */
const marks = ['@clerk/', 'identitytoolkit.googleapis.com', 'google.firestore.v1']
const assets = path.resolve(import.meta.dirname, '../../../apps/web/dist/assets')

test('with the embedded identity and our own server not one byte of a hosted service is downloaded', async ({
  page,
}) => {
  const scripts = new Map<string, Promise<string>>()
  const hosts = new Set<string>()
  const note = (response: Response) => {
    const { host, pathname } = new URL(response.url())
    hosts.add(host)
    if (pathname.endsWith('.js')) scripts.set(pathname, response.text())
  }
  page.on('response', note)
  await page.goto('/sign-in')
  await settled(page)
  await signIn(page, 'viewer@example.com', demoPassword)
  await expect(page).toHaveURL(/\/dashboard\/overview/)
  await settled(page)
  // what comes later would be read when the page is gone
  page.off('response', note)
  const texts = await Promise.all(scripts.values())
  expect(texts.length).toBeGreaterThan(3)
  for (const mark of marks) {
    expect(texts.filter((text) => text.includes(mark))).toEqual([])
    const built = fs.readdirSync(assets).filter((name) => name.endsWith('.js'))
    const holders = built.filter((name) => fs.readFileSync(path.join(assets, name), 'utf8').includes(mark))
    expect(holders, `the build has code with the mark ${mark}, so that its absence means something`).not.toEqual([])
  }
  expect([...hosts]).toHaveLength(1)
})
