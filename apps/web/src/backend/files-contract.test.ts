import type { Role } from '@tour-ops/contract/identity/access'
import { callerOfClaims } from '../../../server/src/platform/firebase/caller-of-claims.ts'
import { bucketPlaces } from '../../../server/src/platform/firebase/bucket-files.ts'
import { openBucket } from '../../../server/src/platform/firebase/storage-bucket.ts'
import { startFilesServer } from '../../../server/testing/files-world.ts'
import { workFolder } from '../../../server/src/platform/files/stored-files.ts'
import { filesContract, type FilesWorld } from './files-contract.ts'
import { filesHttp } from './files-http.ts'
import type { FilesEnvironment } from './files-requests.ts'
import { hostedWorld } from './firebase/firebase-testing.ts'

const nodeEnvironment: FilesEnvironment = {
  fetch: (input, init) => fetch(input, init),
  now: () => performance.now(),
  sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, Math.min(delayMs, 50))),
}

async function load(url: string): Promise<{ status: number; content: Buffer }> {
  const response = await fetch(url)
  return { status: response.status, content: Buffer.from(await response.arrayBuffer()) }
}

/** Our own server, whole, on a database in memory. */
async function ownServer(): Promise<FilesWorld> {
  const server = await startFilesServer()
  const apiUrl = `${server.base}/api`
  const { caller, orgId } = await server.member('admin')
  const tokenOf = async () => server.bearerOf(caller)
  return {
    async member(role) {
      const { caller } = await server.member(role, orgId)
      return filesHttp({ apiUrl, token: async () => server.bearerOf(caller), environment: nodeEnvironment })
    },
    async unreachable() {
      let nowMs = 0
      const impatient: FilesEnvironment = {
        fetch: (input, init) =>
          init?.method === 'PUT' ? Promise.reject(new TypeError('Failed to fetch')) : fetch(input, init),
        now: () => nowMs,
        sleep: async (delayMs) => void (nowMs += delayMs),
      }
      return filesHttp({ apiUrl, token: tokenOf, environment: impatient })
    },
    load: (url) => load(server.base + url),
    close: () => server.close(),
  }
}

/** The SDK of the hosted bucket, in front of a stand-in that obeys the same rules; our server stores what was checked. */
async function hosted(): Promise<FilesWorld> {
  const world = await hostedWorld()
  const server = await startFilesServer({
    filePlaces: (config) =>
      bucketPlaces(
        openBucket({
          name: world.settings.project.storageBucket,
          baseUrl: `http://127.0.0.1:${world.storage.port}`,
          accessToken: async () => 'owner',
        }),
        workFolder(config),
      ),
    verifyBackendToken: async (bearer) => {
      const claims = world.tokens.verify(bearer)
      if (!claims) throw new Error('The token is not valid.')
      return callerOfClaims(String(claims['sub']), claims)
    },
  })
  const { orgId } = await server.member('admin')
  const storeOf = async (role: Role, options: Parameters<typeof world.backend>[0] = {}) => {
    const { userId } = await server.member(role, orgId)
    const backend = world.backend({
      files: async (token, transferOf) =>
        filesHttp({ apiUrl: `${server.base}/api`, token, transferOf, environment: nodeEnvironment }),
      ...options,
    })
    await backend.signIn(await world.tokenFor(userId, orgId, role))
    return backend.files()
  }
  return {
    member: (role) => storeOf(role),
    unreachable: () =>
      storeOf('admin', {
        settings: { ...world.settings, local: { ...world.settings.local!, storage: { host: '127.0.0.1', port: 9 } } },
        uploadRetryMs: 500,
      }),
    load: (url) => load(server.base + url),
    async close() {
      await server.close()
      await world.close()
    },
  }
}

filesContract('Our own server', ownServer)
filesContract('Firebase Storage', hosted)
