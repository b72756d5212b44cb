import { fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { In } from '@tour-ops/contract/callable'
import { listTravelers } from '@tour-ops/contract/travelers'
import autocannon from 'autocannon'
import { accountOf } from '../apps/server/src/testing-boarding.ts'
import { freePort, signIn, startProgram } from '../apps/server/src/testing-programs.ts'
import { bareListProgram, type Recorded } from './bare-list-server.ts'
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
 * The list through the whole server (HTTP, token, membership, transaction, row-level security) beside a bare node:http server
 * that runs the very same statements, recorded from ours.
 */
export const travelersListBench: Bench = {
  name: 'travelers-list',
  title: 'List of 100,000 travelers, filtered and sorted',
  async run(scale) {
    const prepared = await prepareOrganization('list', (pool, orgId) =>
      fillTravelers(pool, orgId, scale === 'full' ? 100_000 : 5_000),
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

async function compare(prepared: Prepared, scale: Scale): Promise<Measure[]> {
  const bodies = queries.map((data) => JSON.stringify({ data }))
  const recorded = await recordTransactions(prepared, listTravelers.name, bodies)
  const program = await startProgram({ DATA_DIR: prepared.dataDir, PORT: String(await freePort()) })
  const { bearer } = await signIn(program.base, accountOf('dispatcher'))
  const bare = await startBare(prepared, recorded)
  try {
    const ours: Target = {
      url: `${program.base}/api/${listTravelers.name}`,
      headers: { authorization: `Bearer ${bearer}` },
    }
    const peer: Target = { url: bare.url, headers: {} }
    await sameAnswers(ours, peer, bodies)
    return await measure(ours, peer, bodies, scale)
  } finally {
    bare.stop()
    program.child.kill('SIGTERM')
    await program.ended
  }
}

async function startBare(
  prepared: Prepared,
  recorded: readonly Recorded[],
): Promise<{ url: string; stop: () => void }> {
  const { host, user, database } = prepared.application(1).options
  const child = fork(bareListProgram, { env: { BARE_LIST: JSON.stringify({ host, user, database }) } })
  child.send(recorded)
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

interface Round {
  readonly ours: number
  readonly bare: number
}

/** In turns, so that both meet the same machine; the ratio is taken within each round. */
async function measure(ours: Target, peer: Target, bodies: readonly string[], scale: Scale): Promise<Measure[]> {
  const rounds = scale === 'full' ? 7 : 2
  const one: Round[] = []
  const ten: Round[] = []
  const repeats = scale === 'full' ? 6 : 2
  for (let round = 0; round < rounds; round += 1) {
    one.push({
      ours: median(await latencies(ours, bodies, repeats)),
      bare: median(await latencies(peer, bodies, repeats)),
    })
    const seconds = scale === 'full' ? 6 : 1
    ten.push({ ours: await perSecond(ours, bodies, seconds), bare: await perSecond(peer, bodies, seconds) })
  }
  const latencyRatio = median(one.map((round) => round.bare / round.ours))
  const throughputRatio = median(ten.map((round) => round.ours / round.bare))
  const values = (of: readonly Round[], side: keyof Round): number => median(of.map((round) => round[side]))
  const name = 'bare node:http, same statements'
  return [
    {
      name: 'p50, one caller',
      value: values(one, 'ours'),
      unit: 'ms',
      against: { name, value: values(one, 'bare') },
      ratio: latencyRatio,
      goal: atLeast(latencyRatio, 0.7),
      samples: rounds * repeats * bodies.length,
    },
    {
      name: 'requests per second, ten callers',
      value: values(ten, 'ours'),
      unit: '/s',
      against: { name, value: values(ten, 'bare') },
      ratio: throughputRatio,
      goal: atLeast(throughputRatio, 0.7),
      samples: rounds,
    },
    {
      name: 'spread of the ratio over the rounds, requests per second',
      value: percentile(
        ten.map((round) => round.ours / round.bare),
        0,
      ),
      unit: `to ${percentile(
        ten.map((round) => round.ours / round.bare),
        1,
      ).toFixed(2)}`,
      samples: rounds,
    },
  ]
}

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
