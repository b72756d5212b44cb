import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../src/platform/db/database.ts'
import { openPgliteCopy } from '../testing/databases.ts'
import { declaredRows } from '../testing/row-types/declared-rows.ts'
import { judgeRows } from '../testing/row-types/judge-rows.ts'
import { recordAnswers, takeAnswered, type Answered } from '../testing/row-types/recorder.ts'
import { readDeclaredRows, rowTypesRun } from '../testing/row-types/rows-of-run.ts'
import type { Shape } from '../testing/row-types/shapes.ts'

let database: Database
let answers: readonly Answered[]

const asked = sql`
  select name, 1 as count, count(*) over () as total, now() as at, null::text as gap, array['a', 'b'] as tags, 'open' as status,
    jsonb_build_object('guests', jsonb_build_array(jsonb_build_object('name', 'Ada'))) as party
  from organizations`
const placesWithoutRows = sql`select p.phone, p.name as place from places p`

beforeAll(async () => {
  database = await openPgliteCopy(pino({ level: 'silent' }))
  await database.ownerPool.query(`insert into organizations (org_id, name) values ('org_rows', 'Rows')`)
  recordAnswers()
  takeAnswered()
  await asked.execute(database.kysely)
  await placesWithoutRows.execute(database.kysely)
  answers = takeAnswered()
})
afterAll(() => database.close())

const string: Shape = { kinds: ['string'] }
const number: Shape = { kinds: ['number'] }
const truth: Record<string, Shape> = {
  name: string,
  count: number,
  total: number,
  at: { kinds: ['date'] },
  gap: { kinds: ['null', 'string'] },
  tags: { items: string },
  status: { literals: ['open', 'closed'] },
  party: { fields: { guests: { items: { fields: { name: string, age: { kinds: ['undefined', 'number'] } } } } } },
}

function wrongTypesOf(statement: string, fields: Readonly<Record<string, Shape>>): readonly string[] {
  const fragments = [statement]
  const declared = { place: 'here', line: 1, fragments, isPlainText: false, row: { fields } }
  return judgeRows([declared], answers).lies.map((lie) => lie.replace('here (line 1): ', ''))
}
const textOf = (statement: typeof asked): string => statement.compile(database.kysely).sql

test('a row type that matches the answer of the database is accepted', () => {
  expect(wrongTypesOf(textOf(asked), truth)).toEqual([])
})

test.each<[lie: string, Record<string, Shape | undefined>, sentence: string]>([
  ['a column that is not there', { title: string }, 'the column title is declared, and there is none'],
  ['a column left out', { name: undefined }, 'the column name is not declared'],
  ['a string for a number', { count: string }, 'count is declared string, the driver gives number'],
  ['a Date for text', { name: { kinds: ['date'] } }, 'name is declared date, the driver gives string'],
  ['text for a Date', { at: string }, 'at is declared string, the driver gives date'],
  [
    'a kind too many',
    { name: { kinds: ['string', 'number'] } },
    'name is declared string | number, the driver never gives number',
  ],
  ['a null that came', { gap: string }, 'gap is declared string, and null came'],
  ['a status that is not listed', { status: { literals: ['closed'] } }, 'status is "open", declared is "closed"'],
  ['a list of numbers', { tags: { items: number } }, 'tags[0] is "a", declared is number'],
  ['a list for one value', { name: { items: string } }, 'name is declared (string)[], the driver gives string'],
  [
    'a wrong name inside of JSON',
    { party: { fields: { guests: { items: { fields: { title: string } } } } } },
    'party.guests[0].title is missing, declared is string',
  ],
])('%s is found', (_, lie, sentence) => {
  const fields = Object.entries({ ...truth, ...lie }).filter(([, shape]) => shape !== undefined)
  expect(wrongTypesOf(textOf(asked), Object.fromEntries(fields) as Record<string, Shape>)).toContain(sentence)
})

test('a column that the table allows to be null is found without a row that has null', () => {
  const sentence = 'phone is declared string, and the column may be null'
  expect(wrongTypesOf(textOf(placesWithoutRows), { phone: string, place: string })).toEqual([sentence])
  expect(wrongTypesOf(textOf(placesWithoutRows), { phone: { kinds: ['string', 'null'] }, place: string })).toEqual([])
})

test('row types that are written out are all found in the sources', async () => {
  const server = path.resolve(import.meta.dirname, '..')
  const written = fs
    .globSync('{src,seed}/**/*.ts', { cwd: server })
    .filter((file) => !/(\.test\.ts|\/testing)/.test(file))
    .flatMap((file) =>
      [...fs.readFileSync(path.join(server, file), 'utf8').matchAll(/\bsql<\{|\.query<\{/g)].map(() => file),
    )
  const run = rowTypesRun()
  const found = run ? await readDeclaredRows(run) : declaredRows()
  for (const file of new Set(written)) {
    const count = found.filter(({ place }) => place.split(' ', 1)[0] === file).length
    expect(count, file).toBeGreaterThanOrEqual(written.filter((one) => one === file).length)
  }
  const membership = found.find(({ place }) => place === 'src/platform/membership.ts selectMembership')
  expect(membership?.row.fields?.['staffId']).toEqual({ kinds: ['null', 'string'] })
})
