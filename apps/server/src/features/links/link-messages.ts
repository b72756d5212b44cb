import { hasAccess } from '@tour-ops/contract/identity/access'
import { isSendable, previewLinkMessage, sendLink } from '@tour-ops/contract/links/link-messages'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isoOrNull } from '../../platform/list-query.ts'
import { linkDeparture } from '../../platform/operations/link-end.ts'
import { type KnownReader, selectReaders } from '../../platform/operations/link-readers.ts'
import { opensLater, opensNow } from '../../platform/operations/open-link.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { writeLinkMessage } from './link-message-texts.ts'
import { type LinkFacts, selectLinkFacts } from './link-facts.ts'

/** What the log calls it. The link is meant for its reader: it is no message that guests do without. */
const kind = 'shared_link'
/** Whoever presses twice sends once. */
const againAfterMs = 30_000

/** @throws AppError `not-found`, also for links that are nobody's in particular; `aborted`, reason `link_ended`, where there is no tour to show. */
async function requireFacts(call: MemberCall, id: string): Promise<LinkFacts> {
  const facts = await selectLinkFacts(call, id)
  if (!facts || !isSendable(facts.kind)) throw notFound('link')
  if (facts.departureId === null) throw refuse('link_ended')
  return facts
}

const preview = verb(previewLinkMessage, async (call, { id, note }) => {
  const facts = await requireFacts(call, id)
  const readers = await selectReaders(call.tx, call.orgId, id)
  return {
    readers: readers.map((reader) => {
      const { key, name, channel, to, sentAt } = reader
      return { key, name, channel, to, sentAt: isoOrNull(sentAt), ...writeLinkMessage(facts, reader, note) }
    }),
    delivery: call.channels.delivery,
  }
})

/** The link is locked, so that of two at once the second sees what the first has sent. */
const send = verb(sendLink, async (call, { id, readers: wanted, note }) => {
  const permission = 'notifications:send'
  if (!hasAccess(call, { permission })) throw refuse('missing_permission', { permission })
  const facts = await requireFacts(call, id)
  await requireOpen(call, id)
  const readers = (await selectReaders(call.tx, call.orgId, id)).filter(({ key }) => wanted.includes(key))
  if (readers.length === 0) throw refuse('link_unreachable')
  const now = call.clock.now().getTime()
  const isJustSent = ({ sentAt }: KnownReader) => sentAt !== null && now - sentAt.getTime() < againAfterMs
  if (readers.every(isJustSent)) throw refuse('link_just_sent')
  const left = onceEach(readers.filter((reader) => !isJustSent(reader)))
  for (const reader of left) await write(call, { id, facts, reader, note })
  return { count: left.length }
})

/** People who share an address get one message. */
function onceEach(readers: readonly KnownReader[]): KnownReader[] {
  const addresses = readers.map(({ to }) => to.toLowerCase())
  return readers.filter((_, index) => addresses.indexOf(addresses[index] ?? '') === index)
}

/** @throws AppError `aborted`, reason `link_ended`, for what would open nothing now, and `link_opens_later` for what will. */
async function requireOpen({ tx, orgId }: MemberCall, id: string): Promise<void> {
  const { rows } = await sql<{ opens: boolean; opensAt: Date | null }>`
    select ${opensNow} as opens, case when ${opensLater} then l.starts_at end as "opensAt" from shared_links l ${linkDeparture} where l.org_id = ${orgId} and l.id = ${id} for update of l`.execute(
    tx,
  )
  const [link] = rows
  if (link?.opensAt) throw refuse('link_opens_later', { opensAt: link.opensAt.toISOString() })
  if (!link?.opens) throw refuse('link_ended')
}

interface LinkMessage {
  readonly id: string
  readonly facts: LinkFacts
  readonly reader: KnownReader
  readonly note: string | null
}

function write(call: MemberCall, { id, facts, reader, note }: LinkMessage): Promise<void> {
  const { channel, to, bookingId, travelerId, staffId, supplierId } = reader
  const { language, subject, body } = writeLinkMessage(facts, reader, note)
  return call.channels.send(call.tx, {
    channel,
    to,
    orgId: call.orgId,
    kind,
    subject,
    body,
    locale: language,
    linkId: id,
    departureId: facts.departureId,
    ...(bookingId !== null && { about: { subjectType: 'booking' as const, subjectId: bookingId } }),
    recipient: {
      ...(travelerId !== null && { travelerId }),
      ...(staffId !== null && { staffId }),
      ...(supplierId !== null && { supplierId }),
    },
  })
}

export const linkMessageVerbs: Verb[] = [preview, send]
