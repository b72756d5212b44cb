import type pg from 'pg'
import { EmbeddedAccounts } from '../apps/server/src/platform/identity/embedded-accounts.ts'

/**
 * What an expert would write by hand for the manifest of `manifestCsv`: its rows in a staging table, then one statement for each table, with
 * every trigger, index and constraint. Nothing is read from a file, compared, or kept for an undo.
 *
 * @param addDepartures Puts the departures there that the rows name.
 * @returns seconds.
 */
export async function insertByHand(
  pool: pg.Pool,
  rows: number,
  addDepartures: (orgId: string) => Promise<void>,
): Promise<number> {
  const { orgId } = await new EmbeddedAccounts(pool).createOrganization({ name: 'Floor', slug: 'floor', members: [] })
  await addDepartures(orgId)
  const client = await pool.connect()
  try {
    const startedAt = performance.now()
    await client.query('begin; set local statement_timeout = 0')
    await client.query(
      `create temp table staged on commit drop as
       select n, uuidv7() as traveler, uuidv7() as booking, d.id as departure, 1 + n % 977 as number, n % 2 = 0 as is_adult
       from generate_series(0, $2::int - 1) n join departures d on d.org_id = $1 and d.code = 'GOLD-' || (1 + n / 100)`,
      [orgId, rows],
    )
    await client.query('analyze staged')
    for (const statement of statements) await client.query(statement, [orgId])
    await client.query('commit')
    return (performance.now() - startedAt) / 1000
  } finally {
    client.release()
  }
}

/** The booking of a party is that of its adult, the line before the child's. */
const booked = `join staged p on p.n = s.n - s.n % 2`
const statements = [
  `insert into travelers (org_id, id, first_name, last_name, nationality, languages, email, phone, dietary)
   select $1, traveler, 'Amara' || number, 'Nyström', case when n % 3 = 0 then 'DE' else 'GB' end, '{en}', 'guest' || n || '@example.com',
     '+44770' || lpad(n::text, 7, '0'), case when n % 5 = 0 then array['vegan'] else '{}' end from staged s order by n`,
  `insert into traveler_private (org_id, traveler_id, date_of_birth) select $1, traveler, date '1950-01-11' + n % 9000 from staged s order by n`,
  `insert into traveler_documents (org_id, id, traveler_id, kind, expires_on) select $1, uuidv7(), traveler, 'passport', '2033-05-05'
   from staged s where n % 4 = 0 order by n`,
  `with made as (
     insert into bookings (org_id, id, booking_ref, departure_id, status, channel, seller_name, external_ref, contact_name, contact_email,
       contact_phone, contact_locale, units, pax, amount_total_minor, amount_paid_minor, currency)
     select $1, booking, 'BN-' || lpad(n::text, 6, '0'), departure, 'confirmed', 'ota', 'fjordsales', 'FJ-' || n, 'Amara' || number || ' Nyström',
       'guest' || n || '@example.com', '+44770' || lpad(n::text, 7, '0'), 'en',
       '[{"unitType": "adult", "qty": 1, "paxCount": 1, "priceMinor": 4900}, {"unitType": "child", "qty": 1, "paxCount": 1, "priceMinor": 2500}]',
       2, 7400, 7400, 'EUR' from staged s where is_adult order by n
     returning id, amount_paid_minor, currency)
   insert into payments (org_id, id, booking_id, kind, amount_minor, currency, received_at, recorded_by)
   select $1, uuidv7(), id, 'payment', amount_paid_minor, currency, now(), 'bench' from made`,
  `insert into manifest_entries (org_id, id, departure_id, booking_id, traveler_id, unit_type)
   select $1, uuidv7(), s.departure, p.booking, s.traveler, case when s.is_adult then 'adult' else 'child' end from staged s ${booked} order by s.n`,
]
