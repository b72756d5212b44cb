import { startCallsServer } from '../../../server/testing/calls.ts'
import { makeCallableClient } from './callable-client.ts'
import { callsContract, type CallsWorld } from './calls-contract.ts'
import { hostedWorld } from './firebase/firebase-testing.ts'
import { makeHttpClient } from './http-client.ts'

/** Our own server on plain HTTP. */
async function ownServer(): Promise<CallsWorld> {
  const server = await startCallsServer()
  const callsAt = (base: string, bearer: string | undefined, timeoutMs?: number) => ({
    call: makeCallableClient(makeHttpClient(`${base}/api`), async () => bearer, timeoutMs),
  })
  return {
    async member(role, timeoutMs) {
      const { caller, userId } = await server.member(role)
      return { ...callsAt(server.base, server.bearerOf(caller), timeoutMs), userId }
    },
    nobody: () => callsAt(server.base, undefined),
    unreachable: () => callsAt('http://127.0.0.1:9', undefined),
    close: () => server.close(),
  }
}

/** The functions of the hosted backend by their SDK. */
async function hosted(): Promise<CallsWorld> {
  const server = await startCallsServer()
  const world = await hostedWorld(server.hosted as never)
  const dead = { ...world.settings, local: { ...world.settings.local!, functions: { host: '127.0.0.1', port: 9 } } }
  return {
    async member(role, timeoutMs) {
      const { userId, orgId } = await server.member(role)
      const backend = world.backend(timeoutMs === undefined ? {} : { timeoutMs })
      await backend.signIn(await world.tokenFor(userId, orgId, role))
      return { ...backend, userId }
    },
    nobody: () => world.backend(),
    unreachable: () => world.backend({ settings: dead }),
    async close() {
      await server.close()
      await world.close()
    },
  }
}

callsContract('Our own server', ownServer)
callsContract('Functions', hosted)
