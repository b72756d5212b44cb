import type { In } from '@tour-ops/contract/callable'
import { linkKey } from '@tour-ops/contract/links/link-key'
import { copyLink, createLink, linkAccesses, listLinks, setLinkPasscode } from '@tour-ops/contract/links/links'
import { getSharedPage, writeSharedMessage } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { addDeparture, book, publishedTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { allVerbs } from '../../verbs.ts'

const clock = movableClock(new Date('2030-07-10T08:00:00Z'))
let world: TestWorld
let server: TestServer
beforeAll(async () => {
  world = await testDatabase()
  const env = { DEMO: 'off', TRUST_PROXY: '1', RATE_LIMIT_IP: '0' }
  server = await testServer({
    services: { ...world.services, clock },
    verbs: allVerbs,
    web: { 'index.html': '<!doctype html><head></head><body>the page itself</body>' },
    env,
  })
})
beforeEach(() => clock.set(new Date('2030-07-10T08:00:00Z')))
afterAll(async () => {
  await server?.close()
  await world?.close()
})

const verbOf = verbsOf(allVerbs)

/** Milliseconds go by. */
const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms))

/** A link with the passcode 4711 in an office of its own. */
async function lockedLink(more: Partial<In<typeof createLink>> = {}) {
  const caller = await world.as('operations_manager', { clock })
  const { tourId } = await publishedTour(caller)
  const departureId = await addDeparture(caller, tourId)
  const booking = await book(caller, departureId, 2)
  const link = await caller.call(verbOf(createLink), {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: 'For the party',
    scopes: { messages: true },
    passcode: '4711',
    ...more,
  })
  return { caller, link, departureId }
}

const headersOf = (ip: string, cookie: string | undefined) => ({ 'x-forwarded-for': ip, ...(cookie && { cookie }) })

/** What somebody at an address sees who opens the link. */
const openPage = async (token: string, cookie?: string, ip = '203.0.113.7') => {
  const answer = await server.fetch(`/share/${token}`, { headers: headersOf(ip, cookie), redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), policy: answer.headers.get('content-security-policy') }
}

/** What comes of the form, as a browser without scripts sends it. */
const enter = async (token: string, passcode: string, ip = '203.0.113.7') => {
  const answer = await server.fetch(`/share/${token}`, {
    method: 'POST',
    headers: { ...headersOf(ip, undefined), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ passcode }).toString(),
    redirect: 'manual',
  })
  const cookie = answer.headers.get('set-cookie')
  return { status: answer.status, text: await answer.text(), cookie: cookie?.split(';')[0], whole: cookie }
}

/** @param token Of the link, or the key with which a page calls. */
const call = async (token: string, cookie?: string) => {
  const { status, body } = await server.call(getSharedPage, { token }, { headers: headersOf('203.0.113.7', cookie) })
  return body.error?.details['reason'] ?? status
}

test('a link with a passcode shows nothing until it is given, on a page without scripts, and remembers the browser', async () => {
  const { link } = await lockedLink({ language: 'de' })
  expect(await call(link.token)).toBe('link_passcode_needed')
  const asked = await openPage(link.token)
  expect(asked.status).toBe(200)
  expect(asked.text).toContain('<html lang="de">')
  expect(asked.text).toContain('Kennwort eingeben')
  expect(asked.text).not.toContain('<script')
  expect(asked.policy).toContain("default-src 'none'")
  const right = await enter(link.token, ' 4711 ')
  expect(right).toMatchObject({ status: 303 })
  expect(right.whole).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  expect((await openPage(link.token, right.cookie)).text).toContain('the page itself')
  expect(await call(link.token, right.cookie)).toBe(200)
})

test('every call of the link asks for the passcode, and another link is not opened with it', async () => {
  const { link } = await lockedLink()
  const other = await lockedLink()
  const { cookie = '' } = await enter(link.token, '4711')
  const write = (token: string) =>
    server.call(writeSharedMessage, { token, body: 'Hello' }, { headers: headersOf('203.0.113.7', cookie) })
  expect((await write(link.token)).status).toBe(200)
  expect((await write(other.link.token)).body.error?.details['reason']).toBe('link_passcode_needed')
  const forged = cookie.replace(/=.*/, `=${'A'.repeat(43)}`)
  expect(await call(link.token, forged)).toBe('link_passcode_needed')
})

test('a page that calls another host shows with its key what its cookie says, and nothing else opens the link', async () => {
  const { link } = await lockedLink()
  const other = await lockedLink()
  const { cookie = '' } = await enter(link.token, '4711')
  const pass = cookie.slice(cookie.indexOf('=') + 1)
  expect(await call(linkKey(link.token, pass))).toBe(200)
  for (const shown of ['', 'A'.repeat(43), pass.slice(1), `${pass}A`]) {
    expect(await call(linkKey(link.token, shown)), shown).toBe('link_passcode_needed')
  }
  expect(await call(linkKey(other.link.token, pass))).toBe('link_passcode_needed')
  expect(await call(linkKey('A'.repeat(43), pass))).toBe('shared_link_over')
})

test('another passcode and another address of the link end what a browser remembers; without a passcode nobody is asked', async () => {
  const { caller, link } = await lockedLink()
  const { cookie } = await enter(link.token, '4711')
  const set = (version: number, passcode: string | null) =>
    caller.call(verbOf(setLinkPasscode), { id: link.id, version, passcode })
  await set(1, 'Gullfoss')
  expect(await call(link.token, cookie)).toBe('link_passcode_needed')
  // the same one again has another hash
  await set(2, '4711')
  expect(await call(link.token, cookie)).toBe('link_passcode_needed')
  const again = await enter(link.token, '4711')
  const rotated = await caller.call(verbOf(copyLink), { id: link.id, rotate: true })
  expect(await call(link.token, again.cookie)).toBe('shared_link_over')
  expect(await call(rotated.token, again.cookie)).toBe('link_passcode_needed')
  await set(3, null)
  expect(await call(rotated.token)).toBe(200)
  expect((await openPage(rotated.token)).text).toContain('the page itself')
})

test('who guesses waits longer each time, and nobody else waits with them', async () => {
  const { link } = await lockedLink()
  const statuses = []
  for (const guess of ['1111', '2222', '3333']) statuses.push((await enter(link.token, guess)).status)
  expect(statuses).toEqual([403, 403, 403])
  // even the right one is not looked at
  expect(await enter(link.token, '4711')).toMatchObject({ status: 429, cookie: undefined })
  expect((await enter(link.token, '4711', '198.51.100.9')).status).toBe(303)
  later(5_000)
  expect((await enter(link.token, '4444')).text).toContain('Try again in 10 seconds.')
  later(9_000)
  expect((await enter(link.token, '4711')).status).toBe(429)
  later(1_000)
  expect((await enter(link.token, '4711')).status).toBe(303)
})

test('of many guesses at once three are looked at, also from addresses of one network', async () => {
  const { caller, link } = await lockedLink()
  const guesses = Array.from({ length: 24 }, (_, index) => String(1000 + index))
  const tries = await Promise.all(
    guesses.map((guess, index) => enter(link.token, guess, `2001:4860:1:2::${index + 1}`)),
  )
  expect(tries.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(3)
  expect(tries.every(({ status }) => status === 403 || status === 429)).toBe(true)
  const { accesses } = await caller.call(verbOf(linkAccesses), { id: link.id })
  expect(accesses.length).toBeLessThanOrEqual(3)
  expect(accesses.every(({ isWrongPasscode }) => isWrongPasscode)).toBe(true)
})

test('wrong passcodes are in the log of the link and are no views; the passcode itself is nowhere', async () => {
  const { caller, link } = await lockedLink({ passcode: 'geysir-2030' })
  await enter(link.token, 'wrong')
  const { rows, counts } = await caller.call(verbOf(listLinks), {})
  expect(rows).toMatchObject([{ id: link.id, hasPasscode: true, viewCount: 0 }])
  expect(counts).toMatchObject({ neverOpened: 1, viewsOfWeek: 0 })
  expect((await caller.call(verbOf(linkAccesses), { id: link.id })).accesses).toMatchObject([{ isWrongPasscode: true }])
  const { rows: stored } = await caller.transaction((tx) =>
    sql<{ text: string }>`select row_to_json(l)::text as text from shared_links l
      union all select row_to_json(a)::text from audit_entries a union all select row_to_json(a)::text from link_accesses a`.execute(
      tx,
    ),
  )
  const all = JSON.stringify(stored)
  expect(all).not.toContain('geysir-2030')
  expect(all.match(/scrypt\./g)).toHaveLength(1)
})

test('the office is told what a passcode must be, and that the phone of a guide has none', async () => {
  const { caller, link, departureId } = await lockedLink()
  const set = (passcode: string) => caller.call(verbOf(setLinkPasscode), { id: link.id, version: 1, passcode })
  for (const passcode of ['123', '   1   ', '1234567890123']) {
    await expect(set(passcode)).rejects.toMatchObject({
      code: 'invalid-argument',
      details: { fieldIssues: { passcode: [expect.anything()] } },
    })
  }
  const onPhone = caller.call(verbOf(createLink), {
    kind: 'staff_runsheet',
    subjectId: departureId,
    label: 'Run sheet',
    scopes: { checkin: true },
    passcode: '4711',
  })
  await expect(onPhone).rejects.toMatchObject({
    details: { fieldIssues: { passcode: [{ code: 'passcode_on_phone' }] } },
  })
  const stranger = await world.as('admin', { clock })
  await expect(
    stranger.call(verbOf(setLinkPasscode), { id: link.id, version: 1, passcode: null }),
  ).rejects.toMatchObject({ code: 'not-found' })
  const viewer = await world.as('viewer', { orgId: caller.orgId, clock })
  await expect(viewer.call(verbOf(setLinkPasscode), { id: link.id, version: 1, passcode: null })).rejects.toMatchObject(
    {
      code: 'permission-denied',
    },
  )
})
