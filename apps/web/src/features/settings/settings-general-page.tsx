import { useQuery } from '@tanstack/react-query'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { useState } from 'react'
import { readPageConfig } from '../../backend/page-config.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess, useAuth } from '../../identity/access.ts'
import { OrganizationLogo } from '../../identity/widgets/organization-logo.tsx'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { formatDayTime, formatZone, localDateOf } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { OrganizationCalendarFeed } from '../calendar-feeds/index.ts'
import { generalSections } from './general-sections.ts'
import { useSecondFactorSection } from './second-factor-rule.tsx'
import { SettingsEditor } from './settings-editor.tsx'
import { valueAt } from './settings-model.ts'
import type { SettingsWork } from './use-settings.ts'
import { awaitedStatuses } from '@tour-ops/contract/state-machines'

/** Name, logo, region, map and retention. See docs/screens.md, "Settings". */
export function SettingsGeneralPage() {
  const secondFactor = useSecondFactorSection()
  return (
    <SettingsEditor
      title={m.settings_general_title()}
      callables={{ get: getGeneralSettings, update: updateGeneralSettings }}
      sections={generalSections}
      extras={{
        organization: () => (
          <>
            <Logo />
            <OrganizationCalendarFeed />
          </>
        ),
        region: (work) => <NextDepartures zone={zoneOf(work)} />,
        map: () => <MapHosts />,
        routing: (work) => <RouterSilence zone={zoneOf(work)} />,
      }}
      after={secondFactor}
    />
  )
}

const zoneOf = ({ stored, changes }: SettingsWork): string => {
  const zone = changes['timeZone'] ?? valueAt(stored?.settings ?? {}, 'timeZone')
  return typeof zone === 'string' ? zone : 'UTC'
}

/** Saved at once, with the upload itself. */
function Logo() {
  const { organization } = useAuth()
  const mayChange = useAccess().can('settings:manage')
  if (!organization) return null
  return (
    <div className="border-t border-line px-4 py-3 lg:px-5">
      <p className="mb-2 font-medium text-ink-strong">{m.settings_logo()}</p>
      <OrganizationLogo organization={organization} mayChange={mayChange} />
    </div>
  )
}

/** Where maps may come from is decided by whoever runs the installation. */
function MapHosts() {
  const { mapHosts } = readPageConfig()
  return (
    <p className="border-t border-line px-4 py-3 text-xs text-ink-2 lg:px-5">
      {mapHosts.length > 0 ? m.settings_tiles_hosts({ hosts: mapHosts.join(', ') }) : m.settings_tiles_no_hosts()}
    </p>
  )
}

/** While the router that is saved does not answer. */
function RouterSilence({ zone }: { zone: string }) {
  const { data } = useQuery(callQuery(getGeneralSettings, {}))
  const since = data?.state.routerSilentSince
  if (!since) return null
  return (
    <Banner tone="warn" role="status">
      {m.settings_router_silent({ time: formatDayTime(since, zone) })}
    </Banner>
  )
}

/** Departures that the preview shows. */
const previewCount = 3

/** The next departures by the clock of the office, so that a wrong zone is seen before it is saved. */
function NextDepartures({ zone }: { zone: string }) {
  const mayRead = useAccess().can('departures:read')
  const [now] = useState(() => Date.now())
  const { data } = useQuery({
    ...callQuery(listDepartures, {
      filters: { from: localDateOf(now, zone), status: [...awaitedStatuses] },
      sort: [{ by: 'startsAt' }],
      size: previewCount,
    }),
    enabled: mayRead,
  })
  if (!data || data.rows.length === 0) return null
  return (
    <div className="border-t border-line px-4 py-3 lg:px-5" aria-live="polite">
      <p className="text-xs font-medium text-ink-2">{m.settings_zone_preview({ zone: formatZone(zone) })}</p>
      <ul className="mt-1">
        {data.rows.map((row) => (
          <li key={row.id} className="flex flex-wrap gap-x-3">
            <Ltr className="min-w-[112px]">{formatDayTime(row.startsAt, zone)}</Ltr>
            <span className="text-ink-strong">{row.tourName}</span>
            <span className="text-ink-2">
              {m.settings_zone_local({
                time: formatDayTime(row.startsAt, row.timeZone),
                zone: formatZone(row.timeZone),
              })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
