import type { FileUseName, StoredFile, UploadState } from '@tour-ops/contract/files'
import type { Role } from '@tour-ops/contract/identity/access'
import type { Caller } from '../src/context.ts'
import { testDatabase, type TestCaller } from './world.ts'
import { bearerOf, testServer, type TestServer, type TestServerOptions } from './http-server.ts'
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

export interface FileAnswer<T> {
  readonly status: number
  readonly result: T
  readonly error: { status: string; message: string; details: Record<string, unknown> }
}

const pieceBytes = 1024 * 1024

/** How a browser sends files to a server of the test; it may be made later. */
export function uploadsTo(server: () => TestServer) {
  async function ask<T>(
    method: string,
    address: string,
    as: TestCaller | undefined,
    init: RequestInit = {},
  ): Promise<FileAnswer<T>> {
    const response = await server().fetch(address, { method, ...init, ...(as ? { as: as.caller } : {}) })
    return { status: response.status, ...((await response.json()) as Omit<FileAnswer<T>, 'status'>) }
  }
  const announce = (as: TestCaller | undefined, use: FileUseName, size: number, name = 'file.bin') =>
    ask<UploadState>('POST', '/api/files/uploads', as, { body: JSON.stringify({ data: { use, size, name } }) })
  const sendPiece = (as: TestCaller, { uploadId, size }: UploadState, content: Buffer, from: number, to: number) =>
    ask<UploadState>('PUT', `/api/files/uploads/${uploadId}`, as, {
      body: new Uint8Array(content.subarray(from, to)),
      headers: { 'content-range': `bytes ${from}-${to - 1}/${size}` },
    })
  const finish = (as: TestCaller, { uploadId }: UploadState) =>
    ask<StoredFile>('POST', `/api/files/uploads/${uploadId}/finish`, as)
  /** From beginning to end; the refusal where it is not begun. */
  async function upload(
    as: TestCaller,
    use: FileUseName,
    content: Buffer,
    name?: string,
  ): Promise<FileAnswer<StoredFile>> {
    const begun = await announce(as, use, content.length, name)
    if (begun.status !== 201) return { ...begun, result: undefined as unknown as StoredFile }
    for (let from = 0; from < content.length; from += pieceBytes) {
      await sendPiece(as, begun.result, content, from, Math.min(content.length, from + pieceBytes))
    }
    return finish(as, begun.result)
  }
  return { ask, announce, sendPiece, finish, upload }
}
