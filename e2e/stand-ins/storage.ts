import { randomUUID } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { roles, scopeOf, type Role } from '@tour-ops/contract/identity/access'
import { fileUseNames, fileUses } from '@tour-ops/contract/files'
import { allowEveryOrigin } from './firestore.ts'
import type { Claims } from './tokens.ts'

export interface StorageStandIn {
  readonly port: number
  /** Names of the objects that are complete. */
  names(): string[]
  /** Content of an object. */
  at(name: string): Buffer | undefined
  /** How many pieces of resumable uploads have arrived. */
  readonly pieces: number
  /** Until it is called again with null, browsers are refused with this status. */
  refuseAll(status: number | null): void
  /** Called before a piece is taken; what it returns is waited for. */
  onPiece: () => Promise<void> | void
  close(): Promise<void>
}

export interface StorageOptions {
  /** Verifies a bearer; undefined for one that is not valid. */
  readonly verify: (bearer: string) => Claims | undefined
  /** The role that the database of live documents names for a member, as the rules look it up. */
  readonly roleOf: (orgId: string, userId: string) => unknown
  readonly port?: number
}

interface Kept {
  readonly content: Buffer
  readonly createdAt: string
}

class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number) {
    super(`refused with ${status}`)
    this.status = status
  }
}

/**
 * Firebase Storage in memory: the addresses that the browser's SDK uses (`/v0/b/…`), and those of Cloud Storage's JSON interface
 * for the server (`/storage/v1/b/…`). No rules language: the contract's table, as `deploy/firebase/storage.rules` has it. Test equipment.
 *
 * @see https://cloud.google.com/storage/docs/json_api
 */
export async function startStorage({ verify, roleOf, port }: StorageOptions): Promise<StorageStandIn> {
  const objects = new Map<string, Kept>()
  const uploads = new Map<string, { name: string; size: number; content: Buffer }>()
  let refusal: number | null = null
  const keep = (name: string, content: Buffer) => {
    objects.set(name, { content, createdAt: new Date().toISOString() })
    return metadataOf(name)
  }
  const metadataOf = (name: string) => {
    const kept = objects.get(name)
    if (!kept) throw new Refused(404)
    return { name, bucket: 'bucket', size: String(kept.content.length), timeCreated: kept.createdAt }
  }
  const claimsOf = ({ headers }: IncomingMessage): Claims | undefined => {
    const bearer = /^(?:Firebase|Bearer) (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (bearer === undefined) return undefined
    const claims = verify(bearer)
    if (!claims) throw new Refused(401)
    return claims
  }
  const check = (request: IncomingMessage, method: 'get' | 'create', name: string, size: number): void => {
    if (!mayTouch({ claims: claimsOf(request), method, name, size, roleOf })) throw new Refused(403)
    if (method === 'create' && objects.has(name)) throw new Refused(403)
  }

  /** A resumable upload, as the SDK asks for it: `@firebase/storage` of firebase 12.19.0, `createResumableUpload` and `continueResumableUpload`. */
  const resumable = async (request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer) => {
    const command = String(request.headers['x-goog-upload-command'] ?? '')
    if (command === 'start') {
      const name = url.searchParams.get('name') ?? ''
      const size = Number(request.headers['x-goog-upload-header-content-length'])
      check(request, 'create', name, size)
      const id = randomUUID()
      uploads.set(id, { name, size, content: Buffer.alloc(0) })
      response.setHeader('x-goog-upload-url', `http://${request.headers.host}${url.pathname}?upload_id=${id}`)
      response.setHeader('x-goog-upload-status', 'active')
      return {}
    }
    const upload = uploads.get(url.searchParams.get('upload_id') ?? '')
    if (!upload) throw new Refused(404)
    if (command.includes('upload')) {
      if (Number(request.headers['x-goog-upload-offset']) !== upload.content.length) throw new Refused(400)
      await standIn.onPiece()
      upload.content = Buffer.concat([upload.content, body])
      pieces += 1
    }
    const isFinal = command.includes('finalize')
    response.setHeader('x-goog-upload-status', isFinal || objects.has(upload.name) ? 'final' : 'active')
    response.setHeader('x-goog-upload-size-received', String(upload.content.length))
    if (isFinal && upload.content.length !== upload.size) throw new Refused(400)
    return isFinal ? keep(upload.name, upload.content) : {}
  }
  const browser = async (request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer) => {
    if (refusal !== null) throw new Refused(refusal)
    const protocol = request.headers['x-goog-upload-protocol']
    if (protocol === 'multipart') {
      const name = url.searchParams.get('name') ?? ''
      const content = secondPart(request, body)
      check(request, 'create', name, content.length)
      return keep(name, content)
    }
    if (request.method === 'POST') return resumable(request, response, url, body)
    const name = objectName(url)
    check(request, 'get', name, 0)
    return metadataOf(name)
  }
  const server = (request: IncomingMessage, url: URL, body: Buffer): object | Buffer => {
    if (request.headers.authorization !== 'Bearer owner') throw new Refused(401)
    if (request.method === 'POST') {
      const name = url.searchParams.get('name') ?? ''
      if (objects.has(name) && url.searchParams.get('ifGenerationMatch') === '0') throw new Refused(412)
      return keep(name, body)
    }
    if (url.pathname.endsWith('/o')) {
      const prefix = url.searchParams.get('prefix') ?? ''
      return { items: [...objects.keys()].filter((name) => name.startsWith(prefix)).map(metadataOf) }
    }
    const name = objectName(url)
    const metadata = metadataOf(name)
    if (request.method === 'DELETE') objects.delete(name)
    return url.searchParams.get('alt') === 'media' ? (objects.get(name)?.content ?? Buffer.alloc(0)) : metadata
  }

  let pieces = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    allowEveryOrigin(request, response)
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const url = new URL(request.url ?? '/', 'http://stand-in')
    try {
      const body = await bytesOf(request)
      const isBrowser = url.pathname.startsWith('/v0/')
      const result = isBrowser ? await browser(request, response, url, body) : server(request, url, body)
      if (!Buffer.isBuffer(result)) response.setHeader('content-type', 'application/json')
      response.end(Buffer.isBuffer(result) ? result : JSON.stringify(result))
    } catch (error) {
      // a browser that went away in the middle of a piece gets no answer
      if (request.destroyed && !request.complete) return
      if (!(error instanceof Refused)) throw error
      response.writeHead(error.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { code: error.status, message: error.message } }))
    }
  }

  const listener = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => listener.listen(port ?? 0, '127.0.0.1', resolve))
  const standIn: StorageStandIn = {
    port: (listener.address() as AddressInfo).port,
    names: () => [...objects.keys()],
    at: (name) => objects.get(name)?.content,
    get pieces() {
      return pieces
    },
    refuseAll: (status) => {
      refusal = status
    },
    onPiece: () => undefined,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
  return standIn
}

interface Touch {
  readonly claims: Claims | undefined
  readonly method: 'get' | 'create'
  readonly name: string
  readonly size: number
  readonly roleOf: StorageOptions['roleOf']
}

/** What `deploy/firebase/storage.rules` says in Google's language. */
function mayTouch({ claims, method, name, size, roleOf }: Touch): boolean {
  const [folder, org = '', user = '', use, upload, ...rest] = name.split('/')
  const known = fileUseNames.find((each) => each === use)
  if (folder !== 'incoming' || !known || !upload || rest.length > 0) return false
  if (!claims || claims['sub'] !== user || claims['org_id'] !== org) return false
  if (method === 'get') return true
  const role = roleOf(org, user)
  return (
    roles.includes(role as Role) && size <= fileUses[known].maxBytes && !!scopeOf(role as Role, fileUses[known].upload)
  )
}

const objectName = ({ pathname }: URL): string => decodeURIComponent(pathname.slice(pathname.lastIndexOf('/o/') + 3))

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The content of a `multipart/related` body, whose first part is the metadata. */
function secondPart({ headers }: IncomingMessage, body: Buffer): Buffer {
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const second = body.indexOf(`--${boundary}`, boundary.length + 2)
  const start = body.indexOf('\r\n\r\n', second) + 4
  return body.subarray(start, body.lastIndexOf(`\r\n--${boundary}--`))
}
