import type { Callable, In } from '@tour-ops/contract/callable'
import { getSession } from '@tour-ops/contract/identity/session'
import { type GeneralSettings, getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TileHost, tileHost } from '../../../testing/tile-host.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { execute } from '../../platform/verb.ts'
import { membersVerbs } from '../members/verbs.ts'
import { settingsVerbs } from './verbs.ts'

let world: TestWorld
let host: TileHost
beforeAll(async () => {
  world = await testDatabase()
  host = await tileHost()
})
afterAll(async () => {
  await host?.close()
  await world?.close()
})

const verbOf = verbsOf([...settingsVerbs, ...membersVerbs])

/** On an installation whose pages may load maps from the fake service. */
const call = <C extends Callable>({ caller }: TestCaller, callable: C, input: In<C>) => {
  const { services } = world
  const config = { ...services.config, map: { styleHosts: [host.origin] } }
  return execute({ ...services, config }, requestMeta(), caller, verbOf(callable), input)
}

async function chooseTiles(caller: TestCaller, tiles: GeneralSettings['tiles']) {
  const { version, settings } = await call(caller, getGeneralSettings, {})
  return call(caller, updateGeneralSettings, { version, settings: { ...settings, tiles } })
}

const offline = { source: 'offline', address: null } as const

test('every reader of a map gets the tiles that were chosen, and the offline basemap before and after', async () => {
  const manager = await world.as('operations_manager')
  const viewer = await world.as('viewer', { orgId: manager.orgId })
  const shown = async () => (await call(viewer, getSession, {})).settings?.tiles
  expect(await shown()).toBeNull()
  for (const tiles of [
    { source: 'style' as const, address: `${host.origin}/style.json` },
    { source: 'pmtiles' as const, address: `${host.origin}/streets.pmtiles` },
  ]) {
    expect((await chooseTiles(manager, tiles)).settings.tiles).toEqual(tiles)
    expect(await shown()).toEqual(tiles)
  }
  expect((await chooseTiles(manager, offline)).settings.tiles).toEqual(offline)
  expect(await shown()).toBeNull()
})

test('an address is checked when it is new, and other settings can be saved while it is silent', async () => {
  const manager = await world.as('operations_manager')
  const tiles = { source: 'style' as const, address: `${host.origin}/style.json` }
  await chooseTiles(manager, tiles)
  host.fail(true)
  expect((await chooseTiles(manager, tiles)).settings.tiles).toEqual(tiles)
  const another = { source: 'style' as const, address: `${host.origin}/another.json` }
  await expect(chooseTiles(manager, another)).rejects.toMatchObject({
    details: { fieldIssues: { 'settings.tiles.address': [{ code: 'tiles_silent', params: { host: host.host } }] } },
  })
  host.fail(false)
  expect((await call(manager, getGeneralSettings, {})).settings.tiles).toEqual(tiles)
})

test('a choice and its address belong together', async () => {
  const manager = await world.as('operations_manager')
  const codeOf = (tiles: object) =>
    chooseTiles(manager, tiles as GeneralSettings['tiles']).then(
      () => null,
      ({ details }: { details: { fieldIssues: Record<string, { code: string }[]> } }) =>
        Object.entries(details.fieldIssues).map(([path, issues]) => `${path} ${issues[0]?.code}`),
    )
  expect(await codeOf({ source: 'style', address: null })).toEqual(['settings.tiles.address tiles_address_missing'])
  expect(await codeOf({ source: 'offline', address: 'https://tiles.example.com/' })).toEqual([
    'settings.tiles.source tiles_source_missing',
  ])
  for (const address of ['tiles.example.com', 'https://me:secret@tiles.example.com/', 'ftp://tiles.example.com/a']) {
    expect(await codeOf({ source: 'style', address })).toEqual(['settings.tiles.address tiles_address_form'])
  }
})
