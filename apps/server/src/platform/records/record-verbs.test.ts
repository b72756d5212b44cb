import { records } from '@tour-ops/contract/callables'
import { isChoice, type PlainRecord, type RecordRow } from '@tour-ops/contract/record'
import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { AppError } from '@tour-ops/contract/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPlace } from '../../../testing/operations.ts'
import { sampleInput } from '../../../testing/records.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { allVerbs } from '../../verbs.ts'

const verbOf = verbsOf(allVerbs)
let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

let count = 0
/** A record of each kind, distinguished by its line fields, which may have to be unique. */
async function add(caller: TestCaller, record: PlainRecord, title?: string): Promise<string> {
  count += 1
  const lines = Object.entries(record.fields).filter(([, { kind, isRequired }]) => kind === 'line' && isRequired)
  const input = {
    ...sampleInput(record),
    ...Object.fromEntries(lines.map(([name]) => [name, `Probe ${count}`])),
    ...(title !== undefined && { [record.title]: title }),
  }
  return (await caller.call(verbOf(record.create), input)).id
}
const listed = async (caller: TestCaller, record: PlainRecord, more: object = {}): Promise<string[]> =>
  (await caller.call(verbOf(record.list), { q: '', sort: [], page: 1, size: 100, ...more })).rows.map(({ id }) => id)
const read = (caller: TestCaller, record: PlainRecord, id: string): Promise<RecordRow> =>
  caller.call(verbOf(record.get), { id })
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) =>
      error instanceof AppError ? `${error.code} ${error.details['reason'] ?? ''}`.trim() : 'thrown',
  )

describe.each(records.map((record) => ({ record, name: record.name })))('$name', ({ record }) => {
  test('what was written is read again, by its id and in the list', async () => {
    const caller = await world.as('admin')
    const id = await add(caller, record, 'Ärmel')
    const row = await read(caller, record, id)
    expect(row).toMatchObject({ id, version: 1, archivedAt: null, [record.title]: 'Ärmel' })
    const { rows, total } = await caller.call(verbOf(record.list), { q: 'armel', sort: [], page: 1, size: 10 })
    expect({ rows, total }).toEqual({ rows: [row], total: 1 })
    expect(await listed(caller, record, { q: 'nothing like it' })).toEqual([])
  })

  test('a change counts only for who has seen the last one', async () => {
    const caller = await world.as('admin')
    const id = await add(caller, record)
    const {
      id: _id,
      version: _version,
      labels: _labels,
      archivedAt: _at,
      ...fields
    } = (await read(caller, record, id)) as RecordRow & Record<string, unknown>
    const known = Object.fromEntries(Object.keys(record.fields).map((name) => [name, fields[name]]))
    const change = (version: number) =>
      codeOf(caller.call(verbOf(record.update), { id, version, ...known, [record.title]: 'Changed' }))
    expect([await change(1), await change(1)]).toEqual(['done', 'aborted version_conflict'])
    expect(await read(caller, record, id)).toMatchObject({ version: 2, [record.title]: 'Changed' })
  })

  test('archived ones are out of the list until somebody asks for them or puts them back', async () => {
    const caller = await world.as('admin')
    const id = await add(caller, record)
    const archive = (version: number, archived: boolean) =>
      caller.call(verbOf(record.archive), { id, version, archived })
    await archive(1, true)
    expect(await listed(caller, record)).toEqual([])
    expect(await listed(caller, record, { filters: { archived: true } })).toEqual([id])
    await archive(2, false)
    expect(await listed(caller, record)).toEqual([id])
  })

  test('every sort and every filter of a choice is answered', async () => {
    const caller = await world.as('admin')
    const id = await add(caller, record)
    for (const by of record.sort)
      expect(await listed(caller, record, { sort: [{ by, descending: true }] })).toEqual([id])
    for (const name of record.filters) {
      const field = record.fields[name]
      if (!field || !isChoice(field)) continue
      const [first, ...others] = field.options
      expect(await listed(caller, record, { filters: { [name]: [first] } })).toEqual([id])
      expect(await listed(caller, record, { filters: { [name]: others } })).toEqual([])
    }
  })

  test('the export has the filtered rows and a column for each field', async () => {
    const caller = await world.as('admin')
    await add(caller, record, 'Exported')
    await add(caller, record, 'Left out')
    const { csv, rows } = await caller.call(verbOf(record.export), { q: 'exported', sort: [] })
    expect(rows).toBe(1)
    expect(csv.split('\r\n')[0]?.split(',')).toHaveLength(Object.keys(record.fields).length)
    expect(csv).toContain('Exported')
  })

  test('who may read may not write, and who is of another organization finds nothing', async () => {
    const caller = await world.as('admin')
    const id = await add(caller, record)
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    expect(await listed(viewer, record)).toEqual([id])
    expect(await codeOf(add(viewer, record))).toBe('permission-denied missing_permission')
    const stranger = await world.as('admin')
    expect(await codeOf(read(stranger, record, id))).toBe('not-found not_found')
    expect(await listed(stranger, record)).toEqual([])
  })
})

describe('equipment', () => {
  test('sorts choices in their order, bases by their name, and shows the name', async () => {
    const caller = await world.as('admin')
    const [depot, airport] = [await addPlace(caller, 'Depot'), await addPlace(caller, 'Airport')]
    const input = { name: 'A', kind: 'radio', quantity: 1 } as const
    const create = verbOf(equipmentRecord.create)
    const broken = await caller.call(create, { ...input, condition: 'broken', basePlaceId: airport })
    const good = await caller.call(create, { ...input, name: 'B', condition: 'good', basePlaceId: depot })
    const sorted = (by: 'condition' | 'basePlaceId') => listed(caller, equipmentRecord, { sort: [{ by }] })
    expect(await sorted('condition')).toEqual([good.id, broken.id])
    expect(await sorted('basePlaceId')).toEqual([broken.id, good.id])
    expect(await listed(caller, equipmentRecord, { filters: { basePlaceId: [depot] } })).toEqual([good.id])
    expect((await read(caller, equipmentRecord, good.id)).labels).toEqual({ basePlaceId: 'Depot' })
  })

  test('needs a base that there is', async () => {
    const caller = await world.as('admin')
    const stranger = await world.as('admin')
    const basePlaceId = await addPlace(stranger, 'Theirs')
    const input = { name: 'A', kind: 'radio', quantity: 1, basePlaceId } as const
    expect(await codeOf(caller.call(verbOf(equipmentRecord.create), input))).toBe('not-found reference_missing')
  })
})
