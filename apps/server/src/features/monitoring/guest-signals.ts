import { type RawBuilder, sql } from 'kysely'
import { isRunning } from '../../platform/operations/departure-phase.ts'
import { missingDocuments } from '../../platform/operations/missing-documents.ts'
import { statuses } from '../../platform/operations/status-sets.ts'
import { ahead } from './alert-ahead.ts'

// What the manifest of departures `d` says of guests. Alerts count them and name none. See docs/domain.md, "Alerts".

/** Somebody has decided that they do not come: the office calls them, and what follows for their booking is its work. */
const noShow: RawBuilder<unknown> = sql`
  select 'no_show', 'info', 'departure', d.id::text, d.id, concat(absent.guests, ' of ', absent.expected, ' guests did not show up'),
    jsonb_build_object('guests', absent.guests, 'expected', absent.expected)
  from d cross join lateral (
    select (count(*) filter (where m.status = 'no_show'))::int as guests, count(*)::int as expected
    from manifest_entries m where m.org_id = d.org_id and m.departure_id = d.id and m.status <> 'cancelled'
  ) absent
  where ${isRunning} and absent.guests > 0`

const documentMissing = (orgId: string): RawBuilder<unknown> => sql`
  select 'document_missing', case when d.starts_at <= app_now() + make_interval(hours => ${ahead.documentsUrgentHours}::int) then 'warning' else 'info' end,
    'departure', d.id::text, d.id, concat('No valid passport or identity card of ', lacking.missing, ' guests'),
    jsonb_build_object('guests', lacking.missing, 'startsAt', d.starts_at)
  from (${missingDocuments(
    orgId,
    sql`array(select soon.id from d soon where soon.status in ${statuses.notLeft}
      and soon.starts_at <= app_now() + make_interval(days => ${ahead.documentsDays}::int))`,
  )}) lacking join d on d.id = lacking.departure_id`

export const guestKinds = ['no_show', 'document_missing'] as const

/** One part of a union for each kind, over departures `d`. */
export const guestSignals = (orgId: string): readonly RawBuilder<unknown>[] => [noShow, documentMissing(orgId)]
