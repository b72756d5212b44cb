import { AppError } from '@tour-ops/contract/errors'
import { type Locale, locales } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { Call, Services } from '../../context.ts'
import { readBody } from '../../platform/http/body.ts'
import { deadlineOf } from '../../platform/http/deadline.ts'
import type { Exchange } from '../../platform/http/exchange.ts'
import { rateLimit } from '../../platform/http/rate-limits.ts'
import { sendError, sendTooMany } from '../../platform/http/wire-error.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hasPass, isPasscode, passCookieOf, passOf } from '../../platform/operations/link-passcode.ts'
import { findLink, type FoundLink } from '../../platform/operations/open-link.ts'
import { countWrongPasscode, secondsToWait, takeTurn } from './link-visits.ts'
import { type Again, passcodePage, passcodePagePolicy } from './passcode-page.ts'

/** A form of one short field. */
const bodyLimitBytes = 4096
/** How long a browser is remembered that has given the passcode. */
const rememberedS = 30 * 86_400

const address = /^\/share\/([A-Za-z0-9_-]{1,200})$/

interface Asked {
  readonly link: FoundLink
  readonly passcodeHash: string
  readonly organization: string
}

interface Question {
  readonly kind: 'ask'
  readonly asked: Asked
  readonly again: Again
  readonly waitS: number
}

/** The page of the link, as it is for links without a passcode; the pass to it; or the question again. */
type Outcome = { readonly kind: 'page' } | { readonly kind: 'pass'; readonly pass: string } | Question

/** Answers in place of a guest's page; false where that page is to be shown. */
export type PasscodeGate = (exchange: Exchange) => Promise<boolean>

/**
 * Asks at `/share/{token}` for the passcode of a link that has one, with a form that needs no script, and remembers the browser with a cookie. Calls of the
 * page check it again (`openLink`), so that nothing depends on this page alone.
 */
export function passcodeGate({ services, metrics }: { services: Services; metrics: Metrics }): PasscodeGate {
  const perIp = rateLimit(services.config.rateLimits.perIpPerMinute)

  const gate = async (exchange: Exchange, token: string): Promise<boolean> => {
    const { method, ip, request } = exchange
    const waitMs = perIp.take(ip ?? '')
    if (waitMs > 0) {
      metrics.rateLimited.inc({ bucket: 'passcode' })
      sendTooMany(exchange, waitMs, services.log)
      return true
    }
    const entered = method === 'POST' ? await enteredIn(request) : null
    // answered after the commit: a wrong passcode that somebody knows of is counted
    const outcome = await services.db.transaction(scopeOf(services), async (tx): Promise<Outcome> => {
      const call = { ...services, tx, request: { ip, userAgent: request.headers['user-agent'] } }
      const asked = await selectAsked(call, token)
      if (!asked) return { kind: 'page' }
      if (entered !== null) return tryPasscode(call, asked, token, entered)
      const wanted = passOf(services.config.secret, token, asked.passcodeHash)
      return hasPass(request.headers.cookie, token, wanted)
        ? { kind: 'page' }
        : { kind: 'ask', asked, again: null, waitS: 0 }
    })
    if (outcome.kind === 'ask') return sendPage(exchange, outcome)
    if (outcome.kind === 'pass') {
      return leadToPage(exchange, { 'set-cookie': cookieOf(services, token, outcome.pass) })
    }
    return entered === null ? false : leadToPage(exchange, {})
  }

  return async (exchange) => {
    const token = address.exec(exchange.path)?.[1]
    if (token === undefined) return false
    exchange.route = 'passcode'
    const deadline = deadlineOf(exchange)
    try {
      return await deadline.race(gate(exchange, token))
    } catch (error) {
      // the page itself says that there is no answer, and asks again
      if (exchange.method !== 'POST') return false
      sendError(exchange, error, services.log)
      return true
    } finally {
      deadline.clear()
    }
  }
}

const scopeOf = ({ clock }: Services) =>
  ({ orgId: null, actor: { kind: 'system', id: null }, action: 'share-passcode', requestId: newId(), clock }) as const

/** The link of an address with the passcode that it asks for; undefined where it asks for none, or is over. */
async function selectAsked(call: Pick<Call, 'tx' | 'clock'>, token: string): Promise<Asked | undefined> {
  const link = await findLink(call, token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not-found') return undefined
    throw error
  })
  if (!link || link.passcodeHash === null) return undefined
  const { rows } = await sql<{ name: string }>`
    select name from organizations where org_id = ${link.orgId}`.execute(call.tx)
  return { link, passcodeHash: link.passcodeHash, organization: rows[0]?.name ?? '' }
}

type Trying = Parameters<typeof countWrongPasscode>[0]

/** Checks a passcode, unless its sender has to wait: then nothing is checked, so that asking faster gains nothing. */
async function tryPasscode(call: Trying, asked: Asked, token: string, entered: string): Promise<Outcome> {
  const { link, passcodeHash } = asked
  if (!(await takeTurn(call, link))) return { kind: 'ask', asked, again: 'too_early', waitS: 1 }
  const waitS = await secondsToWait(call, link)
  if (waitS > 0) return { kind: 'ask', asked, again: 'too_early', waitS }
  if (await isPasscode(passcodeHash, entered))
    return { kind: 'pass', pass: passOf(call.config.secret, token, passcodeHash) }
  await countWrongPasscode(call, link)
  return { kind: 'ask', asked, again: 'wrong', waitS: await secondsToWait(call, link) }
}

const enteredIn = async (request: Exchange['request']): Promise<string> =>
  new URLSearchParams((await readBody(request, bodyLimitBytes)).toString('utf8')).get('passcode') ?? ''

/** Hosted functions answer on another host, which gets no cookie of ours: there the page reads it, on its own address, and sends it with its calls. */
function cookieOf({ config }: Services, token: string, pass: string): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  const isRead = config.backend.kind === 'firebase'
  const [place, reader] = isRead ? [`/share/${token}`, ''] : ['/', '; HttpOnly']
  return `${passCookieOf(token)}=${pass}; Path=${place}; Max-Age=${rememberedS}${reader}; SameSite=Lax${secure}`
}

function leadToPage(exchange: Exchange, headers: Record<string, string>): true {
  exchange.response.writeHead(303, { location: exchange.path, 'cache-control': 'no-store', ...headers })
  exchange.response.end()
  return true
}

function sendPage(exchange: Exchange, { asked, again, waitS }: Question): true {
  const { request, response } = exchange
  const locale = localeFor(asked.link.language, request.headers['accept-language'])
  const body = Buffer.from(passcodePage({ organization: asked.organization, locale, again, waitS }))
  response.writeHead(again === null ? 200 : again === 'wrong' ? 403 : 429, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(body.length),
    'content-security-policy': passcodePagePolicy,
    'cache-control': 'no-store',
    ...(waitS > 0 && { 'retry-after': String(waitS) }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  return true
}

/** The language of the link, or else the first of the browser's that there is. */
function localeFor(language: string | null, accepted: string | undefined): Locale {
  const wanted = [language ?? '', ...(accepted ?? '').split(',')].map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return wanted.flatMap((tag) => locales.find((locale) => locale === tag) ?? [])[0] ?? 'en'
}
