import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { lockSeats } from '../../platform/operations/seats.ts'

/**
 * Ends holds, also those of booking forms, and proposals whose time is over in every organization, and offers their seats to those who wait. A job runs it every minute, so
 * that seats become free without a request; a booking made meanwhile sweeps the departure first anyway.
 *
 * @returns departures that had a hold expire.
 */
export async function sweepExpiredHolds(
  services: Pick<Services, 'db' | 'clock' | 'log' | 'channels'>,
): Promise<number> {
  const scope = { actor: { kind: 'system', id: null }, action: 'holds-sweep', clock: services.clock } as const
  const organizations = await services.db.transaction({ ...scope, orgId: null, requestId: newId() }, async (tx) => {
    const { rows } = await sql<{ orgId: string }>`select org_id as "orgId" from organization_ids()`.execute(tx)
    return rows.map((row) => row.orgId)
  })
  let swept = 0
  for (const orgId of organizations) {
    const ids = await services.db.transaction({ ...scope, orgId, requestId: newId() }, (tx) =>
      staleDepartures(tx, orgId),
    )
    // One transaction each: a busy departure must not keep the seats of the others.
    for (const id of ids) {
      await services.db.transaction({ ...scope, orgId, requestId: newId() }, (tx) =>
        lockSeats({ tx, orgId, channels: services.channels }, [id]),
      )
    }
    swept += ids.length
  }
  if (swept > 0) services.log.info({ departures: swept }, 'holds ran out')
  return swept
}

async function staleDepartures(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select departure_id as id from bookings where org_id = ${orgId} and status = 'on_hold' and expires_at <= app_now()
    union select coalesce(to_departure_id, from_departure_id) from proposals where org_id = ${orgId} and outcome is null and expires_at <= app_now()
    union select departure_id from form_holds where org_id = ${orgId} and expires_at <= app_now()`.execute(tx)
  return rows.map((row) => row.id)
}
