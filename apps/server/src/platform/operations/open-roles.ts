import { type RawBuilder, sql } from 'kysely'
import { statuses } from './status-sets.ts'

/** `from …` with a row for each role (`needed.role`) that the tour `t` of a departure `d` requires and nobody has accepted. */
export const fromOpenRoles = (orgId: string, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  from departures d
    join tours t on t.org_id = d.org_id and t.id = d.tour_id
    cross join lateral jsonb_array_elements_text(t.required_roles) needed(role)
  where d.org_id = ${orgId} and d.status in ${statuses.notLeft} and ${condition}
    and not exists (select 1 from assignments a where a.org_id = d.org_id and a.departure_id = d.id
      and a.role = needed.role and a.status in ('accepted', 'on_duty'))`
