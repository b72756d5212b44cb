import { usualPoorestStars } from '@tour-ops/contract/reports/poor-rating'
import { type RawBuilder, sql } from 'kysely'

/** Stars, as columns or values; null for a guide who was not rated. */
interface Rated {
  readonly tour: RawBuilder<unknown>
  readonly guide: RawBuilder<unknown>
}

/** Whether a party was unhappy with its tour or who led it, by the limit that the organization has set. */
export const isPoor = (
  orgId: string,
  { tour, guide }: Rated,
): RawBuilder<boolean> => sql<boolean>`(least(${tour}, ${guide}) <= (
  select coalesce((s.notification_rules ->> 'poorestStars')::int, ${usualPoorestStars}) from org_settings s where s.org_id = ${orgId}))`
