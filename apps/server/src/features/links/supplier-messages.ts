import type { Given } from '@tour-ops/contract/callable'
import { LinkScopes } from '@tour-ops/contract/links/links'
import {
  listSupplierMessages,
  previewSupplierMessage,
  setSupplierEmail,
  writeToSupplier,
} from '@tour-ops/contract/links/supplier-messages'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { linkDeparture, linkEnd, usualLinkEnd } from '../../platform/operations/link-end.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import {
  dueOf,
  saidOf,
  selectSupplierFacts,
  selectTold,
  type SupplierFacts,
  supplierMessage,
} from './supplier-facts.ts'
import { writeSupplierMessage } from './supplier-message-texts.ts'

const list = verb(listSupplierMessages, async (call, { departureId }) => {
  const told = await selectTold(call, departureId)
  const suppliers = (await selectSupplierFacts(call, departureId)).map((facts) => {
    const { supplierId: id, supplierVersion: version, supplierName: name, email, guests } = facts
    const last = told.get(id) ?? null
    const shown = last && { act: last.act, at: iso(last.at), to: last.to, status: last.status, guests: last.guests }
    return { id, version, name, email, guests, told: shown, due: dueOf(facts, last) }
  })
  return { suppliers, delivery: call.channels.delivery }
})

type Meant = Pick<Given<typeof previewSupplierMessage>, 'departureId' | 'supplierId'>

/** @throws AppError `not-found` for a supplier without services on the departure. */
async function requireFacts(call: MemberCall, { departureId, supplierId }: Meant): Promise<SupplierFacts> {
  const facts = (await selectSupplierFacts(call, departureId)).find((one) => one.supplierId === supplierId)
  if (!facts) throw notFound('record')
  return facts
}

const preview = verb(previewSupplierMessage, async (call, { departureId, supplierId, act, note }) => {
  const facts = await requireFacts(call, { departureId, supplierId })
  const told = (await selectTold(call, departureId)).get(supplierId) ?? null
  return { language: facts.locale, ...writeSupplierMessage(facts, { act, note, told }) }
})

/** The supplier is locked, so that of two who write at once the second sees what the first has written. */
const write = verb(writeToSupplier, async (call, { departureId, supplierId, act, note, toldAt }) => {
  const { tx, orgId } = call
  await sql`select from suppliers where org_id = ${orgId} and id = ${supplierId} for no key update`.execute(tx)
  const facts = await requireFacts(call, { departureId, supplierId })
  const told = (await selectTold(call, departureId)).get(supplierId) ?? null
  if (isoOrNull(told?.at ?? null) !== toldAt) throw refuse('supplier_told')
  const { email, locale } = facts
  if (email === null) throw refuse('supplier_unreachable')
  const { subject, body } = writeSupplierMessage(facts, { act, note, told })
  if (act === 'request') await mark(call, { departureId, supplierId }, 'requested', sql`status = 'to_request'`)
  if (act === 'cancel')
    await mark(call, { departureId, supplierId }, 'cancelled', sql`status not in ('declined', 'cancelled')`)
  await call.channels.send(tx, {
    channel: 'email',
    to: email,
    orgId,
    kind: supplierMessage,
    subject,
    body,
    locale,
    departureId,
    // there is nothing to look up of what is cancelled
    ...(act !== 'cancel' && { linkId: await linkOf(call, facts) }),
    said: { now: saidOf(facts, act), before: null },
    recipient: { supplierId },
  })
  return { to: email }
})

/** What was written is so: nobody sets the same by hand. @param which Of the services of the supplier on the departure. */
const mark = (
  { tx, orgId }: MemberCall,
  { departureId, supplierId }: Meant,
  to: 'requested' | 'cancelled',
  which: RawBuilder<unknown>,
): Promise<unknown> =>
  sql`update departure_services set status = ${to}
    where org_id = ${orgId} and departure_id = ${departureId} and supplier_id = ${supplierId} and ${which}`.execute(tx)

/** Numbers and rooms, and no names: those are shown where somebody chose it for a link. */
const usualScopes = LinkScopes.parse({ map: false, crew: false, needs: true, rooms: true })

/** The open link of a supplier to a departure, the newest that somebody has made; else one of our own. */
async function linkOf(call: MemberCall, facts: SupplierFacts): Promise<string> {
  const { tx, orgId } = call
  const { departureId, supplierId, supplierName, code, locale, endsAt } = facts
  const { rows } = await sql<{ id: string }>`
    select l.id from shared_links l ${linkDeparture}
    where l.org_id = ${orgId} and l.kind = 'supplier_manifest' and l.departure_id = ${departureId} and l.supplier_id = ${supplierId}
      and l.status in ('active', 'scheduled') and l.starts_at <= app_now() and ${linkEnd} > app_now()
    order by l.created_at desc, l.id desc limit 1`.execute(tx)
  if (rows[0]) return rows[0].id
  const id = newId()
  await sql`
    insert into shared_links (org_id, id, kind, subject_id, departure_id, supplier_id, label, scopes, locale, expires_at, ends_with_departure)
    values (${orgId}, ${id}, 'supplier_manifest', ${departureId}, ${departureId}, ${supplierId}, ${`${supplierName} · ${code}`.slice(0, 120)},
      ${JSON.stringify(usualScopes)}::jsonb, ${locale}, ${usualLinkEnd(call.clock.now(), endsAt)}, true)`.execute(tx)
  return id
}

/** The first contact who has an address gets the other one; else the first contact, or a new one. */
const setEmail = verb(setSupplierEmail, (call, { id, version, email }) =>
  updateVersioned(
    call.tx,
    'suppliers',
    { orgId: call.orgId, id, version },
    sql`contacts = case when jsonb_array_length(contacts) = 0 then jsonb_build_array(jsonb_build_object('name', name, 'phone', null, 'email', ${email}::text))
      else jsonb_set(contacts, array[coalesce((select (k.at - 1)::text from jsonb_array_elements(contacts) with ordinality k(one, at)
        where k.one ->> 'email' is not null order by k.at limit 1), '0'), 'email'], to_jsonb(${email}::text)) end`,
  ),
)

export const supplierMessageVerbs: Verb[] = [list, preview, write, setEmail]
