import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { addDeparture, importDesk, type Importer, type TestDeparture } from '../../../testing/imports.ts'

// A private departure takes one party, also from a file.

let world: TestWorld
let who: TestCaller
let importer: Importer
let own: TestDeparture
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;({ who, importer } = await importDesk(world))
  own = await addDeparture(who, { code: 'OWN-311121-0900', capacity: 8 })
  await who.transaction((tx) =>
    sql`update departures set private = true where org_id = ${who.orgId} and id = ${own.id}`.execute(tx),
  )
})

const csv = (...lines: string[]) => ['Order id;Departure;First name;Last name;Adults', ...lines].join('\n')
const line = (ref: string, name: string, adults: number) => `${ref};${own.code};${name};${adults}`
const problemsOf = async (text: string) => {
  const checked = await importer.preview(await importer.upload(text))
  const rows = await importer.rows(checked)
  return Object.fromEntries(
    rows.map(({ line: at, problems }) => [at, problems.map(({ code, params }) => `${code} ${params['left'] ?? ''}`)]),
  )
}

test('the first party of a file gets it, another one has no seat', async () => {
  expect(await problemsOf(csv(line('A-1', 'Amara;Okafor', 2), line('A-2', 'Jonas;Weber', 1)))).toEqual({
    2: [],
    3: ['no_seat 0'],
  })
})

test('its party grows with a later file, and nobody else comes to it', async () => {
  await importer.importFile(csv(line('A-1', 'Amara;Okafor', 2)))
  expect(await problemsOf(csv(line('A-1', 'Amara;Okafor', 5), line('A-2', 'Jonas;Weber', 1)))).toEqual({
    2: [],
    3: ['no_seat 0'],
  })
  await importer.importFile(csv(line('A-1', 'Amara;Okafor', 5)))
  expect(await importer.seats(own.id)).toBe(5)
  expect(await problemsOf(csv(line('A-1', 'Amara;Okafor', 9)))).toEqual({ 2: ['no_seat 3'] })
})
