import { createHash } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { addDutyPhones } from '../apps/server/testing/phones.ts'

// Phones of people on duty, each with a token and a connection of its own, that send fixes as the OsmAnd protocol has them.

export const devices = 500

export const tokenOf = (device: number): string => createHash('sha256').update(`device ${device}`).digest('base64url')

/** Puts them into the database, with people on duty. */
export async function fillDevices(ownerPool: Pool, orgId: string, count = devices): Promise<void> {
  await addDutyPhones(
    ownerPool,
    orgId,
    Array.from({ length: count }, (_, device) => tokenOf(device)),
  )
}

/** Whom the phones send to, each on a connection of its own. */
export interface Line {
  readonly base: string
  readonly agent: http.Agent
  /** How many phones send in turn; `devices` where it is missing. */
  readonly phones?: number
  /** How many fixes were sent before; 0 where it is missing. */
  readonly sentBefore?: number
}

export const agentOfPhones = (phones = devices): http.Agent => new http.Agent({ keepAlive: true, maxSockets: phones })

/** The nth fix of all phones in turn, moving east. @returns Milliseconds until the answer. */
function sendFix({ base, agent, phones = devices }: Line, n: number, timestamp: number): Promise<number> {
  const sentAt = performance.now()
  const device = n % phones
  const lng = -21 + device / 1000 + Math.floor(n / phones) / 100_000
  const query = `lat=64.1&lon=${lng}&timestamp=${timestamp}&speed=10&bearing=90&accuracy=5&batt=80`
  return new Promise((resolve, reject) => {
    const request = http.get(`${base}/track/${tokenOf(device)}?${query}`, { agent }, (response) => {
      response.resume()
      response.once('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - sentAt)
          : reject(new Error(`A fix was answered with ${response.statusCode}.`)),
      )
    })
    request.once('error', reject)
  })
}

/**
 * Sends at a rate whatever the answers do, and waits for all of them.
 *
 * @param timestampOf The moment of the nth fix, milliseconds; no phone may have two of the same.
 * @returns Milliseconds until each answer.
 */
export async function sendAtRate(
  { sentBefore = 0, ...line }: Line,
  { fixesPerSecond, seconds }: { readonly fixesPerSecond: number; readonly seconds: number },
  timestampOf: (n: number) => number,
): Promise<readonly number[]> {
  const answers: Promise<number>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent < seconds * fixesPerSecond;) {
    const due = Math.min(seconds * fixesPerSecond, ((performance.now() - startedAt) / 1000) * fixesPerSecond)
    for (; sent < due; sent += 1) {
      const answer = sendFix(line, sentBefore + sent, timestampOf(sentBefore + sent))
      // the caller that waits for all of them gets the error; until then it is unhandled on purpose
      answer.catch(() => undefined)
      answers.push(answer)
    }
    await sleep(5)
  }
  return Promise.all(answers)
}
