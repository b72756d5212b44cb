import { AppError, httpStatusOf, wireStatusOf } from '@tour-ops/contract/errors'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { toAppError } from '../db/violations.ts'
import { outageOf, refusalOf, reportOutage, retryAfterOf } from '../outages.ts'
import { RefreshRefused, type BackendTokens } from './backend-tokens.ts'
import type { Identity } from './identity-port.ts'
import { InvalidIdentityToken } from './identity-verifier.ts'

/** Start of the addresses that the hosted backend's SDK knows. Source: spec, section 7. */
const base = '/api/v1'
/** The project behind our own server; the hosted one has its own name here. */
const projectId = 'embedded'

/**
 * Mounts the identity service (`/api/auth/*`) and the backend's sign-in (`/api/v1/*`). The client's address is expected in
 * `x-client-address` and the request's id in `x-request-id`, set by the server and not by the client.
 */
export function mountIdentity(app: Hono, identity: Identity, log: Logger): void {
  app.on(['GET', 'POST'], '/api/auth/*', async (c) => {
    try {
      return withRetryAfter(await identity.handle(c.req.raw))
    } catch (error) {
      return refusedByLibrary(c, error, log)
    }
  })
  // a colon would begin a parameter, so the verb is taken apart here
  app.post(`${base}/:verb`, (c) => {
    const verb = c.req.param('verb')
    if (verb === 'accounts:signInWithCustomToken') return answer(c, log, () => signIn(c, identity))
    if (verb === 'accounts:signOut') return answer(c, log, () => signOut(c, identity))
    if (verb === 'token') return answer(c, log, () => refresh(c, identity))
    return toolkitError(c, 404, 'NOT_FOUND')
  })
  app.get(`${base}/projects`, (c) => c.json({ projectId, authorizedDomains: identity.authorizedDomains }, 200, noStore))
}

/** The library's limits say how long to wait in their own header. */
function withRetryAfter(response: Response): Response {
  const seconds = response.headers.get('x-retry-after')
  if (seconds !== null) response.headers.set('retry-after', seconds)
  return response
}

const noStore = { 'cache-control': 'no-store' }

/** Errors of the library that are ours to explain, such as "the organization keeps an administrator". */
function refusedByLibrary(c: Context, thrown: unknown, log: Logger): Response {
  const error = refusalOf(toAppError(thrown))
  const retryAfter = retryAfterOf(error)
  const requestId = c.req.header('x-request-id') ?? ''
  if (!reportOutage(log, error) && error.code === 'internal')
    log.error({ err: thrown, requestId, route: 'identity' }, 'request failed')
  return c.json(
    { code: (error.details.reason ?? wireStatusOf(error.code)).toUpperCase(), message: error.message, requestId },
    httpStatusOf[error.code] as 400,
    { ...noStore, ...(retryAfter && { 'retry-after': retryAfter }) },
  )
}

/** A refusal in the words of the hosted identity toolkit. */
class ToolkitError extends Error {
  override readonly name = 'ToolkitError'
}

async function answer(c: Context, log: Logger, run: () => Promise<object>): Promise<Response> {
  try {
    return c.json(await run(), 200, noStore)
  } catch (error) {
    if (error instanceof ToolkitError || error instanceof RefreshRefused) return toolkitError(c, 400, error.message)
    if (error instanceof InvalidIdentityToken) {
      log.debug({ err: error, requestId: c.req.header('x-request-id') }, 'identity token refused')
      return toolkitError(c, 400, 'INVALID_CUSTOM_TOKEN')
    }
    if (error instanceof AppError && error.code === 'unauthenticated') return toolkitError(c, 400, 'INVALID_ID_TOKEN')
    const outage = outageOf(error)
    if (outage) {
      reportOutage(log, outage)
      c.header('retry-after', retryAfterOf(outage))
      return toolkitError(c, 503, 'UNAVAILABLE')
    }
    log.error({ err: error, requestId: c.req.header('x-request-id'), route: 'backend sign-in' }, 'request failed')
    return toolkitError(c, 500, 'INTERNAL_ERROR')
  }
}

const toolkitError = (c: Context, code: 400 | 404 | 500 | 503, message: string): Response =>
  c.json({ error: { code, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } }, code, noStore)

/** `{token, returnSecureToken}` → `{idToken, refreshToken, expiresIn}`. Source: spec, section 7, "Backend sign-in". */
async function signIn(c: Context, identity: Identity): Promise<object> {
  const token = (await bodyOf(c))['token']
  if (typeof token !== 'string' || token === '') throw new ToolkitError('MISSING_CUSTOM_TOKEN')
  const tokens = await identity.signIn(token)
  return {
    kind: 'identitytoolkit#VerifyCustomTokenResponse',
    idToken: tokens.idToken,
    refreshToken: tokens.refreshToken,
    expiresIn: String(tokens.expiresInSeconds),
    isNewUser: false,
  }
}

/** The refresh as the hosted secure-token service has it: form or JSON in, snake_case out. */
async function refresh(c: Context, identity: Identity): Promise<object> {
  const body = await bodyOf(c)
  if (body['grant_type'] !== 'refresh_token') throw new ToolkitError('INVALID_GRANT_TYPE')
  const refreshToken = body['refresh_token']
  if (typeof refreshToken !== 'string' || refreshToken === '') throw new ToolkitError('MISSING_REFRESH_TOKEN')
  const tokens: BackendTokens = await identity.backend.refresh(refreshToken)
  return {
    access_token: tokens.idToken,
    id_token: tokens.idToken,
    refresh_token: tokens.refreshToken,
    expires_in: String(tokens.expiresInSeconds),
    token_type: 'Bearer',
    user_id: tokens.userId,
    project_id: projectId,
  }
}

/** Ends the backend session of the bearer, or of the `idToken` or `refreshToken` in the body. */
async function signOut(c: Context, identity: Identity): Promise<object> {
  const body = await bodyOf(c)
  const header = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const bearer = header ?? body['idToken']
  if (typeof bearer === 'string') await identity.backend.signOut({ bearer })
  else if (typeof body['refreshToken'] === 'string')
    await identity.backend.signOut({ refreshToken: body['refreshToken'] })
  else throw new ToolkitError('MISSING_ID_TOKEN')
  return {}
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  const text = await c.req.text()
  if (text === '') return {}
  if (c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  } catch {
    // falls through to the same answer as any other body that is no object
  }
  throw new ToolkitError('INVALID_REQUEST')
}
