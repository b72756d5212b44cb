import { createLink, copyLink, pauseLink } from '@tour-ops/contract/links/links'
import { getSharedPage } from '@tour-ops/contract/links/shared-page'
import { updateOwnPreferences } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../../testing/inbox.ts'
import { addDeparture, officeWithTour } from '../../../testing/operations.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../../platform/ids.ts'
import { execute } from '../../platform/verb.ts'
import { allVerbs } from '../../verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(allVerbs)

/** A link to a departure, made by a planner. */
async function madeLink() {
  const { caller, clock, tourId } = await officeWithTour(world, new Date('2030-07-10T08:00:00Z'))
  const departureId = await addDeparture(caller, tourId)
  const { id, token } = await caller.call(verbOf(createLink), {
    kind: 'departure_guest',
    subjectId: departureId,
    label: 'For the family',
    scopes: {},
  })
  const open = (visit: string = newId(), key = token) =>
    execute(
      { ...world.services, clock },
      { requestId: newId(), ip: '203.0.113.7', userAgent: 'Mozilla/5.0', signal: new AbortController().signal },
      null,
      verbOf(getSharedPage),
      { token: key, visit },
    )
  return { caller, clock, id, token, open }
}

test('who made a link hears once that it was opened, however often and by whomever at once', async () => {
  const { caller, clock, id, token, open } = await madeLink()
  const colleague = await world.as('operations_manager', { orgId: caller.orgId, clock })
  // the look of a member is no opening
  await colleague.call(verbOf(getSharedPage), { token, visit: newId() })
  expect(await notices(world, caller)).toEqual([])
  const visit = newId()
  await Promise.all([open(visit), open(visit), open(), open()])
  const again = await caller.call(verbOf(copyLink), { id, rotate: true })
  await open(newId(), again.token)
  expect(await notices(world, caller)).toEqual([
    {
      title: 'Your link was opened for the first time',
      body: 'For the family',
      link: '/tools/shared-links?q=For%20the%20family',
    },
  ])
  expect(await notices(world, colleague)).toEqual([])
})

test('a link that is paused tells nobody until it opens again', async () => {
  const { caller, id, open } = await madeLink()
  const paused = await caller.call(verbOf(pauseLink), { id, version: 1, paused: true })
  await expect(open()).rejects.toMatchObject({ code: 'not-found' })
  expect(await notices(world, caller)).toEqual([])
  await caller.call(verbOf(pauseLink), { ...paused, paused: false })
  await open()
  expect(await notices(world, caller)).toHaveLength(1)
})

test('it can be switched off, and nobody hears of links that the product made', async () => {
  const off = await madeLink()
  await off.caller.call(verbOf(updateOwnPreferences), {
    settings: { events: { link_opened_first: [] }, language: null },
  })
  const ours = await madeLink()
  await ours.caller.transaction((tx) =>
    sql`update shared_links set created_by = null where org_id = ${ours.caller.orgId}`.execute(tx),
  )
  for (const { caller, open } of [off, ours]) {
    await open()
    expect(await notices(world, caller)).toEqual([])
  }
})
