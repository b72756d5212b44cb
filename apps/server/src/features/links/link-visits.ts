import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { waitAfter } from '../../platform/operations/link-passcode.ts'
import type { LinkRef } from '../../platform/operations/open-link.ts'

/** What a visit is known by. */
type Visited = Pick<Call, 'tx' | 'config'> & { readonly request: Pick<Call['request'], 'ip' | 'userAgent'> }

/**
 * Keeps that somebody came: never the address itself, and not in a form that could be compared between links. The visit's id decides the
 * row's, so that a question which is repeated finds its row.
 *
 * @returns Whether it is counted now, and was not before.
 */
export async function countVisit(call: Visited, { orgId, id }: LinkRef, visit: string): Promise<boolean> {
  const rowId = uuidOf(digestOf(call, `visit ${id} ${visit}`))
  const { rows } = await sql<{ id: string }>`insert into link_accesses (org_id, id, link_id, ip_hash, user_agent_family)
    values (${orgId}, ${rowId}, ${id}, ${ipHashOf(call, id)}, ${familyOf(call.request.userAgent ?? '')}) on conflict do nothing returning id`.execute(
    call.tx,
  )
  return rows.length > 0
}

/** Keeps that somebody entered a wrong passcode; no view of the link. */
export async function countWrongPasscode(call: Visited, { orgId, id }: LinkRef): Promise<void> {
  await sql`insert into link_accesses (org_id, id, link_id, ip_hash, user_agent_family, is_wrong_passcode)
    values (${orgId}, ${newId()}, ${id}, ${ipHashOf(call, id)}, ${familyOf(call.request.userAgent ?? '')}, true)`.execute(
    call.tx,
  )
}

/** Only one try of an address at a time: while one is checked, others have to wait. Held until the transaction ends. */
export async function takeTurn(call: Visited, { id }: LinkRef): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`link passcode ${id} ${ipHashOf(call, id)}`}, 0)) as "isMine"`.execute(
    call.tx,
  )
  return rows[0]?.isMine ?? false
}

/** Seconds that the address of the caller waits for its next passcode, by its wrong ones of a day since it was in. */
export async function secondsToWait(call: Visited, { orgId, id }: LinkRef): Promise<number> {
  const own = sql`a.org_id = ${orgId} and a.link_id = ${id} and a.ip_hash = ${ipHashOf(call, id)}`
  const { rows } = await sql<{ failures: number; agoS: number | null }>`
    select count(*)::int as failures, extract(epoch from app_now() - max(a.at))::float8 as "agoS" from link_accesses a
    where ${own} and a.is_wrong_passcode and a.at > app_now() - interval '24 hours'
      and a.at > coalesce((select max(a.at) from link_accesses a where ${own} and not a.is_wrong_passcode), '-infinity')`.execute(
    call.tx,
  )
  const { failures = 0, agoS = null } = rows[0] ?? {}
  return agoS === null ? 0 : Math.max(0, Math.ceil(waitAfter(failures) - agoS))
}

function ipHashOf(call: Visited, linkId: string): string {
  const { ip } = call.request
  return digestOf(call, `${linkId} ${ip === null ? 'unknown' : networkOf(ip)}`).toString('base64url')
}

/** Of IPv6 the first 64 bits: whoever has one address has all of its network. Source: RFC 6177, section 2. */
function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}

const digestOf = ({ config }: Visited, text: string): Buffer =>
  createHmac('sha256', config.secret).update(text).digest()

/** Version 8, whose bits are the application's. Source: RFC 9562, section 5.8. */
function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** In the order in which one browser pretends to be the other. */
const families: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

/** Which browser, without version or device; null for what is none. */
const familyOf = (userAgent: string): string | null =>
  families.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null
