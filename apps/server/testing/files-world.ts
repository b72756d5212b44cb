import type { Role } from '@tour-ops/contract/identity/access'
import type { Caller } from '../src/context.ts'
import { testDatabase, type TestCaller } from './world.ts'
import { bearerOf, testServer, type TestServerOptions } from './http-server.ts'
import { filesVerbs } from '../src/platform/files/files-verbs.ts'

/** Files behind our own server, for the contract suite that every adapter of the browser passes. */
export interface FilesServer {
  readonly base: string
  member(role: Role, orgId?: string): Promise<TestCaller>
  bearerOf(caller: Caller): string
  close(): Promise<void>
}

export async function startFilesServer(
  options: Pick<TestServerOptions, 'filePlaces' | 'verifyBackendToken'> = {},
): Promise<FilesServer> {
  const world = await testDatabase()
  const server = await testServer({ services: world.services, verbs: filesVerbs, ...options })
  return {
    base: server.base,
    bearerOf,
    member: (role, orgId) => world.as(role, orgId === undefined ? {} : { orgId }),
    async close() {
      await server.close()
      await world.close()
    },
  }
}
