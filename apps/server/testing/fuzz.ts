import { roles, type Role } from '@tour-ops/contract/identity/access'
import type { Callable } from '@tour-ops/contract/callable'
import { callables } from '@tour-ops/contract/callables'
import { errorCodes, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import { createLink } from '@tour-ops/contract/links/links'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { seededRandom, type Random } from '../seed/random.ts'
import { sampledTables, type Samples } from './sample-rows.ts'
import { bearerOf, testServer, type TestServer } from './http-server.ts'
import { jsonText, valueMaker, type IdSource, type Schema } from './fuzz-values.ts'
import { foreignProbes, noToken, type OwnRecords } from './foreign-inputs.ts'
import { addDeparture, boardingTour, book } from './operations.ts'
import type { TestCaller, TestWorld } from './world.ts'
import { allVerbs } from '../src/verbs.ts'
import { samplesOf } from './row-writer.ts'
import { verbsOf } from './verbs.ts'

// Every callable over HTTP with right, nearly right and hostile input, as every role, in an organization where every table has rows.

const verbOf = verbsOf(allVerbs)

export interface FuzzPlan {
  readonly seed: number
  readonly count: number
  /** One callable instead of all. */
  readonly only?: string | undefined
  /** Called for every thousandth request. */
  readonly onProgress?: ((sent: number) => void) | undefined
}

export interface FuzzFailure {
  readonly why: string
  /** Number of the request; the same seed makes the same one again. */
  readonly request: number
  readonly seed: number
  readonly callable: string
  readonly as: string
  readonly spoiled: readonly string[]
  readonly input: string
  readonly answer: string
  /** What the log says of the request. */
  readonly log: string
}

export interface FuzzReport {
  readonly failures: readonly FuzzFailure[]
  /** Requests by the status of their answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Callables that did their work at least once. */
  readonly done: ReadonlySet<string>
  /** Whether every row of another organization is as it was. */
  readonly isForeignUntouched: boolean
}

interface Row {
  readonly id: string
  readonly version: number
}

interface Scene {
  readonly world: TestWorld
  server: TestServer
  readonly people: Readonly<Record<Role, TestCaller>>
  /** Whom of the field staff the guide is. */
  readonly guideId: string
  readonly stranger: TestCaller
  readonly foreign: Samples
  readonly foreignWords: readonly string[]
  rows: ReadonlyMap<string, readonly Row[]>
  running: Running
}

/** What is under way, and the tokens of links to it. */
type Running = OwnRecords['running'] & {
  readonly guestToken: string
  readonly runSheetToken: string
  readonly linkIds: readonly string[]
}

/** Records change under the requests; what they may name is read again after this many of them. */
const requestsPerLook = 100
/** Departures end, guests are cancelled: there is a new one that boards after this many requests. */
const requestsPerDeparture = 500
/** A server of the tests keeps all of its log. */
const requestsPerServer = 5_000

/** Sends the requests of the plan and says what went wrong. */
export async function fuzz(world: TestWorld, plan: FuzzPlan): Promise<FuzzReport> {
  const scene = await openScene(world)
  const asked = plan.only === undefined ? callables : callables.filter(({ name }) => name === plan.only)
  if (asked.length === 0) throw new Error(`There is no callable ${plan.only ?? ''}.`)
  const failures: FuzzFailure[] = []
  const statuses: Record<string, number> = {}
  const done = new Set<string>()
  const foreignRows = await everythingOf(scene.stranger)
  try {
    for (let request = 0; request < plan.count; request += 1) {
      if (request > 0 && request % 1_000 === 0) plan.onProgress?.(request)
      if (request > 0 && request % requestsPerServer === 0) {
        await scene.server.close()
        scene.server = await openServer(world)
      }
      if (request % requestsPerDeparture === 0) scene.running = await startRunning(scene.people.admin)
      if (request % requestsPerLook === 0) {
        await linkGuide(scene)
        scene.rows = await readRows(scene.people.admin, scene.running.linkIds)
      }
      const random = seededRandom(plan.seed + request * 7919)
      const callable = asked[request % asked.length] as Callable
      const made = await makeRequest(scene, callable, random, request < asked.length)
      const { status, text } = await send(scene.server, callable.name, made)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 200) done.add(callable.name)
      const why = whatIsWrong(scene, callable, made.body, status, text)
      if (why === undefined) continue
      const { as, spoiled, body } = made
      const shown = { input: shorten(body, 3_000), answer: shorten(text, 1_000), log: loggedOf(scene.server, text) }
      failures.push({ why, request, seed: plan.seed, callable: callable.name, as, spoiled, ...shown })
    }
    const isForeignUntouched = (await everythingOf(scene.stranger)) === foreignRows
    return { failures, statuses, done, isForeignUntouched }
  } finally {
    await scene.server.close()
  }
}

async function openScene(world: TestWorld): Promise<Scene> {
  const admin = await world.as('admin')
  const stranger = await world.as('admin')
  const foreign = await samplesOf(stranger)
  const samples = await samplesOf(admin)
  const { orgId } = admin
  const others = await Promise.all(
    roles
      .filter((role) => role !== 'admin')
      .map((role) => world.as(role, role === 'guide' ? { orgId, staffId: samples.id('field_staff') } : { orgId })),
  )
  const people = Object.fromEntries([admin, ...others].map((person) => [person.role, person]))
  return {
    world,
    server: await openServer(world),
    people: people as Record<Role, TestCaller>,
    guideId: samples.id('field_staff'),
    stranger,
    foreign,
    foreignWords: wordsOf(stranger, foreign),
    rows: new Map(),
    running: { tourId: '', departureId: '', entryId: '', guestToken: '', runSheetToken: '', linkIds: [] },
  }
}

/** Requests unlink the guide from the field staff, who has no day then. */
const linkGuide = ({ people, guideId }: Scene): Promise<unknown> =>
  people.admin.transaction((tx) =>
    sql`update members set staff_id = ${guideId} where org_id = ${people.admin.orgId} and user_id = ${people.guide.userId} and staff_id is null`.execute(
      tx,
    ),
  )

const openServer = (world: TestWorld): Promise<TestServer> =>
  testServer({
    services: world.services,
    verbs: allVerbs,
    env: { RATE_LIMIT_IP: '0', RATE_LIMIT_USER: '0', DEMO: 'off' },
  })

/** All rows of an organization, as text. */
async function everythingOf(member: TestCaller): Promise<string> {
  const parts = sampledTables.map(
    (table) => sql`select row_to_json(t)::text as line from ${sql.table(table)} t where org_id = ${member.orgId}`,
  )
  const all = sql<{ line: string }>`${sql.join(parts, sql` union all `)} order by 1`
  const { rows } = await member.transaction((tx) => all.execute(tx))
  return rows.map(({ line }) => line).join('\n')
}

const wordsOf = (stranger: TestCaller, foreign: Samples): string[] =>
  [stranger.orgId, stranger.userId, ...[...foreign.rows.values()].flatMap((row) => Object.values(row))].filter(
    (value): value is string => typeof value === 'string' && /[0-9a-f]{8}-[0-9a-f]{4}-7/.test(value),
  )

/** A departure that boards, with a link for its guide, and a later one of its tour with a party on hold, and a link for that. */
async function startRunning(admin: TestCaller): Promise<Running> {
  const running = await boardingTour(admin, 3)
  const laterId = await addDeparture(admin, running.tourId)
  const contact = { name: 'Amara Okafor', email: 'amara@example.com' }
  const { id } = await book(admin, laterId, 2, { mode: 'hold', contact })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const link = (kind: 'booking_guest' | 'staff_runsheet', subjectId: string) =>
    admin.call(verbOf(createLink), {
      kind,
      subjectId,
      label: 'Probe',
      expiresAt,
      scopes: { checkin: kind === 'staff_runsheet', details: true },
    })
  const guest = await link('booking_guest', id)
  const runSheet = await link('staff_runsheet', running.departureId)
  return { ...running, guestToken: guest.token, runSheetToken: runSheet.token, linkIds: [guest.id, runSheet.id] }
}

/** Newest records of every table with their versions, without those that no request may end. */
async function readRows(admin: TestCaller, kept: readonly string[]): Promise<ReadonlyMap<string, readonly Row[]>> {
  const read = await admin.transaction(async (tx) => {
    const tables: [string, readonly Row[]][] = []
    for (const table of sampledTables) {
      const whole = sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) as row from ${sql.table(table)} t where org_id = ${admin.orgId} limit 40`
      const { rows } = await whole.execute(tx)
      const known = rows.flatMap(({ row: { id, version } }) =>
        typeof id === 'string' && !kept.includes(id)
          ? [{ id, version: typeof version === 'number' ? version : 1 }]
          : [],
      )
      tables.push([table, known.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 12)])
    }
    return tables
  })
  return new Map(read)
}

interface MadeRequest {
  readonly as: string
  readonly bearer: string | undefined
  readonly spoiled: readonly string[]
  readonly body: string
}

/** One request; a right one is of somebody who may send it, with the records that the callable works on. */
async function makeRequest(scene: Scene, callable: Callable, random: Random, isRight: boolean): Promise<MadeRequest> {
  const person = scene.people[isRight ? whoMay(callable) : random.chance(0.5) ? 'admin' : random.pick(roles)]
  const isNobody = isRight ? isOfGuests(callable) : random.chance(0.02)
  const schema = schemaOf(callable)
  const own = ownRecords(scene, random)
  const maker = valueMaker(random, idSource(scene, callable, random))
  const probe = foreignProbes[callable.name]?.input
  let input: unknown = probe && (isRight || random.chance(0.7)) ? { ...probe(own) } : maker.right(schema, '')
  const spoiled: string[] = []
  for (let times = isRight ? 0 : random.pick([0, 0, 1, 1, 1, 2]); times > 0; times -= 1) {
    const next = maker.spoil(schema, input)
    input = next.value
    spoiled.push(next.spoiled)
  }
  const { guestToken, runSheetToken } = scene.running
  const token = callable.name.startsWith('duty-') ? runSheetToken : guestToken
  const text = jsonText(input === undefined ? null : input).replaceAll(noToken, token)
  return {
    as: isNobody ? 'nobody' : person.role,
    bearer: isNobody ? undefined : bearerOf(person.caller),
    spoiled,
    body: `{"data":${await withVersions(scene, own.versionsAsked, text)}}`,
  }
}

/** A phone's day is a guide's; everything else, also what the office does of it, is open to an administrator. */
const whoMay = ({ name }: Callable): Role => (name.startsWith('duty-') && !name.endsWith('-for') ? 'guide' : 'admin')

/** What the holders of a link do, without an account: members only look. */
const isOfGuests = ({ name }: Callable): boolean => name.startsWith('share-')

const schemas = new Map<Callable, Schema>()

function schemaOf(callable: Callable): Schema {
  const known = schemas.get(callable)
  if (known) return known
  const made = z.toJSONSchema(callable.input, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
  schemas.set(callable, made)
  return made
}

interface AskedVersion {
  readonly table: string
  readonly id: string
}

/** Stands for the first version that an input asks for until the request is complete; the second is one less, and so on, of as many digits. */
const firstMark = -777_000_100

type MarkedRecords = OwnRecords & { readonly versionsAsked: readonly AskedVersion[] }

function ownRecords(scene: Scene, random: Random): MarkedRecords {
  const chosen = new Map<string, string>()
  const idOf = (table: string): string => {
    const row = scene.rows.get(table)?.length ? random.pick(scene.rows.get(table) ?? []) : undefined
    const id = chosen.get(table) ?? row?.id ?? table
    chosen.set(table, id)
    return id
  }
  const member = random.pick(Object.values(scene.people)).userId
  const versionsAsked: AskedVersion[] = []
  const version = (table: string, id?: string): number => {
    const known = table === 'org_settings' ? scene.people.admin.orgId : table === 'members' ? member : idOf(table)
    versionsAsked.push({ table, id: id ?? known })
    return firstMark - versionsAsked.length + 1
  }
  return { userId: member, id: idOf, version, running: scene.running, versionsAsked }
}

/** The text of an input with the present versions of our records where it asked for them. */
async function withVersions(scene: Scene, asked: readonly AskedVersion[], text: string): Promise<string> {
  const versions = await Promise.all(asked.map((record) => versionOf(scene, record)))
  return versions.reduce((body, version, place) => body.replaceAll(String(firstMark - place), String(version)), text)
}

const keyColumns: Readonly<Record<string, string>> = { members: 'user_id', org_settings: 'org_id' }

/** The version that our record has now; 1 for anything else. */
async function versionOf(scene: Scene, { table, id }: AskedVersion): Promise<number> {
  const statement = sql<{ version: number | null }>`
    select to_jsonb(t) -> 'version' as version from ${sql.table(table)} t
     where org_id = ${scene.people.admin.orgId} and ${sql.ref(keyColumns[table] ?? 'id')}::text = ${id}`
  const { rows } = await scene.people.admin.transaction((tx) => statement.execute(tx))
  return rows[0]?.version ?? 1
}

function idSource({ rows, foreign, running }: Scene, callable: Callable, random: Random): IdSource {
  const fields = foreignProbes[callable.name]?.fields ?? {}
  const tableOf = (path: string): string | undefined =>
    Object.entries(fields).find(([field]) => field.replaceAll(/\.\d+/g, '.*') === path)?.[1]
  const anyTable = (): string => random.pick([...rows].flatMap(([table, known]) => (known.length > 0 ? [table] : [])))
  return {
    own: (path) => {
      const table = tableOf(path) ?? anyTable()
      if (table === 'departures' && random.chance(0.4)) return running.departureId
      const known = rows.get(table) ?? []
      return known.length > 0 ? random.pick(known).id : running.tourId
    },
    foreign: (path) => {
      const id = foreign.rows.get(tableOf(path) ?? anyTable())?.['id']
      return typeof id === 'string' ? id : foreign.id('tours')
    },
  }
}

async function send(server: TestServer, name: string, made: MadeRequest): Promise<{ status: number; text: string }> {
  const response = await server.fetch(`/api/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(made.bearer === undefined ? {} : { authorization: `Bearer ${made.bearer}` }),
    },
    body: made.body,
  })
  return { status: response.status, text: await response.text() }
}

const inside =
  /\bat (async )?[\w.<>]+ \(|node_modules|\.ts:\d+|\b(select|insert into|update|delete from) .+ (from|values|set|where) |violates|(relation|column) "[^"]*" (of|does)|syntax error|invalid input|22P0|ECONN/i

/** What must not be, of one answer; undefined when it is as it should be. */
function whatIsWrong(scene: Scene, callable: Callable, body: string, status: number, text: string): string | undefined {
  const words = scene.foreignWords.filter((word) => text.includes(word) && !body.toLowerCase().includes(word))
  if (words.length > 0) return `names what belongs to another organization: ${words.join(', ')}`
  const answer = JSON.parse(text) as {
    result?: unknown
    error?: { status: string; message: string; details: { fieldErrors?: object; reason?: string } }
  }
  if (status === 200) {
    const parsed = callable.output.safeParse(answer.result)
    return parsed.success
      ? undefined
      : `the answer has not its shape: ${shorten(JSON.stringify(parsed.error.issues), 600)}`
  }
  const { error } = answer
  const code = errorCodes.find((each) => wireStatusOf(each) === error?.status)
  if (!error || !code || httpStatusOf[code] !== status) return 'is no refusal of ours'
  const { fieldErrors = {}, reason } = error.details
  // sample rows hold bytes that no key has encrypted
  if (reason === 'data_key_missing') return undefined
  if (['internal', 'unavailable', 'deadline-exceeded', 'unimplemented'].includes(code)) return code
  if (code === 'invalid-argument' && Object.keys(fieldErrors).length === 0 && reason === undefined) {
    return 'a refusal of the input that names neither field nor reason'
  }
  if (inside.test(error.message)) return 'says something of our insides'
  return undefined
}

function loggedOf(server: TestServer, answer: string): string {
  const requestId = /"requestId":"([^"]+)"/.exec(answer)?.[1]
  const line = server.lines.find((each) => each['requestId'] === requestId && each['err'] !== undefined)
  return requestId === undefined || line === undefined ? '' : shorten(JSON.stringify(line['err']), 1_500)
}

const shorten = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text
