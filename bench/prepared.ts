import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { pino } from 'pino'
import { migrateDatabase, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { makePool } from '../apps/server/src/platform/db/pool.ts'
import { foundOrganization } from '../apps/server/testing/accounts.ts'
import { freePort, newDataFolder, type Program, startProgram } from '../apps/server/testing/programs.ts'

/** A data folder with an empty organization in it, for a server of its own. */
export interface Prepared {
  readonly dataDir: string
  readonly orgId: string
  /** Connections of the database's owner, once a server runs on the folder. */
  owner(): pg.Pool
  /** Of the application's login. */
  application(max: number): pg.Pool
  remove(): void
}

export const silent = pino({ level: 'silent' })

/** @param fill Puts data in, as the owner of the database, before any server runs. */
export async function prepareOrganization(
  name: string,
  fill: (ownerPool: pg.Pool, orgId: string) => Promise<void> = async () => undefined,
  embeddedEngine: 'postgres' | 'pglite' = 'postgres',
): Promise<Prepared> {
  const dataDir = newDataFolder(`bench-${name}`)
  const remove = () => fs.rmSync(dataDir, { recursive: true, force: true })
  const database = await openDatabase({ dataDir, embeddedEngine, log: silent })
  let orgId: string
  try {
    await migrateDatabase(database, silent)
    orgId = await foundOrganization(database.ownerPool)
    await fill(database.ownerPool, orgId)
    await database.ownerPool.query('vacuum (analyze)')
    await database.close()
  } catch (error) {
    await database.close()
    remove()
    throw error
  }
  const address = (user: string) => ({ host: path.join(dataDir, 'postgres'), user, database: 'tour_operations' })
  return {
    dataDir,
    orgId,
    owner: () => makePool({ ...address('app_owner'), max: 4 }, silent),
    application: (max) => makePool({ ...address('app_login'), max }, silent),
    remove,
  }
}

/** Measures a server on an empty organization, and removes both. */
export async function onServer<Result>(
  name: string,
  measure: (prepared: Prepared, program: Program) => Promise<Result>,
): Promise<Result> {
  const prepared = await prepareOrganization(name)
  const program = await startProgram({ DATA_DIR: prepared.dataDir, PORT: String(await freePort()) })
  try {
    return await measure(prepared, program)
  } finally {
    program.child.kill('SIGTERM')
    await program.ended
    prepared.remove()
  }
}

/** Names in seven scripts, so that searches and sorting have real work. */
const firstNames = [
  'Amara',
  'Jonas',
  'Elísabet',
  'Wei',
  'Mehmet',
  'Ольга',
  'Νίκος',
  '美咲',
  'Åse',
  'محمد',
  'João',
  'Ida',
]
const lastNames = [
  'Okafor',
  'Müller',
  'Jónsdóttir',
  '王',
  'Kaya',
  'Иванова',
  'Παπαδάκης',
  '佐藤',
  'Sørensen',
  'الفاسي',
  'Conceição',
  'García',
]
const countries = ['GB', 'DE', 'IS', 'CN', 'TR', 'US', 'GR', 'JP', 'NO', 'MA', 'PT', 'ES']

/**
 * Travelers, a fifth of them booked on one of 100 departures of the next weeks.
 *
 * @param isPastTriggers Writes without log and outbox, which take most of the time; counters are filled in here.
 */
export async function fillTravelers(
  ownerPool: pg.Pool,
  orgId: string,
  travelers: number,
  { isPastTriggers = false } = {},
): Promise<void> {
  const client = await ownerPool.connect()
  try {
    await client.query('begin; set local statement_timeout = 0')
    if (isPastTriggers) await client.query('set local session_replication_role = replica')
    await insertTravelers(client, orgId, travelers)
    if (isPastTriggers) await fillCounters(client, orgId)
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function fillCounters(client: pg.PoolClient, orgId: string): Promise<void> {
  await client.query(
    `insert into traveler_counts (org_id, nationality, difference)
     select org_id, nationality, count(*) from travelers where org_id = $1 group by 1, 2`,
    [orgId],
  )
  await client.query(
    `update departures d set seats_confirmed = sold.pax
     from (select departure_id, sum(pax) as pax from bookings where org_id = $1 group by departure_id) sold
     where d.org_id = $1 and d.id = sold.departure_id`,
    [orgId],
  )
}

async function insertTravelers(client: pg.PoolClient, orgId: string, travelers: number): Promise<void> {
  await client.query(
    `insert into travelers (org_id, id, first_name, last_name, nationality, languages, email, phone, dietary, tags, lifetime_tours)
     select $1, uuidv7(), ($2::text[])[1 + n % 12] || case when n % 5 = 0 then ' ' || chr(65 + n % 26) || '.' else '' end,
       ($3::text[])[1 + (n / 12) % 12] || '-' || (n % 997), ($4::text[])[1 + n % 12],
       array[(array['en', 'de', 'es', 'fr'])[1 + n % 4]], 'guest' || n || '@example.com', '+3546' || lpad(n::text, 6, '0'),
       case when n % 9 = 0 then array['vegetarian'] else '{}' end, case when n % 50 = 0 then array['vip'] else '{}' end, n % 7
     from generate_series(1, $5::int) n`,
    [orgId, firstNames, lastNames, countries, travelers],
  )
  await client.query(
    `with tour as (
       insert into tours (org_id, id, code, name) values ($1, uuidv7(), 'GOLD', 'Golden Circle') returning id),
     revision as (
       insert into tour_revisions (org_id, id, tour_id, number, content) select $1, uuidv7(), id, 1, '{}' from tour returning id, tour_id)
     insert into departures (org_id, id, code, tour_id, revision_id, starts_at, ends_at, time_zone, local_date, local_start_time, capacity)
     select $1, uuidv7(), 'GOLD-' || n, tour_id, id, start, start + interval '8 hours', 'UTC', start::date, start::time, 1000
     from revision, generate_series(1, 100) n, lateral (select date_trunc('day', now()) + make_interval(days => n - 30, hours => 9) as start) s`,
    [orgId],
  )
  await client.query(
    `with place as (select id, row_number() over (order by starts_at) - 1 as n from departures where org_id = $1),
     guest as (select id, row_number() over (order by id) as n from travelers where org_id = $1),
     party as (select guest.id as traveler_id, uuidv7() as id, place.id as departure_id, guest.n
       from guest join place on place.n = (guest.n / 5) % 100 where guest.n % 5 = 0),
     booking as (
       insert into bookings (org_id, id, booking_ref, departure_id, status, contact_name, units, pax, currency)
       select $1, id, 'BN-' || lpad(n::text, 6, '0'), departure_id, 'confirmed', 'Guest ' || n,
         '[{"unitType": "adult", "qty": 1, "paxCount": 1, "priceMinor": 8900}]', 1, 'EUR' from party returning id)
     insert into manifest_entries (org_id, id, booking_id, departure_id, traveler_id, unit_type)
     select $1, uuidv7(), party.id, party.departure_id, party.traveler_id, 'adult' from party join booking using (id)`,
    [orgId],
  )
}
