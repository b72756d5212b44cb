import { createHash } from 'node:crypto'
import { trackingConsentVersion } from '@tour-ops/contract/tracking/duty'
import type pg from 'pg'

/** A paired phone of somebody who is on duty and has agreed to be seen. */
export interface DutyPhone {
  readonly deviceId: string
  readonly staffId: string
  readonly token: string
}

/** People on duty since three hours with a phone each, written as the owner of the database. @param tokens One for each phone. */
export async function addDutyPhones(
  ownerPool: pg.Pool,
  orgId: string,
  tokens: readonly string[],
): Promise<DutyPhone[]> {
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
  const { rows } = await ownerPool.query<{ staffId: string; deviceId: string; place: number }>(
    `with person as (
       insert into field_staff (org_id, id, code, first_name, last_name)
       select $1, uuidv7(), 'P' || n, 'Guide', n::text from generate_series(1, cardinality($2::text[])) n
       returning id, last_name::int as place),
     duty as (
       insert into duty_sessions (org_id, id, staff_id, started_at, consent_version)
       select $1, uuidv7(), id, now() - interval '3 hours', $3 from person),
     device as (
       insert into devices (org_id, id, label, staff_id, token_hash, token_expires_at)
       select $1, uuidv7(), 'Phone', id, decode(($2::text[])[place], 'hex'), now() + interval '1 day' from person returning id, staff_id)
     select staff_id as "staffId", device.id as "deviceId", place from device join person on person.id = staff_id order by place`,
    [orgId, hashes, trackingConsentVersion],
  )
  return rows.map(({ staffId, deviceId, place }) => ({ staffId, deviceId, token: tokens[place - 1] ?? '' }))
}
