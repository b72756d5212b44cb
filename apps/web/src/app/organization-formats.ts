import { useQuery } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/session'
import { useEffect } from 'react'
import { callQuery } from '../backend/queries.ts'
import { setFormatRegion } from '../ui/format.ts'
import { setLateLimits } from './late-limits.ts'

/** Calendars begin, distances are written, zones are named and tours are late as the organization has set it. */
export function useOrganizationFormats(): void {
  const { data } = useQuery({ ...callQuery(getSession, {}), staleTime: 10 * 60_000 })
  const settings = data?.settings
  useEffect(() => {
    if (!settings) return
    setLateLimits(settings)
    // 0 is Sunday in the settings, 7 in the formats.
    setFormatRegion({
      firstWeekday: settings.weekStart === 0 ? 7 : settings.weekStart,
      units: settings.units,
      timeZone: settings.timeZone,
    })
  }, [settings])
}
