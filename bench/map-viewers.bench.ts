import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram, type Program } from '../apps/server/testing/programs.ts'
import { listenMany } from './listeners.ts'
import { databaseProcessor, peakMemoryMb, processorMs } from './machine.ts'
import { bytesOf, openMap } from './map-screen.ts'
import type { Bench, Measure, Scale } from './measurement.ts'
import { agentOfPhones, fillDevices, sendAtRate } from './phones.ts'
import { prepareOrganization, type Prepared } from './prepared.ts'

/** Each of them sends a fix a second. */
const phones = 1_000

/** What it costs one process that an office looks at a map on which everybody moves: 500 people and 1,000 phones with a fix a second each. */
export const mapViewersBench: Bench = {
  name: 'map-viewers',
  title: 'Positions of 1,000 phones a second, on the maps of 500 people',
  async run(scale) {
    const prepared = await prepareOrganization('map-viewers', (pool, orgId) => fillDevices(pool, orgId, phones))
    const program = await startProgram({
      DATA_DIR: prepared.dataDir,
      PORT: String(await freePort()),
      RATE_LIMIT_IP: '0',
      // all of them are one person
      RATE_LIMIT_USER: '0',
    })
    try {
      return await measure(prepared, program, scale)
    } finally {
      program.child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

/** Used in each second. */
interface Cost {
  /** Fixes that were stored. */
  readonly fixes: number
  readonly server: number
  readonly database: number
  /** Of each viewer. */
  readonly kilobytes: number
  readonly ended: number
}

async function measure({ dataDir, orgId }: Prepared, { base, child }: Program, scale: Scale): Promise<Measure[]> {
  const { bearer } = await signIn(base, accountOf('dispatcher'))
  const agent = agentOfPhones(phones)
  const databaseMs = databaseProcessor(dataDir)
  const seconds = scale === 'full' ? 20 : 5
  let sentBefore = 0
  const costOf = async (viewers: number): Promise<Cost> => {
    const open = await listenMany(viewers, () => openMap({ base, orgId, bearer }))
    // the first message of a stream holds everybody
    await sleep(2_000)
    const used = { server: processorMs(child.pid ?? 0), database: databaseMs() }
    const received = bytesOf(open)
    const startedAt = performance.now()
    await sendAtRate({ base, agent, phones, sentBefore }, { fixesPerSecond: phones, seconds }, () => Date.now())
    sentBefore += phones * seconds
    const elapsed = (performance.now() - startedAt) / 1_000
    const cost = {
      fixes: (phones * seconds) / elapsed,
      server: (processorMs(child.pid ?? 0) - used.server) / elapsed,
      database: (databaseMs() - used.database) / elapsed,
      kilobytes: (bytesOf(open) - received) / open.length / elapsed / 1_000,
      ended: open.filter(({ isEnded }) => isEnded).length,
    }
    for (const viewer of open) viewer.close()
    return cost
  }
  const people = scale === 'full' ? 500 : 50
  await costOf(1)
  const [one, many] = [await costOf(1), await costOf(people)]
  agent.destroy()
  return measuresOf(one, many, { people, memory: peakMemoryMb(child.pid ?? 0), samples: phones * seconds })
}

function measuresOf(
  one: Cost,
  many: Cost,
  { people, memory, samples }: { people: number; memory: number | null; samples: number },
): Measure[] {
  const unit = 'ms of processor a second'
  const against = (value: number) => ({ name: 'one person looks', value })
  return [
    {
      name: `fixes stored, ${people} people look`,
      value: many.fixes,
      unit: '/s',
      against: against(one.fixes),
      goal: { text: `≥ ${phones * 0.95}`, met: many.fixes >= phones * 0.95 },
      samples,
    },
    { name: `server, ${people} people look`, value: many.server, unit, against: against(one.server), samples },
    { name: `database, ${people} people look`, value: many.database, unit, against: against(one.database), samples },
    {
      name: 'to each of them',
      value: many.kilobytes,
      unit: 'kB a second',
      against: against(one.kilobytes),
      samples: people,
    },
    {
      name: 'streams that the server ended because their reader was behind',
      value: many.ended,
      unit: 'streams',
      goal: { text: 'none', met: many.ended === 0 },
      samples: people,
    },
    ...(memory === null ? [] : [{ name: 'memory of the server process, peak', value: memory, unit: 'MB', samples: 1 }]),
  ]
}
