import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePath, type LiveChanges } from '@tour-ops/contract/live-paths'
import { listTours } from '@tour-ops/contract/tours'
import { createTraveler } from '@tour-ops/contract/travelers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { migrateDatabase, openDatabase } from './platform/db/database.ts'
import { chooseAccount, isWindows, preparePrograms, type Account, type Programs } from './platform/db/embedded.ts'
import { makePool } from './platform/db/pool.ts'
import { listenTo } from './platform/live/listen-testing.ts'
import { accountOf, boardingDeparture, foundOrganization } from './testing-boarding.ts'
import { WriteLedger } from './testing-ledger.ts'
import { freePort, newDataFolder, signIn, startProgram, type Program } from './testing-programs.ts'

// A PostgreSQL with a standby that has every commit before it is acknowledged. The first dies, somebody promotes the second, and the program,
// whose address names both, goes on by itself.

const log = pino({ level: 'silent' })
const clients = 4
const root = isWindows ? '' : newDataFolder('failover')
let account: Account
let programs: Programs
let ports: readonly [first: number, second: number]
let program: Program
let orgId: string
const servers: ChildProcess[] = []

const folderOf = (name: string): string => path.join(root, name, 'postgres')
const toolOf = (name: string): string => path.join(programs.folder, 'bin', name)
const asAccount = (): SpawnOptions => ({
  ...(account.uid === undefined ? {} : { uid: account.uid }),
  ...(account.gid === undefined ? {} : { gid: account.gid }),
  cwd: os.tmpdir(),
})
const addressOf = (port: number) => ({ host: '127.0.0.1', port, user: 'app_owner', database: 'tour_operations' })

function startPostgres(name: string, port: number, settings: Readonly<Record<string, string>>): ChildProcess {
  const given = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const options = Object.entries(given).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
  const server = spawn(toolOf('postgres'), ['-D', folderOf(name), ...options], { ...asAccount(), stdio: 'ignore' })
  servers.push(server)
  return server
}

/** Asks until the server answers so. */
async function until(port: number, query: string): Promise<void> {
  const pool = makePool({ ...addressOf(port), max: 1 }, log)
  const answers = () => pool.query(query).then(({ rowCount }) => rowCount === 1)
  while (!(await answers().catch(() => false))) await sleep(100)
  await pool.end()
}

beforeAll(async () => {
  if (isWindows) return
  const database = await openDatabase({ dataDir: path.join(root, 'first'), embeddedEngine: 'postgres', log })
  await migrateDatabase(database, log)
  orgId = await foundOrganization(database.ownerPool)
  await database.close()
  account = await chooseAccount(folderOf('first'))
  programs = await preparePrograms(account)
  ports = [await freePort(), await freePort()]
  fs.cpSync(folderOf('first'), folderOf('second'), { recursive: true, preserveTimestamps: true })
  fs.writeFileSync(path.join(folderOf('second'), 'standby.signal'), '')
  if (account.uid !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folderOf('second')])

  startPostgres('first', ports[0], { synchronous_standby_names: '*' })
  startPostgres('second', ports[1], { primary_conninfo: `host=127.0.0.1 port=${ports[0]} user=app_owner` })
  await until(ports[0], `select from pg_stat_replication where sync_state = 'sync'`)
  program = await startProgram({
    DATA_DIR: path.join(root, 'program'),
    DATABASE_URL: `postgres://app_owner@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/tour_operations`,
    PORT: String(await freePort()),
  })
}, 180_000)
afterAll(async () => {
  program?.child.kill('SIGKILL')
  await program?.ended
  for (const server of servers) {
    if (server.exitCode !== null || server.signalCode !== null) continue
    server.kill('SIGQUIT')
    await once(server, 'exit')
  }
  if (root) fs.rmSync(root, { recursive: true, force: true })
}, 60_000)

test.skipIf(isWindows)(
  'a standby that is promoted is followed within seconds, and nothing acknowledged is lost',
  { timeout: 240_000 },
  async () => {
    const admin = await signIn(program.base, accountOf('admin'))
    const first = makePool({ ...addressOf(ports[0]), max: 1 }, log)
    const departureIds = [await boardingDeparture(admin, first, { orgId, capacity: 1000 })]
    const ledger = new WriteLedger({ person: admin, orgId, departureIds, random: seededRandom(11) })
    const loaded = ledger.load(program.base, clients)
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 10 }).toBeGreaterThan(60)
    await first.end()

    const [primary] = servers
    primary?.kill('SIGQUIT') // at once and without a last word to the standby
    await loaded
    expect((await admin.ask(listTours, {})).kind, 'nobody is told that something was saved').toBe('refused')
    execFileSync(toolOf('pg_ctl'), ['promote', '-D', folderOf('second'), '-w'], { ...asAccount(), stdio: 'ignore' })
    await expect
      .poll(async () => (await admin.ask(listTours, {})).kind, { timeout: 30_000, interval: 100 })
      .toBe('result')

    await ledger.repeat(program.base, 20)
    const goingOn = ledger.load(program.base, clients)
    const enough = ledger.acknowledged + 20
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 10 }).toBeGreaterThan(enough)
    ledger.stop()
    await goingOn
    const second = makePool({ ...addressOf(ports[1]), max: 1 }, log)
    expect(await ledger.problems(second)).toEqual([])
    await second.end()

    const target = livePath.changes(orgId, 'travelers')
    const stream = await listenTo(program.base, admin.bearer, [target])
    const { id } = await admin.call(createTraveler, { lastName: 'After' })
    const heard = () =>
      stream.frames.some(
        ({ frame }) => frame.event === 'document' && (frame.data.data as LiveChanges | null)?.ids?.includes(id),
      )
    await expect.poll(heard, { timeout: 60_000 }).toBe(true)
    stream.cut()

    // the first comes back and takes writes as well, as long as nobody makes it a standby: its timeline is the older one
    startPostgres('first', ports[0], {})
    await until(ports[0], 'select where not pg_is_in_recovery()')
    await sleep(5_000)
    const later = await admin.call(createTraveler, { lastName: 'Later' })
    await until(ports[1], `select from travelers where id = '${later.id}'`)
  },
)
