import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveFrame } from '@tour-ops/contract/live/documents'
import { livePath, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { listTours } from '@tour-ops/contract/tours/tours'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../seed/random.ts'
import { isWindows } from '../src/platform/db/embedded.ts'
import { listenTo } from '../testing/listen.ts'
import { accountOf, boardingDeparture, foundOrganization } from '../testing/accounts.ts'
import { WriteLedger } from '../testing/ledger.ts'
import { makeServerPair, type ServerPair } from '../testing/standby.ts'
import { freePort, signIn, startProgram, type Person, type Program } from '../testing/programs.ts'

// A PostgreSQL with a standby that has every commit before it is acknowledged. The first dies, somebody promotes the second, and the program,
// whose address names both, continues by itself.

const clients = 4
let pair: ServerPair
let program: Program
let orgId: string

beforeAll(async () => {
  if (isWindows) return
  pair = await makeServerPair('failover', async ({ ownerPool }) => {
    orgId = await foundOrganization(ownerPool)
  })
  pair.start('first', { synchronous_standby_names: '*' })
  pair.startStandby()
  await pair.until('first', `select from pg_stat_replication where sync_state = 'sync'`)
  program = await startProgram({
    DATA_DIR: path.join(pair.root, 'program'),
    DATABASE_URL: pair.url,
    PORT: String(await freePort()),
  })
}, 180_000)
afterAll(async () => {
  program?.child.kill('SIGKILL')
  await program?.ended
  await pair?.close()
})

test.skipIf(isWindows)(
  'a standby that is promoted is followed within seconds, and nothing acknowledged is lost',
  { timeout: 240_000 },
  async () => {
    const admin = await signIn(program.base, accountOf('admin'))
    const first = pair.poolOf('first')
    const departureIds = [await boardingDeparture(admin, first, { orgId, capacity: 1000 })]
    const ledger = new WriteLedger({ person: admin, orgId, departureIds, random: seededRandom(11) })
    const loaded = ledger.load(program.base, clients)
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 10 }).toBeGreaterThan(60)
    await first.end()

    await pair.kill('first')
    await loaded
    expect((await admin.ask(listTours, {})).kind, 'nobody is told that something was saved').toBe('refused')
    pair.promoteSecond()
    await expect
      .poll(async () => (await admin.ask(listTours, {})).kind, { timeout: 30_000, interval: 100 })
      .toBe('result')

    await ledger.repeat(program.base, 20)
    const goingOn = ledger.load(program.base, clients)
    const enough = ledger.acknowledged + 20
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 10 }).toBeGreaterThan(enough)
    ledger.stop()
    await goingOn
    const second = pair.poolOf('second')
    expect(await ledger.problems(second)).toEqual([])
    await second.end()

    // A stream of the moment before the program saw the promotion is ended; browsers reconnect, and the next stream is notified.
    expect((await hears(admin)) || (await hears(admin))).toBe(true)

    // the first returns and accepts writes as well, as long as nobody makes it a standby: its timeline is the older one
    pair.start('first')
    await pair.until('first', 'select where not pg_is_in_recovery()')
    await sleep(5_000)
    const later = await admin.call(createTraveler, { lastName: 'Later' })
    await pair.until('second', `select from travelers where id = '${later.id}'`)
  },
)

/** Whether a stream is notified of a change. False for one that has ended; one that is open and silent is an error. */
async function hears(person: Person): Promise<boolean> {
  const stream = await listenTo(program.base, person.bearer, [livePath.changes(orgId, 'travelers')])
  expect(stream.status).toBe(200)
  const { id } = await person.call(createTraveler, { lastName: 'After' })
  const isNotified = (frame: LiveFrame): boolean =>
    frame.event === 'document' && (frame.data.data as LiveChanges | null)?.ids?.includes(id) === true
  await Promise.race([stream.until(isNotified, 60_000), stream.ended])
  stream.cut()
  return stream.frames.some(({ frame }) => isNotified(frame))
}
