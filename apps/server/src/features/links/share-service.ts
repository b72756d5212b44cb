import { createHmac } from 'node:crypto'
import type { AppError } from '@tour-ops/contract/errors'
import { answerRollCall, getSharedPage } from '@tour-ops/contract/links/links'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import { linkDeparture, linkEnd } from '../../platform/operations/link-end.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { selectGuestRollCall, writeGuestAnswers } from './guest-roll-call.ts'
import { hashOfToken } from './link-tokens.ts'
import { scopesOf } from './links-store.ts'
import type { OpenLink } from './open-link.ts'
import { selectPageOf } from './share-store.ts'

/** One answer for unknown, early, paused, expired and revoked links, so that it tells nothing. See docs/domain.md, "Shared links". */
const ended = (): AppError => refuse('shared_link_over')

const share = verb(getSharedPage, async (call, { token, visit }) => {
  const link = await openLink(call, token)
  if (visit !== undefined && call.caller === null) await countVisit(call, link, visit)
  const page = await selectPageOf(call.tx, link, call.clock.now())
  if (!page) throw ended()
  return page
})

const answer = verb(answerRollCall, async (call, { token, people, answer: said }) => {
  const link = await openLink(call, token)
  const written = await writeGuestAnswers(call.tx, link, { people, answer: said })
  const rollCall = await selectGuestRollCall(call.tx, link)
  if (written < new Set(people).size || rollCall === null) throw ended()
  return rollCall
})

interface Directory {
  orgId: string
  linkId: string
  status: string
  startsAt: Date
  tokenRevoked: boolean
}

/** Finds the link behind a token and goes on inside its organization, as the guest that the link stands for. */
async function openLink(call: Call, token: string): Promise<OpenLink> {
  const { rows } = await sql<Directory>`
    select org_id as "orgId", link_id as "linkId", status, starts_at as "startsAt", token_revoked as "tokenRevoked"
    from shared_link_of_token(${hashOfToken(token)})`.execute(call.tx)
  const found = rows[0]
  if (!found || !isOpen(found, call.clock.now())) throw ended()
  await sql`select set_config('app.org_id', ${found.orgId}, true), set_config('app.actor_kind', 'guest_link', true),
    set_config('app.user_id', ${found.linkId}, true)`.execute(call.tx)
  const { rows: links } = await sql<Omit<OpenLink, 'scopes'> & { scopes: unknown }>`
    select l.org_id as "orgId", l.id, l.kind, l.subject_id as "subjectId", d.id as "departureId", l.scopes,
      l.locale as language, ${linkEnd} as "expiresAt"
    from shared_links l ${linkDeparture}
    where l.org_id = ${found.orgId} and l.id = ${found.linkId}`.execute(call.tx)
  const link = links[0]
  if (!link?.departureId || link.expiresAt <= call.clock.now()) throw ended()
  return { ...link, scopes: scopesOf(link.scopes) }
}

/** Whether the token opens the link, if that has not ended. */
const isOpen = ({ status, startsAt, tokenRevoked }: Directory, now: Date): boolean =>
  !tokenRevoked && (status === 'active' || status === 'scheduled') && startsAt <= now

/**
 * Keeps that somebody came: never the address itself, and not in a form that could be compared between links. The visit's id decides the
 * row's, so that a question which is repeated finds its row.
 */
async function countVisit(call: Call, { orgId, id }: OpenLink, visit: string): Promise<void> {
  const { ip, userAgent } = call.request
  const ipHash = ip === null ? null : digestOf(call, `${id} ${ip}`).toString('base64url')
  const rowId = uuidOf(digestOf(call, `visit ${id} ${visit}`))
  await sql`insert into link_accesses (org_id, id, link_id, ip_hash, user_agent_family)
    values (${orgId}, ${rowId}, ${id}, ${ipHash}, ${familyOf(userAgent ?? '')}) on conflict do nothing`.execute(call.tx)
}

const digestOf = (call: Call, text: string): Buffer => createHmac('sha256', call.config.secret).update(text).digest()

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

export const shareVerbs: Verb[] = [share, answer]
