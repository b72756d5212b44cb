import { callables } from '@tour-ops/contract/callables'
import { copyLink, createLink } from '@tour-ops/contract/links/links'
import { createTraveler, revealTraveler, saveTravelerDocument } from '@tour-ops/contract/travelers/travelers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { movableClock } from '../src/platform/clock.ts'
import { testServer, type TestServer } from '../testing/http-server.ts'
import { prune } from '../src/platform/jobs/housekeeping.ts'
import { newId } from '../src/platform/ids.ts'
import { addDeparture, book, publishedTour } from '../testing/operations.ts'
import { testDatabase, type TestCaller, type TestWorld } from '../testing/world.ts'
import { verbsOf } from '../testing/verbs.ts'
import { allVerbs } from '../src/verbs.ts'

// What a second sending under an idempotency key may show, on the assembled product.

const verbOf = verbsOf(allVerbs)
const medicalNote = 'Carries an EpiPen, marker 7261'
const passport = 'XMARKER7261'

let world: TestWorld
let server: TestServer
const start = new Date()
const clock = movableClock(start)
const pass = (ms: number): void => clock.set(new Date(start.getTime() + ms))
beforeAll(async () => {
  world = await testDatabase({ clock })
  server = await testServer({ services: world.services, verbs: allVerbs, env: { DEMO: 'off' } })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const key = (): string => `key-${newId()}`

async function travelerOf(office: TestCaller): Promise<string> {
  const { id } = await office.call(verbOf(createTraveler), { lastName: 'Okafor', medicalNote })
  await office.call(verbOf(saveTravelerDocument), { travelerId: id, kind: 'passport', number: passport })
  return id
}

/** Reveals with a key, which the callable does not ask for and a client may send all the same. */
const revealBy = (member: TestCaller, id: string, idempotencyKey: string) =>
  server.call(revealTraveler, { id, fields: ['medical', 'documents'], idempotencyKey } as never, { as: member.caller })

const setRole = (member: TestCaller, role: string) =>
  world.database.ownerPool.query('update members set role = $1 where org_id = $2 and user_id = $3', [
    role,
    member.orgId,
    member.userId,
  ])

const looksAt = async (member: TestCaller, id: string): Promise<number> => {
  const { rows } = await member.transaction((tx) =>
    sql`select from audit_entries where action = 'travelers-reveal' and entity_id = ${id}`.execute(tx),
  )
  return rows.length
}

const storedText = async (): Promise<string> => {
  const { rows } = await world.database.ownerPool.query<{ text: string }>(
    `select coalesce(string_agg(k::text || encode(coalesce(answer, ''), 'escape'), ' '), '') as text from idempotency_keys k`,
  )
  return rows[0]?.text ?? ''
}

test('a reveal that comes again is checked again: recorded, and shown only to who may see it now', async () => {
  const office = await world.as('operations_manager')
  const admin = await world.as('operations_manager', { orgId: office.orgId })
  const id = await travelerOf(office)
  const again = key()
  const first = await revealBy(admin, id, again)
  expect(first).toMatchObject({ status: 200, body: { result: { medicalNote, documents: [{ number: passport }] } } })
  expect(await revealBy(admin, id, again)).toMatchObject({ status: 200 })
  expect(await looksAt(admin, id)).toBe(2)
  await setRole(admin, 'viewer')
  expect(await revealBy(admin, id, again)).toMatchObject({ status: 403 })
  expect(await revealBy(await world.as('viewer', { orgId: office.orgId }), id, again)).toMatchObject({ status: 403 })
  expect(await revealBy(await world.as('admin'), id, again)).toMatchObject({ status: 404 })
  expect(await looksAt(admin, id)).toBe(2)
})

test('a dispatcher who saw it in time does not see it again after the 48 hours', async () => {
  const office = await world.as('operations_manager')
  const dispatcher = await world.as('dispatcher', { orgId: office.orgId })
  const { tourId } = await publishedTour(office, { minPax: 0, cutoffMinutes: 0 })
  const day = Temporal.Now.plainDateISO('Atlantic/Reykjavik').add({ days: 1 }).toString()
  const departureId = await addDeparture(office, tourId, { localDate: day, startTimeLocal: '12:00' })
  const id = await travelerOf(office)
  const { guests } = await book(office, departureId, 1)
  await office.transaction((tx) =>
    sql`update manifest_entries set traveler_id = ${id} where id = ${guests[0]?.entryId}`.execute(tx),
  )
  const again = key()
  expect(await revealBy(dispatcher, id, again)).toMatchObject({ status: 200, body: { result: { medicalNote } } })
  pass(5 * 86_400_000)
  try {
    const late = await revealBy(dispatcher, id, again)
    expect(late).toMatchObject({ status: 403, body: { error: { details: { reason: 'outside_duty_window' } } } })
    expect(JSON.stringify(late.body)).not.toContain('marker')
  } finally {
    pass(0)
  }
})

test('the token of a link is repeated for 15 minutes and then never again, nor does the table show it', async () => {
  const office = await world.as('operations_manager')
  const { tourId } = await publishedTour(office, { minPax: 0, cutoffMinutes: 0 })
  const departureId = await addDeparture(office, tourId)
  const input = { kind: 'departure_guest' as const, subjectId: departureId, label: 'For guests', idempotencyKey: key() }
  const create = () => server.call(createLink, input, { as: office.caller })
  const first = await create()
  expect(first.status, JSON.stringify(first.body)).toBe(200)
  const { token, id } = first.body.result as { token: string; id: string }
  expect((await create()).body.result).toEqual(first.body.result)
  const copied = await server.call(copyLink, { id, idempotencyKey: key() }, { as: office.caller })
  const secrets = [token, (copied.body.result as { token: string }).token]
  const text = await storedText()
  for (const secret of secrets) expect(text).not.toContain(secret)
  pass(16 * 60_000)
  try {
    expect(await create()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'idempotency_answer_gone' } } },
    })
    await prune(world.services)
    const { rows } = await world.database.ownerPool.query(
      `select from idempotency_keys where callable like 'links-%' and answer is not null and org_id = $1`,
      [office.orgId],
    )
    expect(rows).toHaveLength(0)
    expect(await create()).toMatchObject({ status: 409 })
  } finally {
    pass(0)
  }
  const links = await office.transaction((tx) => sql`select from shared_links`.execute(tx))
  expect(links.rows).toHaveLength(1)
})

test('an answer that was given to another role is not repeated, and nothing is written again', async () => {
  const office = await world.as('operations_manager')
  const admin = await world.as('admin', { orgId: office.orgId })
  await world.as('admin', { orgId: office.orgId })
  const input = { lastName: 'Once', idempotencyKey: key() }
  const create = () => server.call(createTraveler, input, { as: admin.caller })
  expect(await create()).toMatchObject({ status: 200 })
  await setRole(admin, 'operations_manager')
  expect(await create()).toMatchObject({
    status: 409,
    body: { error: { details: { reason: 'idempotency_role_changed' } } },
  })
  await setRole(admin, 'viewer')
  expect(await create()).toMatchObject({ status: 403 })
  await setRole(admin, 'admin')
  expect(await create()).toMatchObject({ status: 200 })
  const { rows } = await admin.transaction((tx) => sql`select from travelers where last_name = 'Once'`.execute(tx))
  expect(rows).toHaveLength(1)
})

test('no answer is in the table in clear, whatever the callable', async () => {
  const office = await world.as('operations_manager')
  await server.call(createTraveler, { lastName: 'Okafor', idempotencyKey: key() }, { as: office.caller })
  const { rows } = await world.database.ownerPool.query<{ text: string }>(
    `select encode(answer, 'escape') as text from idempotency_keys where answer is not null`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { text } of rows) expect(text).not.toContain('"id"')
})

/** Names of fields that hold what is protected, or a secret that opens something. */
const sensitive =
  /token|secret|password|passcode|passport|medical|birth|documents?$|number_?encrypted|sealed|emergency|iban|api_?key|recovery|otp/i

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

function fieldsOf(schema: Schema): string[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(fieldsOf),
    ...(items ? fieldsOf(items) : []),
    ...anyOf.flatMap(fieldsOf),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties) : []),
  ]
}

test('every write whose answer has a field with a sensitive name says what a second sending gets', () => {
  const undecided = callables
    .filter(({ kind, repeated }) => kind === 'write' && repeated === undefined)
    .flatMap(({ name, output }) => {
      const schema = z.toJSONSchema(output, { unrepresentable: 'any', io: 'output' }) as Schema
      return fieldsOf(schema).flatMap((field) => (sensitive.test(field) ? [`${name}: ${field}`] : []))
    })
  expect(undecided).toEqual([])
  expect(callables.filter(({ kind, repeated }) => kind === 'read' && repeated !== undefined)).toEqual([])
})
