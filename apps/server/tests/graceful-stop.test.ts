import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pino } from 'pino'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { afterAll, expect, test } from 'vitest'
import { migrateDatabase, openDatabase } from '../src/platform/db/database.ts'
import { startEmbedded } from '../src/platform/db/launcher.ts'
import { makePool } from '../src/platform/db/pool.ts'
import { accountOf, foundOrganization } from '../testing/accounts.ts'
import { newDataFolder, signIn, startProgram, type Program } from '../testing/programs.ts'

// A stop behind a load balancer, on the embedded PostgreSQL: writers on keep-alive connections are sent elsewhere, and none is cut off.

const writers = 24
const log = pino({ level: 'silent' })
const dataDir = newDataFolder('graceful-stop')
let program: Program | undefined
afterAll(async () => {
  program?.child.kill('SIGKILL')
  await program?.ended
  await (await startEmbedded(dataDir, log)).stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  /** Whether the server asked to send the next request elsewhere. */
  readonly isLast: boolean
}

/** One request on the agent's only connection. Rejects when the connection breaks, before or in the middle of the answer. */
function post(agent: http.Agent, address: string, bearer: string, data: object): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const request = http.request(address, { method: 'POST', agent, headers }, (response) => {
    const answer = { status: response.statusCode ?? 0, isLast: response.headers.connection === 'close' }
    response.once('end', () => resolve(answer)).once('error', reject)
    response.resume()
  })
  request.once('error', reject).end(JSON.stringify({ data }))
  return promise
}

/** Writes until the server says that this connection is over. */
async function writeUntilSentAway(
  base: string,
  bearer: string,
  writer: number,
  acknowledged: string[],
): Promise<string> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (let n = 0; ; n += 1) {
      const lastName = `Writer ${writer} ${n}`
      const { status, isLast } = await post(agent, `${base}/api/${createTraveler.name}`, bearer, { lastName })
      if (status === 200) acknowledged.push(lastName)
      else if (status !== 503) return `answered ${status}`
      if (isLast) return 'sent elsewhere'
    }
  } catch (error) {
    return `cut off: ${(error as NodeJS.ErrnoException).code}`
  } finally {
    agent.destroy()
  }
}

test(`a stop says so first, and ${writers} writers lose nothing`, { timeout: 120_000 }, async () => {
  const prepared = await openDatabase({ dataDir, embeddedEngine: 'postgres', log })
  await migrateDatabase(prepared, log)
  const orgId = await foundOrganization(prepared.ownerPool)
  await prepared.close()
  program = await startProgram({ DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS: '5' })
  const { base, child } = program
  const { bearer } = await signIn(base, accountOf('admin'))

  const acknowledged: string[] = []
  const writing = Array.from({ length: writers }, (_, n) => writeUntilSentAway(base, bearer, n, acknowledged))
  await expect.poll(() => acknowledged.length).toBeGreaterThan(writers)
  child.kill('SIGTERM')
  const readiness = async () => (await fetch(`${base}/readyz`)).status
  await expect.poll(readiness, { interval: 5 }).toBe(503)
  expect(await Promise.all(writing)).toEqual(Array.from({ length: writers }, () => 'sent elsewhere'))
  expect(await program.ended).toBe(0)

  const server = await startEmbedded(dataDir, log)
  const owner = makePool({ ...server.admin, database: 'tour_operations', max: 1 }, log)
  const { rows } = await owner.query<{ name: string }>('select last_name as name from travelers where org_id = $1', [
    orgId,
  ])
  await owner.end()
  await server.stop()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(acknowledged.toSorted())
  expect(fs.existsSync(path.join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
})
