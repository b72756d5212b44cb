import { fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { In } from '@tour-ops/contract/callable'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import autocannon from 'autocannon'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { freePort, signIn, startProgram } from '../apps/server/testing/programs.ts'
import type pg from 'pg'
import { bareListProgram, type Recorded } from './bare-list-server.ts'
import { statementsByHand } from './list-by-hand.ts'
import { atLeast, median, percentile, type Bench, type Measure, type Scale } from './measurement.ts'
import { fillTravelers, prepareOrganization, type Prepared } from './prepared.ts'
import { recordTransactions } from './recorded-transactions.ts'

type Query = In<typeof listTravelers>

/** What people ask a long list for: pages, filters, sorting, and names as they type them. */
const queries: readonly Query[] = [
  {},
  { page: 2 },
  { page: 40 },
  { sort: [{ by: 'lastName', descending: true }] },
  { sort: [{ by: 'nationality', descending: false }] },
  { sort: [{ by: 'toursTaken', descending: true }] },
  { filters: { nationality: ['DE', 'GB'] } },
  { filters: { nationality: ['IS'], language: ['en'] }, sort: [{ by: 'createdAt', descending: true }] },
  { filters: { tag: ['vip'] }, sort: [{ by: 'name', descending: false }] },
  { filters: { flag: ['vegetarian'] } },
  { filters: { view: 'arriving' }, sort: [{ by: 'trip', descending: false }] },
  { q: 'okafor' },
  { q: 'muller' },
  { q: 'иванова' },
  { q: '王' },
  { q: 'jonsdottir-12' },
].map((query) => ({ size: 50, ...query }) as Query)

/**
 * The list through the whole server (HTTP, token, membership, transaction, row-level security) compared with a bare node:http server, which
 * runs the very same statements, recorded from ours, and then what an expert would write by hand for the same answer.
 */
export const travelersListBench: Bench = {
  name: 'travelers-list',
  title: 'List of 100,000 travelers, filtered and sorted',
  async run(scale) {
    const prepared = await prepareOrganization('list', (pool, orgId) =>
      fillTravelers(pool, orgId, scale === 'full' ? 100_000 : 5_000, { isPastTriggers: true }),
    )
    try {
      return await compare(prepared, scale)
    } finally {
      prepared.remove()
    }
  },
}

interface Target {
  readonly url: string
  readonly headers: Record<string, string>
}
interface Targets {
  readonly ours: Target
  /** Our statements behind a bare server. */
  readonly floor: Target
  /** An expert's statements behind the same server. */
  readonly hand: Target
}

async function compare(prepared: Prepared, scale: Scale): Promise<Measure[]> {
  const asked = queries.map((query) => ({ query, body: JSON.stringify({ data: query }) }))
  const bodies = asked.map(({ body }) => body)
  const recorded = await recordTransactions(prepared, listTravelers.name, bodies)
  const program = await startProgram({ DATA_DIR: prepared.dataDir, PORT: String(await freePort()) })
  const { bearer } = await signIn(program.base, accountOf('dispatcher'))
  const owner = prepared.owner()
  const byHand = await statementsByHand(owner, prepared.orgId, asked)
  const floor = await startBare(prepared.application(1), recorded)
  const hand = await startBare(owner, byHand)
  try {
    const targets: Targets = {
      ours: { url: `${program.base}/api/${listTravelers.name}`, headers: { authorization: `Bearer ${bearer}` } },
      floor: { url: floor.url, headers: {} },
      hand: { url: hand.url, headers: {} },
    }
    await sameAnswers(targets.ours, targets.floor, bodies)
    await sameAnswers(targets.ours, targets.hand, bodies)
    return [...(await measure(targets, bodies, scale)), ...(await measureGoals(targets, scale))]
  } finally {
    floor.stop()
    hand.stop()
    await owner.end()
    program.child.kill('SIGTERM')
    await program.ended
  }
}

async function startBare(
  { options: { host, user, database } }: pg.Pool,
  statements: readonly Recorded[],
): Promise<{ url: string; stop: () => void }> {
  const child = fork(bareListProgram, { env: { BARE_LIST: JSON.stringify({ host, user, database }) } })
  child.send(statements)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill('SIGKILL') }
}

/** A comparison of different answers would be worth nothing. */
async function sameAnswers(ours: Target, peer: Target, bodies: readonly string[]): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  for (const body of bodies) {
    const [a, b] = [await ask(ours, body, agent), await ask(peer, body, agent)]
    if (a.text !== b.text)
      throw new Error(`The peer answers differently: ${a.text.slice(0, 300)}\n${b.text.slice(0, 300)}`)
  }
  agent.destroy()
}

type Round = Readonly<Record<keyof Targets, number>>

const sides = ['ours', 'floor', 'hand'] as const
const nameOf = { floor: 'bare node:http, same statements', hand: 'bare node:http, hand-written statements' } as const

/** In turns, so that all meet the same machine; ratios are taken within each round. */
async function measure(targets: Targets, bodies: readonly string[], scale: Scale): Promise<Measure[]> {
  const rounds = scale === 'full' ? 7 : 2
  const repeats = scale === 'full' ? 6 : 2
  const seconds = scale === 'full' ? 6 : 1
  const one: Round[] = []
  const ten: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    one.push(await eachSide(async (side) => median(await latencies(targets[side], bodies, repeats))))
    ten.push(await eachSide((side) => perSecond(targets[side], bodies, seconds)))
  }
  const against = (of: readonly Round[], side: keyof typeof nameOf) => ({ name: nameOf[side], value: middle(of, side) })
  return (['floor', 'hand'] as const).flatMap((side): Measure[] => {
    const latencyRatio = median(one.map((round) => round[side] / round.ours))
    const ratios = ten.map((round) => round.ours / round[side])
    const throughputRatio = median(ratios)
    const isGoal = side === 'floor'
    return [
      {
        name: 'p50, one caller',
        value: middle(one, 'ours'),
        unit: 'ms',
        against: against(one, side),
        ratio: latencyRatio,
        ...(isGoal ? { goal: atLeast(latencyRatio, 0.7) } : {}),
        samples: rounds * repeats * bodies.length,
      },
      {
        name: 'requests per second, ten callers',
        value: middle(ten, 'ours'),
        unit: '/s',
        against: against(ten, side),
        ratio: throughputRatio,
        ...(isGoal ? { goal: atLeast(throughputRatio, 0.7) } : {}),
        samples: rounds,
      },
      {
        name: `spread of that ratio over the rounds, against ${nameOf[side]}`,
        value: percentile(ratios, 0),
        unit: `to ${percentile(ratios, 1).toFixed(2)}`,
        samples: rounds,
      },
    ]
  })
}

/** The two lists that are requested most. Goal: three times what another product answers on the same machine. */
const goals: readonly { name: string; query: Query; perSecond: number }[] = [
  { name: 'no filter', query: { size: 50 }, perSecond: 500 },
  { name: 'two nationalities', query: { size: 50, filters: { nationality: ['DE', 'GB'] } }, perSecond: 750 },
]

async function measureGoals(targets: Targets, scale: Scale): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const { name, query, perSecond: wanted } of goals) {
    const rounds: Round[] = []
    for (let round = 0; round < (scale === 'full' ? 5 : 1); round += 1) {
      const seconds = scale === 'full' ? 6 : 1
      rounds.push(await eachSide((side) => perSecond(targets[side], [JSON.stringify({ data: query })], seconds)))
    }
    const value = middle(rounds, 'ours')
    measures.push({
      name: `requests per second, ten callers, ${name}`,
      value,
      unit: '/s',
      against: { name: nameOf.hand, value: middle(rounds, 'hand') },
      ratio: median(rounds.map((round) => round.ours / round.hand)),
      goal: { text: `≥ ${wanted} /s`, met: value >= wanted },
      samples: rounds.length,
    })
  }
  return measures
}

async function eachSide(take: (side: keyof Targets) => Promise<number>): Promise<Round> {
  const round = { ours: 0, floor: 0, hand: 0 }
  for (const side of sides) round[side] = await take(side)
  return round
}

const middle = (of: readonly Round[], side: keyof Round): number => median(of.map((round) => round[side]))

async function perSecond({ url, headers }: Target, bodies: readonly string[], seconds: number): Promise<number> {
  const { pathname, origin } = new URL(url)
  const result = await autocannon({
    url: origin,
    connections: 10,
    duration: seconds,
    requests: bodies.map((body) => ({ method: 'POST', path: pathname, headers: { ...json, ...headers }, body })),
  })
  if (result.errors + result.timeouts + result.non2xx > 0) throw new Error(`Not every request was answered: ${url}`)
  return result.requests.total / result.duration
}

/** Milliseconds of single calls, one after the other on one connection. */
async function latencies(target: Target, bodies: readonly string[], repeats: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const taken: number[] = []
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const body of bodies) taken.push((await ask(target, body, agent)).tookMs)
  }
  agent.destroy()
  return taken
}

const json = { 'content-type': 'application/json' }

async function ask(
  { url, headers }: Target,
  body: string,
  agent: http.Agent,
): Promise<{ tookMs: number; text: string }> {
  const startedAt = performance.now()
  const request = http.request(url, {
    method: 'POST',
    agent,
    headers: { ...json, ...headers, 'content-length': Buffer.byteLength(body) },
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) text += String(chunk)
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`)
  return { tookMs: performance.now() - startedAt, text }
}
