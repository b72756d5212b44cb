import type { Given } from '@tour-ops/contract/callable'
import { LinkScopes } from '@tour-ops/contract/links/links'
import {
  listSupplierMessages,
  previewSupplierMessage,
  type SupplierAct,
  writeToSupplier,
} from '@tour-ops/contract/links/supplier-messages'
import type { Locale } from '@tour-ops/contract/locales'
import { hasLinkLine } from '@tour-ops/contract/notifications/link-line'
import { refuse } from '@tour-ops/contract/refusals'
import { type RawBuilder, sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { iso, isoOrNull } from '../../platform/list-query.ts'
import { linkDeparture, linkEnd, usualLinkEnd } from '../../platform/operations/link-end.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import {
  actsOf,
  dueOf,
  saidOf,
  selectSupplierFacts,
  selectTold,
  type SupplierFacts,
  type SupplierMessage,
  supplierMessage,
  toldKey,
  type ToldSupplier,
} from './supplier-facts.ts'
import { selectSupplierTexts } from './supplier-texts.ts'
import { writeSupplierMessage } from './supplier-message-texts.ts'
import { noteUntoldOf } from './untold-suppliers.ts'

const list = verb(listSupplierMessages, async (call, { departureId }) => {
  const told = await selectTold(call, [departureId])
  const suppliers = (await selectSupplierFacts(call, [departureId])).map((facts) => {
    const { supplierId: id, supplierName: name, email, locale: language, guests } = facts
    const all = told.get(toldKey(facts)) ?? null
    return {
      id,
      name,
      email,
      language,
      guests,
      told: all && shownOf(all.last),
      due: dueOf(facts, all),
      acts: actsOf(facts, all),
    }
  })
  return { suppliers, delivery: call.channels.delivery }
})

const shownOf = ({ act, at, to, status, guests }: SupplierMessage) => ({ act, at: iso(at), to, status, guests })

type Meant = Pick<Given<typeof previewSupplierMessage>, 'departureId' | 'supplierId'>

/** @throws AppError `not-found` for a supplier without services on the departure. */
async function requireFacts(call: MemberCall, { departureId, supplierId }: Meant): Promise<SupplierFacts> {
  const facts = (await selectSupplierFacts(call, [departureId])).find((one) => one.supplierId === supplierId)
  if (!facts) throw notFound('record')
  return facts
}

const findTold = async (call: MemberCall, meant: Meant): Promise<ToldSupplier | null> =>
  (await selectTold(call, [meant.departureId])).get(toldKey(meant)) ?? null

const preview = verb(previewSupplierMessage, async (call, { departureId, supplierId, act, note, language }) => {
  const known = await requireFacts(call, { departureId, supplierId })
  const facts = { ...known, locale: language ?? known.locale }
  const told = await findTold(call, { departureId, supplierId })
  return {
    language: facts.locale,
    ...writeSupplierMessage(facts, { act, note, known: told?.known ?? null }, await ownTexts(call, act)),
  }
})

/** The supplier is locked, so that of two who write at once the second sees what the first has written. */
const write = verb(writeToSupplier, async (call, { departureId, supplierId, act, note, toldAt, ...wanted }) => {
  const { tx, orgId } = call
  await sql`select from suppliers where org_id = ${orgId} and id = ${supplierId} for no key update`.execute(tx)
  const before = await requireFacts(call, { departureId, supplierId })
  const locale = wanted.language ?? before.locale
  const facts = { ...before, locale }
  const told = await findTold(call, { departureId, supplierId })
  if (isoOrNull(told?.last.at ?? null) !== toldAt) throw refuse('supplier_told')
  if (!actsOf(facts, told).includes(act)) throw refuse('supplier_told')
  const email = wanted.email ?? facts.email
  if (email === null) throw refuse('supplier_unreachable')
  if (email !== facts.email) await keepEmail(call, supplierId, email)
  if (locale !== before.locale) await keepLanguage(call, supplierId, locale)
  const { subject, body } = writeSupplierMessage(
    facts,
    { act, note, known: told?.known ?? null },
    await ownTexts(call, act),
  )
  if (act === 'request' || act === 'update')
    await mark(call, { departureId, supplierId }, 'requested', sql`status = 'to_request'`)
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
    // a text without a place for it opens nothing, as that of a cancellation: there is nothing to look up
    ...(hasLinkLine(body) && { linkId: await linkOf(call, facts) }),
    said: { now: saidOf(facts, act), before: null },
    recipient: { supplierId },
  })
  await noteUntoldOf(call, departureId)
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

/** The open link of a supplier to a departure, the newest without a passcode; else a new one of our own. Ours is read in the language that was chosen last. */
async function linkOf(call: MemberCall, facts: SupplierFacts): Promise<string> {
  const { tx, orgId } = call
  const { departureId, supplierId, supplierName, code, locale, endsAt } = facts
  const { rows } = await sql<{ id: string }>`
    select l.id from shared_links l ${linkDeparture}
    where l.org_id = ${orgId} and l.kind = 'supplier_manifest' and l.departure_id = ${departureId} and l.supplier_id = ${supplierId}
      and l.passcode_hash is null and l.status in ('active', 'scheduled') and l.starts_at <= app_now() and ${linkEnd} > app_now()
    order by l.created_at desc, l.id desc limit 1`.execute(tx)
  if (rows[0]) {
    await sql`update shared_links set locale = ${locale}
      where org_id = ${orgId} and id = ${rows[0].id} and created_by is null and locale is distinct from ${locale}`.execute(
      tx,
    )
    return rows[0].id
  }
  const id = newId()
  await sql`
    insert into shared_links (org_id, id, kind, subject_id, departure_id, supplier_id, label, scopes, locale, expires_at, ends_with_departure)
    values (${orgId}, ${id}, 'supplier_manifest', ${departureId}, ${departureId}, ${supplierId}, ${`${supplierName} · ${code}`.slice(0, 120)},
      ${JSON.stringify(usualScopes)}::jsonb, ${locale}, ${usualLinkEnd(call.clock.now(), endsAt)}, true)`.execute(tx)
  return id
}

/** The first contact who has an address gets the other one; else the first contact, or a new one. */
const keepEmail = ({ tx, orgId }: MemberCall, id: string, email: string): Promise<unknown> =>
  sql`
    update suppliers set contacts = case when jsonb_array_length(contacts) = 0 then jsonb_build_array(jsonb_build_object('name', name, 'phone', null, 'email', ${email}::text))
      else jsonb_set(contacts, array[coalesce((select (k.at - 1)::text from jsonb_array_elements(contacts) with ordinality k(one, at)
        where k.one ->> 'email' is not null order by k.at limit 1), '0'), 'email'], to_jsonb(${email}::text)) end
    where org_id = ${orgId} and id = ${id}`.execute(tx)

const ownTexts = async (call: MemberCall, act: SupplierAct) => (await selectSupplierTexts(call)).get(act)?.texts ?? []

const keepLanguage = ({ tx, orgId }: MemberCall, id: string, language: Locale): Promise<unknown> =>
  sql`update suppliers set language = ${language} where org_id = ${orgId} and id = ${id}`.execute(tx)

export const supplierMessageVerbs: Verb[] = [list, preview, write]
