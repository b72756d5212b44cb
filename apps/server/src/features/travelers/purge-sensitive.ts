import { forgottenTables } from '@tour-ops/contract/sensitive-data'
import { sql } from 'kysely'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { isOut } from '../../platform/operations/departure-phase.ts'

/**
 * Deletes passports, medical notes, dates of birth and ages that were said at a sale a number of days after somebody's last tour, unless they agreed to be remembered.
 * Guests who have not traveled yet are kept. The days are a setting. See docs/domain.md, "Privacy".
 */
export const oldSensitiveData: OrganizationSweep = {
  action: 'sensitive-purge',
  async run(tx, orgId) {
    const tours = sql`select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
      where m.org_id = x.org_id and m.traveler_id = x.traveler_id and m.status <> 'cancelled'`
    const isOver = sql`exists (${tours}) and not exists (${tours} and (d.ends_at > app_now() - make_interval(days => s.sensitive_days) or ${isOut}))
      and not exists (select from traveler_private k where k.org_id = x.org_id and k.traveler_id = x.traveler_id and k.keep_by_consent)`
    for (const table of forgottenTables) {
      await sql`delete from ${sql.table(table)} x using org_settings s where x.org_id = ${orgId} and s.org_id = ${orgId} and ${isOver}`.execute(
        tx,
      )
    }
    // the seats stay, and with them what reports count
    await sql`update manifest_entries x set age = null, age_on = null from org_settings s
      where x.org_id = ${orgId} and s.org_id = ${orgId} and x.age is not null and ${isOver}`.execute(tx)
  },
}
