import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBooking } from '@tour-ops/contract/bookings/bookings'
import type { In } from '@tour-ops/contract/callable'
import { livePath, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { inviteMembers } from '@tour-ops/contract/members/members'
import { getSession } from '@tour-ops/contract/identity/session'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { startEmbedded, type EmbeddedServer } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { listenTo, type TestListener } from '../testing/listen.ts'
import { accountOf, boardingDeparture, foundOrganization } from '../testing/accounts.ts'
import { WriteLedger } from '../testing/ledger.ts'
import { openMailbox, type Mailbox } from '../testing/mailbox.ts'
import {
  freePort,
  newDataFolder,
  postJson,
  signIn,
  startProgram,
  type Person,
  type Program,
} from '../testing/programs.ts'

// Two processes of the program on one PostgreSQL, as behind a load balancer. What main.test.ts, live and jobs show of their
// parts is not repeated: here everything runs at once, over HTTP.

const onPostgres = inject('embeddedPostgres') !== null
const name = onPostgres ? 'two processes' : 'two processes (PGlite serves one; they run with TEST_DATABASE=embedded)'

const log = pino({ level: 'silent' })
const folders: string[] = []
const programs: Program[] = []
let postgres: EmbeddedServer
let owner: pg.Pool
let mailbox: Mailbox
let orgId: string
let one: string
let two: string
let admin: Person

const newFolder = (label: string): string => {
  const folder = newDataFolder(label)
  folders.push(folder)
  return folder
}

async function startTwo(): Promise<void> {
  const { user, host, port, database } = postgres.admin
  const address = new URLSearchParams({ host: String(host), port: String(port ?? 5432), user: String(user) })
  const ports = [String(await freePort()), String(await freePort())]
  const shared = {
    DATA_DIR: newFolder('several-files'),
    DATABASE_URL: `postgres:///${database ?? 'postgres'}?${address.toString()}`,
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Fjord Walks <office@example.com>',
  }
  programs.push(...(await Promise.all(ports.map((each) => startProgram({ ...shared, PORT: each })))))
  ;[one = '', two = ''] = ports.map((each) => `http://127.0.0.1:${each}`)
}

const newSession = (base: string): Promise<Person> => signIn(base, accountOf('admin'), one)

describe.runIf(onPostgres)(name, () => {
  beforeAll(async () => {
    postgres = await startEmbedded(newFolder('several'), log)
    mailbox = await openMailbox()
    await startTwo()
    owner = makePool({ ...postgres.admin, max: 3 }, log)
    orgId = await foundOrganization(owner)
    admin = await newSession(one)
  }, 180_000)
  afterAll(async () => {
    for (const { child } of programs) child.kill('SIGKILL')
    await Promise.all(programs.map(({ ended }) => ended))
    await owner?.end()
    await mailbox?.close()
    await postgres?.stop()
    for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true })
  })

  test('a session begun on one is good on the other, is renewed there, and ends on both', async () => {
    const person = await newSession(one)
    expect((await fetch(`${two}/api/auth/token`, { headers: { cookie: person.cookie } })).status).toBe(200)
    const refresh = { grant_type: 'refresh_token', refresh_token: person.refreshToken }
    const renewed = (await (await postJson(`${two}/api/v1/token`, refresh)).json()) as { id_token: string }
    expect(await person.ask(getSession, {}, one)).toMatchObject({ kind: 'result' })
    await postJson(`${two}/api/v1/accounts:signOut`, {}, { authorization: `Bearer ${renewed.id_token}` })
    for (const base of [one, two]) {
      expect(await person.ask(getSession, {}, base)).toMatchObject({ status: 'UNAUTHENTICATED' })
    }
  })

  test('the last seats are sold once, whichever process is asked', { timeout: 60_000 }, async () => {
    const departureId = await boardingDeparture(admin, owner, { orgId, capacity: 20 })
    const asked = Array.from({ length: 100 }, (_, n) =>
      admin.ask(createBooking, oneSeat(departureId, n), n % 2 ? one : two),
    )
    const answers = await Promise.all(asked)
    expect(answers.filter(({ kind }) => kind === 'result')).toHaveLength(20)
    const refused = answers.filter((answer) => answer.kind === 'refused')
    expect(refused).toHaveLength(80)
    for (const { details } of refused) expect(details).toMatchObject({ reason: 'seats_exhausted', seatsLeft: 0 })
  })

  test('e-mails asked for on both are delivered once each', { timeout: 60_000 }, async () => {
    const addresses = Array.from({ length: 120 }, (_, n) => `guest-${n}@example.com`)
    const invite = (from: number, base: string) =>
      admin.call(inviteMembers, { emails: addresses.slice(from, from + 20), role: 'viewer' }, base)
    await Promise.all([0, 20, 40, 60, 80, 100].map((from) => invite(from, from % 40 ? one : two)))
    await expect.poll(() => mailbox.recipients.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(addresses.length)
    await sleep(500) // a second delivery would happen now
    expect(mailbox.recipients.toSorted()).toEqual(addresses.toSorted())
  })

  test(
    'one is killed: the other continues, nothing acknowledged is lost, streams continue where they were',
    { timeout: 120_000 },
    async () => {
      const departureIds = [await boardingDeparture(admin, owner, { orgId, capacity: 1000 })]
      const ledger = new WriteLedger({ person: admin, orgId, departureIds, random: seededRandom(Date.now()) })
      const targets = [livePath.changes(orgId, 'travelers')]
      const [onOne, onTwo] = await Promise.all([
        listenTo(one, admin.bearer, targets),
        listenTo(two, admin.bearer, targets),
      ])

      const before = await newTraveler(one)
      await Promise.all([onOne, onTwo].map((stream) => stream.until((frame) => idsIn(frame).includes(before))))
      const loaded = [ledger.load(one, 4), ledger.load(two, 4)]
      await expect.poll(() => ledger.acknowledged, { timeout: 30_000, interval: 10 }).toBeGreaterThan(60)
      programs[0]?.child.kill('SIGKILL')
      await programs[0]?.ended
      await loaded[0]
      const atDeath = ledger.acknowledged
      await onOne.ended
      const resumed = await listenTo(two, admin.bearer, targets, { lastEventId: onOne.lastEventId(), known: targets })
      await expect.poll(() => ledger.acknowledged, { timeout: 30_000, interval: 10 }).toBeGreaterThan(atDeath + 60)
      ledger.stop()
      await loaded[1]
      await ledger.repeat(two, 20)
      expect(await ledger.problems(owner)).toEqual([])

      const after = await newTraveler(two)
      await Promise.all([onTwo, resumed].map((stream) => stream.until((frame) => idsIn(frame).includes(after))))
      const written = await owner.query<{ id: string }>(
        'select id from travelers where org_id = $1 and last_name like $2',
        [orgId, 'Ledger %'],
      )
      const heardOnTwo = heardBy([onTwo])
      const heardAcross = heardBy([onOne, resumed])
      for (const { id } of written.rows) expect([heardOnTwo.has(id), heardAcross.has(id)], id).toEqual([true, true])
      onTwo.cut()
      resumed.cut()
      programs[1]?.child.kill('SIGTERM')
      expect(await programs[1]?.ended).toBe(0)
    },
  )
})

const oneSeat = (departureId: string, number: number): In<typeof createBooking> => ({
  departureId,
  mode: 'confirm',
  channel: 'walk_in',
  contact: { name: `Buyer ${number}` },
  units: [{ unitType: 'adult', quantity: 1 }],
})

const newTraveler = async (base: string): Promise<string> =>
  (await admin.call(createTraveler, { lastName: 'Seen' }, base)).id

type Frame = TestListener['frames'][number]['frame']

const idsIn = (frame: Frame): readonly string[] =>
  frame.event === 'document' ? ((frame.data.data as LiveChanges | null)?.ids ?? []) : []

const heardBy = (streams: readonly TestListener[]): Set<string> =>
  new Set(streams.flatMap(({ frames }) => frames.flatMap(({ frame }) => idsIn(frame))))
