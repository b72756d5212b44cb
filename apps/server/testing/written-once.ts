import type pg from 'pg'

/**
 * Records that a call created and changed again before it ended, as `travelers-create: travelers insert, update`. A creation writes once:
 * one version of the row, one entry of the audit log. What a test writes in its own transaction is not checked. Seats of a departure are counted
 * by its bookings, which an import makes in the same call, and a file that the server makes is announced before its content is stored. What a phone
 * kept comes in one call: where somebody called for help several times meanwhile, all of it is one alert, which says where they were last.
 */
export async function recordsWrittenTwice(ownerPool: pg.Pool): Promise<string[]> {
  const { rows } = await ownerPool.query<{ line: string }>(
    `select distinct action || ': ' || entity_type || ' ' || ops as line from (
       select action, entity_type, string_agg(op, ', ' order by id) as ops from audit_entries
       where request_id <> '' and action <> 'test' and entity_type <> 'files'
         and not (entity_type = 'departures' and op = 'update' and diff - '{seats_confirmed,seats_held,version}'::text[] = '{}')
         and not (action = 'duty-send' and entity_type = 'alerts' and op = 'update' and diff - '{place,evidence,version}'::text[] = '{}')
       group by org_id, request_id, action, entity_type, entity_id
       having bool_or(op = 'insert') and count(*) > 1) twice order by 1`,
  )
  return rows.map(({ line }) => line)
}
