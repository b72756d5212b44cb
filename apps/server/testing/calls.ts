import './functions.ts'
import { AppError, errorCodes } from '@tour-ops/contract/errors'
import { callable } from '@tour-ops/contract/callable'
import type { Role } from '@tour-ops/contract/identity/access'
import { onCall } from 'firebase-functions/v2/https'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Caller } from '../src/context.ts'
import { testDatabase, type TestCaller } from './world.ts'
import { callHandler } from '../src/platform/firebase/call-handler.ts'
import { verb } from '../src/platform/verb.ts'
import { bearerOf, testServer } from './http-server.ts'

// Callables for the contract suite that every adapter of the browser passes.

export const echoes = callable({
  name: 'test-echoes',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Gives back what it got.',
  input: z.object({ text: z.string().check(z.maxLength(5)), note: z.optional(z.string()) }),
  output: z.object({ text: z.string(), note: z.optional(z.string()) }),
})
export const refusesWith = callable({
  name: 'test-refuses-with',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Refuses.',
  input: z.object({ code: z.enum(errorCodes) }),
  output: z.object({}),
})
export const takesLong = callable({
  name: 'test-takes-long',
  kind: 'read',
  topics: [],
  permission: 'public',
  summary: 'Answers when nobody waits any more.',
  input: z.object({}),
  output: z.object({}),
})
export const forDispatchers = callable({
  name: 'test-for-dispatchers',
  kind: 'read',
  topics: [],
  permission: 'departures:dispatch',
  summary: 'Says who called.',
  input: z.object({}),
  output: z.object({ userId: z.string() }),
})

const verbs = [
  verb(echoes, async (_call, input) => input),
  verb(refusesWith, async (_call, { code }) => {
    throw new AppError(code, 'Not now.', { details: { reason: 'test' } })
  }),
  verb(takesLong, async () => {
    await sleep(1_500)
    return {}
  }),
  verb(forDispatchers, async (call) => ({ userId: call.caller.userId })),
]

export interface CallsServer {
  /** `http://127.0.0.1:{port}` of our own server. */
  readonly base: string
  readonly bearerOf: (caller: Caller) => string
  /** The same callables as a function of the hosted backend. */
  readonly hosted: ReturnType<typeof onCall>
  member(role: Role): Promise<TestCaller>
  close(): Promise<void>
}

export async function startCallsServer(): Promise<CallsServer> {
  const world = await testDatabase()
  const server = await testServer({ services: world.services, verbs })
  return {
    base: server.base,
    bearerOf,
    hosted: onCall({ cors: true }, callHandler({ services: world.services, verbs, publish: async () => undefined })),
    member: (role) => world.as(role),
    async close() {
      await server.close()
      await world.close()
    },
  }
}
