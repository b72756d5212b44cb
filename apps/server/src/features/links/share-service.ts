import { createHmac } from 'node:crypto'
import {
  answerOffer,
  answerRollCall,
  confirmParty,
  getSharedPage,
  giveFeedback,
  setGuestEmails,
  writeSharedMessage,
} from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Call } from '../../context.ts'
import { isMembersLook, openForGuest } from '../../platform/operations/guest-link.ts'
import { linkOver, openLink, type OpenLink } from '../../platform/operations/open-link.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { writeGuestEmails } from './guest-emails-choice.ts'
import { selectGuestFeedback, writeGuestFeedback } from './guest-feedback.ts'
import { answerGuestOffer } from './guest-offer.ts'
import { confirmGuestParty } from './guest-party.ts'
import { selectGuestRollCall, writeGuestAnswers } from './guest-roll-call.ts'
import { writeGuestMessage } from './guest-thread.ts'
import { isPoor, tellOfPoorRating } from './poor-rating.ts'
import { selectPageOf } from './share-store.ts'

const share = verb(getSharedPage, async (call, { token, visit }) => {
  const link = await openLink(call, token)
  if (visit !== undefined && call.caller === null) await countVisit(call, link, visit)
  const page = await selectPageOf(call.tx, link, call.clock.now())
  if (!page) throw linkOver()
  return { ...page, isPreview: await isMembersLook(call, link) }
})

const answer = verb(answerRollCall, async (call, { token, people, answer: said }) => {
  const link = await openLink(call, token)
  const written = await writeGuestAnswers(call.tx, link, { people, answer: said })
  const rollCall = await selectGuestRollCall(call.tx, link)
  if (written < new Set(people).size || rollCall === null) throw linkOver()
  return rollCall
})

const confirm = verb(confirmParty, async (call, { token, ...party }) => {
  const link = await openForGuest(call, token)
  return confirmGuestParty({ tx: call.tx, orgId: link.orgId, channels: call.channels }, link, party)
})

const feedback = verb(giveFeedback, async (call, { token, version, tourRating, guideRating, nps, comment }) => {
  const link = await openForGuest(call, token)
  const before = await selectGuestFeedback(call.tx, link)
  const after = await writeGuestFeedback(call.tx, link, version, { tourRating, guideRating, nps, comment })
  if (after.said && isPoor(after.said) && !isPoor(before?.said ?? null)) {
    await tellOfPoorRating({ ...call, orgId: link.orgId }, link, after.said)
  }
  return after
})

const offer = verb(answerOffer, async (call, { token, take }) => {
  const link = await openForGuest(call, token)
  return answerGuestOffer({ tx: call.tx, orgId: link.orgId, channels: call.channels }, link, take)
})

const emails = verb(setGuestEmails, async (call, { token, isOptedOut }) =>
  writeGuestEmails(call.tx, await openForGuest(call, token), isOptedOut),
)

const message = verb(writeSharedMessage, async (call, { token, body }) => {
  const link = await openForGuest(call, token)
  return writeGuestMessage({ ...call, orgId: link.orgId }, link, body)
})

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

export const shareVerbs: Verb[] = [share, answer, confirm, offer, feedback, emails, message]
