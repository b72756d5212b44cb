import { livePath } from '@tour-ops/contract/live/live-paths'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram } from '../apps/server/testing/programs.ts'
import { listenMany, watch } from './listeners.ts'
import { residentMemoryMb } from './machine.ts'
import { atMost, percentile, type Bench, type Measure } from './measurement.ts'
import { agentOfPhones, devices, fillDevices, sendAtRate } from './phones.ts'
import { prepareOrganization } from './prepared.ts'

const fixesPerSecond = 200
const viewers = 20
/** The first minutes fill caches and let the engine compile; what comes after them must not grow. */
const warmUpMinutes = 5
/** Growth in an hour. 720,000 fixes of 100 bytes each would be 69 MB: no memory may be kept per fix. */
const growthGoalMb = 50

/** The memory of the server after each minute of phones that send and people who look at them. */
export const positionsMemoryBench: Bench = {
  name: 'positions-memory',
  title: 'Memory while positions come in',
  isOnlyByName: true,
  async run(scale) {
    const minutes = scale === 'full' ? 30 : 2
    const prepared = await prepareOrganization('positions-memory', fillDevices)
    const program = await startProgram({
      DATA_DIR: prepared.dataDir,
      PORT: String(await freePort()),
      RATE_LIMIT_IP: '0',
      RATE_LIMIT_USER: '0',
    })
    const { base, child } = program
    const owner = prepared.owner()
    const agent = agentOfPhones()
    try {
      const { bearer } = await signIn(base, accountOf('dispatcher'))
      const target = JSON.stringify({ targets: [livePath.positions(prepared.orgId)] })
      let heard = 0
      const closeViewers = await listenMany(viewers, () =>
        watch(`${base}/api/live/listen`, { authorization: `Bearer ${bearer}` }, target, (text) => {
          heard += text.length
        }),
      )
      const memory = [residentMemoryMb(child.pid ?? 0) ?? 0]
      for (let minute = 1; minute <= minutes; minute += 1) {
        const sentBefore = (minute - 1) * 60 * fixesPerSecond
        await sendAtRate({ base, agent, sentBefore }, { fixesPerSecond, seconds: 60 }, () => Date.now())
        memory.push(residentMemoryMb(child.pid ?? 0) ?? 0)
        console.log(`minute ${minute}: ${memory.at(-1)?.toFixed(0)} MB, ${(heard / 1e6).toFixed(0)} MB heard`)
      }
      for (const close of closeViewers) close()
      const { rows } = await owner.query<{ stored: number }>(
        'select count(*)::int as stored from positions where org_id = $1',
        [prepared.orgId],
      )
      return measuresOf(memory, { stored: rows[0]?.stored ?? 0, sent: minutes * 60 * fixesPerSecond, heard })
    } finally {
      agent.destroy()
      await owner.end()
      child.kill('SIGTERM')
      await program.ended
      prepared.remove()
    }
  },
}

interface Passed {
  readonly stored: number
  readonly sent: number
  /** Characters that all viewers were sent. */
  readonly heard: number
}

/** @param memory Megabytes, at the start and after each minute. */
function measuresOf(memory: readonly number[], { stored, sent, heard }: Passed): Measure[] {
  const warm = memory.slice(Math.min(warmUpMinutes, memory.length - 2))
  const growth = slopeOf(warm) * 60
  const samples = warm.length
  return [
    {
      name: `growth in an hour, after the first ${warmUpMinutes} minutes`,
      value: growth,
      unit: 'MB',
      samples,
      goal: atMost(growth, growthGoalMb, 'MB'),
    },
    { name: 'memory of the server, at the start', value: memory[0] ?? 0, unit: 'MB', samples: 1 },
    { name: 'after it, median', value: percentile(warm, 0.5), unit: 'MB', samples },
    { name: 'after it, most', value: Math.max(...warm), unit: 'MB', samples },
    {
      name: `fixes of ${devices} phones, ${fixesPerSecond} a second, that are stored`,
      value: stored,
      unit: 'fixes',
      samples: sent,
      goal: { text: `all ${sent.toLocaleString('en-US')}`, met: stored === sent },
    },
    { name: `sent to ${viewers} people who look at the map`, value: heard / 1e6, unit: 'MB', samples: viewers },
  ]
}

/** Change from one value to the next, of the line that lies closest to them (least squares). */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const over = values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0)
  return over / values.reduce((sum, _value, n) => sum + (n - middle) ** 2, 0)
}
