import { createHmac, randomBytes } from 'node:crypto'
import { grants, permissions, roles as ourRoles } from '@tour-ops/contract/identity/access'
import { keyOfPermission, keyOfRole } from '@tour-ops/contract/identity/service-keys'
import { ApiError, refusalBody } from './answers.ts'
import { backendApi } from './backend-api.ts'
import type { EnvironmentOptions } from './environment.ts'
import { frontendApi } from './frontend-api.ts'
import type { FrontendCall } from './frontend-call.ts'
import { isLive, resources } from './resources.ts'
import { ClerkState, newId, type Session } from './state.ts'
import { tokenIssuer, type TokenIssuer } from './tokens.ts'

/** Below this path of the application's own origin the Frontend API answers, as behind a proxy. */
const frontendPath = '/__clerk'
/** And here the Backend API, to our server alone. */
const backendPath = '/__clerk-backend'

export interface StandInOptions extends Partial<Omit<EnvironmentOptions, 'origin'>> {
  /** The address of the application. */
  readonly origin: string
  /** Files of the service's npm packages, by the address that the loader asks for (`@clerk/clerk-js/dist/…`). */
  readonly packages?: ReadonlyMap<string, Uint8Array>
}

/** What the Frontend API answered, to be compared with its description. */
export interface FrontendAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
}

export interface ClerkStandIn {
  readonly state: ClerkState
  readonly tokens: TokenIssuer
  /** Tokens after a template: name to what makes one. */
  readonly templates: Map<string, (session: Session) => string>
  readonly answers: readonly FrontendAnswer[]
  /** How the instance is set up; what is changed counts from the next load on. */
  readonly instance: EnvironmentOptions
  /** Both APIs answer 503 while this is true. */
  isDown: boolean
  /** The settings that a server and a page need to meet this stand-in. */
  readonly settings: Readonly<Record<'publishableKey' | 'secretKey' | 'webhookSecret' | 'proxyUrl' | 'apiUrl', string>>
  /** Whether an address of the application's origin is the service's. */
  readonly owns: (path: string) => boolean
  /** Answers the addresses that are the service's. */
  readonly handle: (request: Request) => Promise<Response>
  /** A message to our server, signed now with our secret, or otherwise on purpose. */
  readonly webhook: (type: string, data: object, change?: Partial<MessageFacts>) => RequestInit
}

const systemPermissions = ['org:sys_profile:manage', 'org:sys_memberships:read', 'org:sys_memberships:manage']

/** Role keys and what they hold: the contract's table as the script makes it, and the role that the service always has. */
const roleKeys: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ourRoles.map((role) => [
      keyOfRole(role),
      [
        ...permissions.filter((permission) => permission in grants[role]).map(keyOfPermission),
        ...(role === 'admin' ? systemPermissions : ['org:sys_memberships:read']),
      ],
    ]),
  ),
  'org:member': ['org:sys_memberships:read'],
}

/**
 * A stand-in of the hosted identity service: Frontend API (version 2026-05-12), Backend API and webhooks, with keys and people of its own.
 * Test equipment: it keeps everything in memory and sends no e-mails; the code of every e-mail is 424242.
 */
export function clerkStandIn(options: StandInOptions): ClerkStandIn {
  const { origin, packages = new Map<string, Uint8Array>() } = options
  const state = new ClerkState()
  const tokens = tokenIssuer({ issuer: origin + frontendPath, state, roles: roleKeys })
  const json = resources({ state, tokens, roles: roleKeys, pictures: `${origin}${frontendPath}/pictures` })
  const environment = {
    origin,
    signUpMode: options.signUpMode ?? 'public',
    forceOrganization: options.forceOrganization ?? false,
  }
  const templates = new Map<string, (session: Session) => string>()
  const frontend = frontendApi({
    state,
    tokens,
    json,
    options: environment,
    roles: roleKeys,
    templates,
    code: '424242',
  })
  const backend = backendApi({ state, json })
  const answers: FrontendAnswer[] = []
  const secretKey = `sk_test_${randomBytes(20).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`

  async function handleFrontend(request: Request, url: URL): Promise<Response> {
    const path = url.pathname.slice(frontendPath.length)
    if (path === '/.well-known/jwks.json') return Response.json(tokens.jwks)
    if (path.startsWith('/pictures/')) return picture()
    if (path.startsWith('/npm/')) return packageFile(path, packages)
    const form = await formOf(request)
    const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string')
    const file = form.get('file')
    const call: FrontendCall = {
      body: Object.fromEntries(fields),
      file: file instanceof Blob ? file : null,
      query: url.searchParams,
      origin: request.headers.get('origin') ?? origin,
      client: state.clients.get(cookieIn(request, '__client')),
    }
    const method = url.searchParams.get('_method') ?? request.method
    const route = path.replace(/^\/v1/, '')
    const { status, body } = answerOf(() => frontend.answer(method, route, call))
    answers.push({ method, path: route, status, body })
    return Response.json(body, { status, headers: cookiesFor(call) })
  }

  async function handleBackend(request: Request, url: URL): Promise<Response> {
    const text = await request.text()
    const call = { body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), query: url.searchParams }
    const path = url.pathname.slice(`${backendPath}/v1`.length)
    const { status, body } = answerOf(() => {
      if (request.headers.get('authorization') !== `Bearer ${secretKey}`) {
        throw new ApiError(401, 'clerk_key_invalid', 'The provided Clerk Secret Key is invalid.')
      }
      return backend.answer(request.method, path, call)
    })
    return Response.json(body, { status })
  }

  const standIn: ClerkStandIn = {
    state,
    tokens,
    templates,
    answers,
    instance: environment,
    isDown: false,
    settings: {
      // the host is made up: no request goes to it, since every address goes through the proxy path
      publishableKey: `pk_test_${Buffer.from('clerk.stand-in.test$').toString('base64')}`,
      secretKey,
      webhookSecret,
      proxyUrl: frontendPath,
      apiUrl: origin + backendPath,
    },
    owns: (path) => path.startsWith(`${frontendPath}/`) || path.startsWith(`${backendPath}/`),
    async handle(request) {
      const url = new URL(request.url)
      if (standIn.isDown && url.pathname.includes('/v1/')) return new Response(null, { status: 503 })
      return url.pathname.startsWith(`${backendPath}/`) ? handleBackend(request, url) : handleFrontend(request, url)
    },
    webhook: (type, data, change = {}) => signedMessage({ secret: webhookSecret, ...change }, { type, data }),
  }
  return standIn
}

/** The service's script sends fields as a form, and pictures as one of several parts. */
async function formOf(request: Request): Promise<FormData | URLSearchParams> {
  const isMultipart = request.headers.get('content-type')?.startsWith('multipart/form-data') ?? false
  return isMultipart ? request.formData() : new URLSearchParams(await request.text())
}

function answerOf(run: () => object): { status: number; body: object } {
  try {
    return { status: 200, body: run() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, body: refusalBody(error, newId('trace')) }
  }
}

function cookiesFor({ client }: FrontendCall): Headers {
  const headers = new Headers({ 'cache-control': 'no-store' })
  const since = client?.sessions.some(isLive) ? Math.floor(client.createdAt / 1000) : 0
  if (client) headers.append('set-cookie', `__client=${client.id}; Path=/; HttpOnly; SameSite=Lax`)
  headers.append('set-cookie', `__client_uat=${since}; Path=/; SameSite=Lax`)
  return headers
}

const cookieIn = (request: Request, name: string): string =>
  new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? ''

const picture = (): Response =>
  new Response(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="#ff4b00" d="M0 0h1v1H0z"/></svg>',
    {
      headers: { 'content-type': 'image/svg+xml' },
    },
  )

/** `/npm/@clerk/ui@1/dist/ui.browser.js` → the file in the package, whatever version was asked for. */
function packageFile(path: string, packages: ReadonlyMap<string, Uint8Array>): Response {
  const file = packages.get(path.replace(/^\/npm\//, '').replace(/^(@clerk\/[a-z-]+)@[^/]+/, '$1'))
  if (!file) return new Response(null, { status: 404 })
  return new Response(Buffer.from(file), {
    headers: { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' },
  })
}

interface MessageFacts {
  readonly secret: string
  readonly id?: string
  /** Epoch milliseconds. */
  readonly at?: number
}

/** Source: the standard of the signatures, https://www.standardwebhooks.com */
function signedMessage({ secret, id = newId('msg'), at = Date.now() }: MessageFacts, event: object): RequestInit {
  const body = JSON.stringify({ object: 'event', ...event })
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': `v1,${signature}`,
    },
  }
}
