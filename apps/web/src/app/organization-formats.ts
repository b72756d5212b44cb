import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { getSession } from '@tour-ops/contract/identity/session'
import { callQuery } from '../backend/queries.ts'
import { setFormatRegion } from '../ui/format.ts'
import { setLateLimits } from './late-limits.ts'

type Settings = Out<typeof getSession>['settings']

/**
 * Calendars begin, distances are written, zones are named and tours are late as the organization has set it, from the moment on at which
 * the session is known: words that were written before would stay as they are, and the first screen has them in the same answer.
 */
export function followOrganizationFormats(cache: QueryClient): void {
  let known: Settings = null
  cache.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== getSession.name) return
    const settings = (query.state.data as Out<typeof getSession> | undefined)?.settings ?? null
    if (!settings || settings === known) return
    known = settings
    setLateLimits(settings)
    setFormatRegion({
      // 0 is Sunday in the settings, 7 in the formats.
      firstWeekday: settings.weekStart === 0 ? 7 : settings.weekStart,
      units: settings.units,
      timeZone: settings.timeZone,
      timeFormat: settings.timeFormat,
    })
  })
}

/** The settings that every screen needs; those of formats are followed already. */
export const useOrganizationSettings = (): Settings | undefined =>
  useQuery({ ...callQuery(getSession, {}), staleTime: 10 * 60_000 }).data?.settings
