import type { AppError } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import { sql, type RawBuilder } from 'kysely'

/**
 * What of the certificates of a person `s` has ended before a day, to be joined laterally: `expired` (any), `guiding_expired` and
 * `driving_expired`; null where there is none. What was renewed counts as its newest; one licence for buses is enough, whatever became of
 * the other. Source: decision 0037.
 */
export const endedCertificates = (localDate: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select bool_or(ended) as expired, bool_and(ended) filter (where kind = 'national_guide_licence') as guiding_expired,
      bool_and(ended) filter (where kind in ('driving_D1', 'driving_D')) as driving_expired
    from (select c.kind, max(coalesce(c.valid_until, 'infinity')) < ${localDate}::date as ended
      from staff_certificates c where c.org_id = s.org_id and c.staff_id = s.id
      group by c.kind, case when c.kind = 'other' then c.id end) newest)`

/** The refusal of somebody who does not work here at the moment. */
export const staffNotActive = (name: string, status: string): AppError => refuse('staff_not_active', { name, status })

/** The refusal of somebody whose licence ends before the work that needs it. No reason overrides it. */
export const licenceExpired = (name: string): AppError => refuse('licence_expired', { name })
