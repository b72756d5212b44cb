import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, fromPglite, migrateDatabase } from '../src/platform/db/database.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { startPglite } from '../src/platform/db/pglite.ts'
import { newId } from '../src/platform/ids.ts'
import { withoutTriggers } from '../testing/former-rows.ts'
import { addMessage, type DeliveryStatus } from '../testing/messages.ts'

// What migrations make of rows that an earlier version left: written at the version before 0156, read at today's.

const log = pino({ level: 'silent' })
let db: Database
beforeAll(async () => {
  const lite = await startPglite({}, log)
  db = fromPglite(lite, log, () => lite.stop())
  const before = (await readMigrations()).filter(({ name }) => name < '0156')
  await migrate(db.ownerPool, log, before)
  await db.ownerPool.query(`insert into organizations (org_id, name) values ('org', 'Org')`)
  for (const [status, deliveries] of messages) {
    ids.messages.push((await addMessage(db.ownerPool, 'org', status, deliveries)).id)
  }
  for (const [status, brokenRules, offeredBefore] of offers) {
    ids.offers.push(await addOffer(status, brokenRules, offeredBefore))
  }
  for (const [status, end] of links) ids.links.push(await addLink(status, end))
  for (const before of bookings) ids.bookings.push(await addBooking(before))
  await migrateDatabase(db, log)
}, 120_000)
afterAll(() => db.close())

const ids: Readonly<Record<'messages' | 'offers' | 'links' | 'bookings', string[]>> = {
  messages: [],
  offers: [],
  links: [],
  bookings: [],
}

const messages: [before: string, deliveries: DeliveryStatus[], after: string][] = [
  ['failed', ['sent'], 'sent'],
  ['partly_failed', ['sent', 'suppressed'], 'sent'],
  ['failed', ['queued', 'sent'], 'sending'],
  ['failed', ['failed', 'sent'], 'partly_failed'],
  ['failed', ['failed', 'failed'], 'failed'],
  ['partly_failed', ['failed', 'sent'], 'partly_failed'],
  ['sending', ['sent', 'sent'], 'sent'],
  ['sending', ['queued'], 'sending'],
  ['failed', [], 'failed'],
  ['cancelled', ['queued'], 'cancelled'],
]

test('messages that were sent again before that was judged are judged by their deliveries', async () => {
  const { rows } = await db.ownerPool.query<{ id: string; status: string }>('select id, status from messages')
  const now = new Map(rows.map(({ id, status }) => [id, status]))
  expect(ids.messages.map((id) => now.get(id))).toEqual(messages.map(([, , after]) => after))
})

/** `true`: before 0153, when somebody who cannot arrive broke the rule "rest". */
const offers: [status: string, brokenRules: string[], offeredBefore: boolean, after: string[]][] = [
  ['offered', ['rest'], true, ['rest', 'travel']],
  ['offered', ['language', 'rest'], true, ['language', 'rest', 'travel']],
  ['offered', ['language'], true, ['language']],
  ['offered', [], true, []],
  ['offered', ['rest'], false, ['rest']],
  ['accepted', ['rest'], true, ['rest']],
]

async function addOffer(status: string, brokenRules: string[], offeredBefore: boolean): Promise<string> {
  const id = newId()
  await withoutTriggers(db.ownerPool, async (client) => {
    await client.query(
      `insert into assignments (org_id, id, calendar_entry_id, departure_id, staff_id, role, status, broken_rules, override_reason, offered_at)
       select 'org', $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'guide', $2, $3,
         case when cardinality($3::text[]) > 0 then 'Knows the way' end, applied_at + make_interval(hours => $4)
       from migrations.applied where name like '0153%'`,
      [id, status, brokenRules, offeredBefore ? -1 : 1],
    )
  })
  return id
}

test('an offer whose reason covered the rest covers the way as well, which was not a separate rule before', async () => {
  const { rows } = await db.ownerPool.query<{ id: string; rules: string[] }>(
    'select id, broken_rules as rules from assignments',
  )
  const now = new Map(rows.map(({ id, rules }) => [id, rules]))
  expect(ids.offers.map((id) => now.get(id))).toEqual(offers.map(([, , , after]) => after))
})

/** With what they ended after the planned end of their departure. */
const links: [status: string, end: string, after: boolean][] = [
  ['active', '2 hours', true],
  ['paused', '2 hours', true],
  ['active', '3 hours', false],
  ['expired', '2 hours', false],
]

async function addLink(status: string, end: string): Promise<string> {
  const [id, departureId] = [newId(), newId()]
  await withoutTriggers(db.ownerPool, async (client) => {
    await client.query(
      `insert into departures (org_id, id, code, tour_id, revision_id, local_date, local_start_time, time_zone, starts_at, ends_at, capacity)
       values ('org', $1, gen_random_uuid()::text, gen_random_uuid(), gen_random_uuid(), '2030-07-14', '09:00', 'UTC', '2030-07-14T09:00Z', '2030-07-14T17:00Z', 9)`,
      [departureId],
    )
    await client.query(
      `insert into shared_links (org_id, id, kind, subject_id, departure_id, status, created_at, starts_at, expires_at)
       values ('org', $1, 'departure_guest', '-', $2, $3, '2030-07-01', '2030-07-01', '2030-07-14T17:00Z'::timestamptz + $4::interval)`,
      [id, departureId, status, end],
    )
  })
  return id
}

test('links that nobody gave an end are known by it: two hours after the tour', async () => {
  const { rows } = await db.ownerPool.query<{ id: string; follows: boolean }>(
    'select id, ends_with_departure as follows from shared_links',
  )
  const now = new Map(rows.map(({ id, follows }) => [id, follows]))
  expect(ids.links.map((id) => now.get(id))).toEqual(links.map(([, , after]) => after))
})

/** Of bookings that cost 100: what was typed as paid and as status, and what they and their payments say now. */
const bookings: { paid: number; status: string; after: [paid: number, status: string, payments: string] }[] = [
  { paid: 0, status: 'unpaid', after: [0, 'unpaid', ''] },
  { paid: 30, status: 'deposit', after: [30, 'deposit', 'payment 30'] },
  { paid: 100, status: 'unpaid', after: [100, 'paid', 'payment 100'] },
  { paid: 0, status: 'paid', after: [100, 'paid', 'payment 100'] },
  { paid: 120, status: 'paid', after: [120, 'paid', 'payment 120'] },
  { paid: 100, status: 'refunded', after: [0, 'refunded', 'payment 100, refund 100'] },
  { paid: 0, status: 'refunded', after: [0, 'refunded', ''] },
  { paid: 0, status: 'agent_credit', after: [0, 'agent_credit', ''] },
  { paid: 20, status: 'agent_credit', after: [20, 'agent_credit', 'payment 20'] },
]

test('what was paid for bookings becomes their first payment', async () => {
  const { rows } = await db.ownerPool.query<{ id: string; paid: number; status: string; payments: string }>(`
    select b.id, b.amount_paid_minor as paid, b.payment_status as status,
      coalesce((select string_agg(p.kind || ' ' || p.amount_minor, ', ' order by p.kind) from payments p where p.booking_id = b.id), '') as payments
    from bookings b`)
  const now = new Map(rows.map(({ id, paid, status, payments }) => [id, [paid, status, payments]]))
  expect(ids.bookings.map((id) => now.get(id))).toEqual(bookings.map(({ after }) => after))
})

async function addBooking({ paid, status }: { paid: number; status: string }): Promise<string> {
  const id = newId()
  await withoutTriggers(db.ownerPool, async (client) => {
    await client.query(
      `insert into bookings (org_id, id, booking_ref, departure_id, status, units, pax, amount_total_minor, amount_paid_minor, currency, payment_status)
       values ('org', $1, $2, $3, 'confirmed', '[{"unitType": "adult", "qty": 1}]', 1, 100, $4, 'EUR', $5)`,
      [id, `REF-${id.slice(-8)}`, newId(), paid, status],
    )
  })
  return id
}
