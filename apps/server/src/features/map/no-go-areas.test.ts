import type { AppError } from '@tour-ops/contract/errors'
import type { Area } from '@tour-ops/contract/map/areas'
import {
  archiveNoGoArea,
  createNoGoArea,
  listNoGoAreas,
  maxNoGoAreas,
  updateNoGoArea,
} from '@tour-ops/contract/map/no-go-areas'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { mapVerbs } from './map-service.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf(mapVerbs)
const [list, create, update, archive] = [
  verbOf(listNoGoAreas),
  verbOf(createNoGoArea),
  verbOf(updateNoGoArea),
  verbOf(archiveNoGoArea),
]
const circle = { kind: 'circle', center: [-21.1, 64.26], radiusM: 274.32 } satisfies Area
const outline = {
  kind: 'outline',
  points: [
    [179, -17],
    [-179, -17],
    [-179, -18],
  ],
} satisfies Area

test('areas are drawn, changed from one shape to the other, archived and restored, and each step is in the audit log', async () => {
  const caller = await world.as('dispatcher')
  const { id, version } = await caller.call(create, { name: '  Avalanche slope ', area: circle })
  await caller.call(create, { name: 'Ärger', area: circle })
  const { areas } = await caller.call(list, {})
  expect(areas.map(({ name }) => name)).toEqual(['Ärger', 'Avalanche slope'])
  expect(areas[1]).toEqual({ id, version, name: 'Avalanche slope', area: circle, archivedAt: null })
  const changed = await caller.call(update, { id, version, name: 'Reef', area: outline })
  expect((await caller.call(list, {})).areas[1]).toMatchObject({ name: 'Reef', area: outline })
  const archived = await caller.call(archive, { ...changed, archived: true })
  expect((await caller.call(list, {})).areas).toHaveLength(1)
  const gone = (await caller.call(list, { archived: true })).areas
  expect(gone).toMatchObject([{ id, archivedAt: expect.any(String) as string }])
  await caller.call(archive, { ...archived, archived: false })
  expect((await caller.call(list, {})).areas).toHaveLength(2)
  const log = await world.rows<{ action: string }>(
    `select action from audit_entries where org_id = $1 and entity_type = 'geofences' and entity_id = $2 order by at, id`,
    [caller.orgId, id],
  )
  expect(log.map(({ action }) => action)).toEqual([
    'no-go-areas-create',
    'no-go-areas-update',
    'no-go-areas-archive',
    'no-go-areas-archive',
  ])
})

test('who sees the map sees them, guides too; who does not dispatch changes none, and another organization has none of them', async () => {
  const office = await world.as('operations_manager')
  const target = await office.call(create, { name: 'Reef', area: outline })
  for (const role of ['viewer', 'guide'] as const) {
    const reader = await world.as(role, { orgId: office.orgId })
    expect((await reader.call(list, {})).areas).toMatchObject([{ name: 'Reef' }])
    for (const attempt of [
      () => reader.call(create, { name: 'Mine', area: circle }),
      () => reader.call(update, { ...target, name: 'Mine', area: circle }),
      () => reader.call(archive, { ...target, archived: true }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'permission-denied' })
  }
  const designer = await world.as('tour_designer', { orgId: office.orgId })
  await expect(designer.call(list, {})).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('admin')
  expect((await stranger.call(list, {})).areas).toEqual([])
  const foreign = [
    () => stranger.call(update, { ...target, name: 'Mine', area: circle }),
    () => stranger.call(archive, { ...target, archived: true }),
  ]
  for (const attempt of foreign) await expect(attempt()).rejects.toMatchObject({ code: 'not-found' })
})

test('who has not seen the last change is refused, and what is no no-go area is not one of them', async () => {
  const caller = await world.as('dispatcher')
  const { id, version } = await caller.call(create, { name: 'Reef', area: circle })
  await caller.call(update, { id, version, name: 'Reef', area: outline })
  await expect(caller.call(archive, { id, version, archived: true })).rejects.toMatchObject({
    details: { reason: 'version_conflict' },
  })
  const depot = newId()
  await caller.transaction((tx) =>
    sql`insert into geofences (org_id, id, name, kind, geojson)
      values (${caller.orgId}, ${depot}, 'Depot', 'depot', '{"type": "Point", "coordinates": [0, 0]}')`.execute(tx),
  )
  expect((await caller.call(list, {})).areas).toHaveLength(1)
  await expect(caller.call(archive, { id: depot, version: 1, archived: true })).rejects.toMatchObject({
    code: 'not-found',
  })
})

test.each([
  ['no name', { name: ' ' }, 'name', 'required'],
  ['a long name', { name: 'x'.repeat(81) }, 'name', 'too_long'],
  ['no radius', { area: { ...circle, radiusM: 0 } }, 'area.radiusM', 'too_small'],
  ['a radius of half a continent', { area: { ...circle, radiusM: 200_001 } }, 'area.radiusM', 'too_large'],
  [
    'a place beyond the pole',
    { area: { ...circle, center: [0, 91] as [number, number] } },
    'area.center.1',
    'too_large',
  ],
  ['two corners', { area: { kind: 'outline', points: outline.points.slice(0, 2) } as Area }, 'area.points', 'too_few'],
  [
    'an outline that crosses itself',
    {
      area: {
        kind: 'outline',
        points: [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
        ],
      } as Area,
    },
    'area.points',
    'outline_crosses',
  ],
])('%s is refused at its field', async (_, wrong, field, rule) => {
  const caller = await world.as('dispatcher')
  const input = { name: 'Reef', area: circle, ...wrong } as Parameters<typeof create.run>[1]
  const refused: unknown = await caller.call(create, input).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'invalid-argument' })
  expect((refused as AppError).details.fieldIssues?.[field]?.[0]?.code).toBe(rule)
})

const fill = (caller: TestCaller, count: number) =>
  caller.transaction((tx) =>
    sql`insert into geofences (org_id, id, name, kind, geojson)
      select ${caller.orgId}, gen_random_uuid(), 'Area ' || n, 'no_go', '{"type": "Point", "coordinates": [0, 0]}'
      from generate_series(1, ${count}::int) n`.execute(tx),
  )

test('an organization has at most 200, also when several are drawn or restored at the same moment', async () => {
  const caller = await world.as('dispatcher')
  const put = { ...(await caller.call(create, { name: 'Put away', area: circle })) }
  const away = await caller.call(archive, { ...put, archived: true })
  await fill(caller, maxNoGoAreas - 1)
  const results = await Promise.allSettled([
    caller.call(archive, { ...away, archived: false }),
    ...Array.from({ length: 5 }, (_, at) => caller.call(create, { name: `Late ${at}`, area: circle })),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ details: { reason: 'too_many_no_go_areas', max: maxNoGoAreas } })
  expect((await caller.call(list, {})).areas).toHaveLength(maxNoGoAreas)
  // archiving makes room, and another organization has room of its own
  const stranger = await world.as('dispatcher')
  await stranger.call(create, { name: 'Elsewhere', area: circle })
})
