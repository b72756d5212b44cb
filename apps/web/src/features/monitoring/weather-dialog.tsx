import { useQuery } from '@tanstack/react-query'
import {
  endWeatherWarning,
  listWeatherWarnings,
  type WeatherWarning,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { CloudSun } from 'lucide-react'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatDayTimeThere, formatDistance, formatList, formatZone } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { SeverityChip } from './alert-card.tsx'
import { WeatherForm } from './weather-form.tsx'
import { WeatherSourceSection } from './weather-source.tsx'

/** Weather warnings with who stated them and until when, a form for a new one, and the address of a weather service. */
export function WeatherDialog({ onClose }: { onClose: () => void }) {
  const { can } = useAccess()
  const [isOver, setOver] = useState(false)
  const [isStating, setStating] = useState(false)
  const { data, error } = useQuery(callQuery(listWeatherWarnings, { over: isOver }))
  if (isStating && data) return <WeatherForm timeZone={data.timeZone} onClose={() => setStating(false)} />
  return (
    <Dialog
      open
      wide
      dismissible
      onClose={onClose}
      title={m.monitoring_weather_title()}
      actions={
        <>
          <Button onClick={onClose}>{m.ui_close()}</Button>
          {can('alerts:manage') && (
            <Button variant="primary" disabled={!data} onClick={() => setStating(true)}>
              {m.monitoring_weather_state()}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <Segments
          label={m.monitoring_weather_title()}
          value={isOver ? 'over' : 'current'}
          onChange={(key) => setOver(key === 'over')}
          items={[
            { key: 'current', label: m.monitoring_weather_current() },
            { key: 'over', label: m.monitoring_weather_over() },
          ]}
        />
        {error && !data && <Banner tone="bad">{refusalText(error)}</Banner>}
        {!data && !error && <SkeletonRows rows={3} />}
        {data && <Warnings {...data} isOver={isOver} mayEnd={can('alerts:manage')} />}
        {can('settings:manage') && <WeatherSourceSection />}
      </div>
    </Dialog>
  )
}

interface WarningsProps {
  warnings: readonly WeatherWarning[]
  timeZone: string
  isOver: boolean
  mayEnd: boolean
}

function Warnings({ warnings, timeZone, isOver, mayEnd }: WarningsProps) {
  const say = (error: unknown) => toast(refusalText(error))
  const end = useCall(endWeatherWarning, {
    onError: say,
    onSuccess: ({ id, version }, { ended }) => {
      if (!ended) return
      toast(m.monitoring_weather_ended_toast(), {
        label: m.ui_undo(),
        onPress: () => end.mutate({ id, version, ended: false }),
      })
    },
  })
  if (warnings.length === 0)
    return (
      <Empty icon={CloudSun} title={isOver ? m.monitoring_weather_none_over() : m.monitoring_weather_none()}>
        {m.monitoring_weather_none_text()}
      </Empty>
    )
  return (
    <ul className="divide-y divide-line border-y border-line">
      {warnings.map((warning) => (
        <li key={warning.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
          <div className="min-w-0 flex-1 basis-72">
            <p className="flex flex-wrap items-center gap-2">
              <SeverityChip severity={warning.severity} />
              <bdi className="font-semibold break-words text-ink-strong">{warning.title}</bdi>
            </p>
            <p className="mt-1 break-words whitespace-pre-line">
              <bdi>{warning.text}</bdi>
            </p>
            <p className="num mt-1 text-xs text-ink-2">
              {m.monitoring_weather_when({
                from: formatDayTimeThere(warning.startsAt, timeZone),
                until: formatDayTimeThere(warning.endsAt, timeZone),
              })}
              {` · ${whereText(warning.where)} · ${m.monitoring_weather_departures({ count: warning.departures })}`}
            </p>
            <p className="text-xs text-ink-2">{originText(warning, timeZone)}</p>
          </div>
          {mayEnd && !isOver && (
            <Button
              size="sm"
              pending={end.isPending && end.variables.id === warning.id}
              onClick={() => end.mutate({ id: warning.id, version: warning.version, ended: true })}
            >
              {m.monitoring_weather_end()}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function whereText({ kind, zones, named, area }: WeatherWarning['where']): string {
  if (kind === 'everything') return m.monitoring_weather_where_everything()
  if (kind === 'bases') return formatList(zones.map(formatZone))
  if (kind !== 'area') return formatList(named.map(({ name }) => name))
  return area?.kind === 'circle'
    ? m.monitoring_weather_where_circle({
        distance: formatDistance(area.radiusM),
        place: area.center
          .toReversed()
          .map((degrees) => degrees.toFixed(3))
          .join(', '),
      })
    : m.monitoring_weather_where_outline()
}

function originText(
  { isReported, statedByName, statedAt, endedAt, endedByName }: WeatherWarning,
  zone: string,
): string {
  const time = formatDayTimeThere(statedAt, zone)
  const stated = isReported
    ? m.monitoring_weather_reported({ time })
    : m.monitoring_weather_stated_by({ time, name: statedByName ?? '' })
  if (endedAt === null) return stated
  const end = formatDayTimeThere(endedAt, zone)
  const ended =
    endedByName === null
      ? m.monitoring_weather_ended({ time: end })
      : m.monitoring_weather_ended_by({ time: end, name: endedByName })
  return `${stated} · ${ended}`
}
