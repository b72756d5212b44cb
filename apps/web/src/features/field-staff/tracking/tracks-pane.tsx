import { Link, linkOptions } from '@tanstack/react-router'
import { grants, roles } from '@tour-ops/contract/identity/access'
import { listDuty } from '@tour-ops/contract/tracking/duty'
import type { Track } from '@tour-ops/contract/tracking/tracks'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { useAccess } from '../../../identity/access.ts'
import { roleName } from '../../../identity/role-name.ts'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { DateInput } from '../../../ui/date-field.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Field } from '../../../ui/field.tsx'
import {
  addDays,
  formatDistance,
  formatDuration,
  formatList,
  formatLocalDay,
  formatTimeToTheSecond,
  localDateOf,
  viewerZone,
} from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { LoadingBar } from '../../../ui/progress.tsx'
import { PositionAsk, ReplayBar, type SeenSubject, TrackFileMenu, useReplay } from '../../tracking/index.ts'
import { askedOf, keyOf, type TrackKey } from './chosen-tracks.ts'
import { DayCourse } from './day-course.tsx'
import type { GraphMeasure } from './graph-lines.ts'
import { silenceOf, trackAt, type TrackMoment } from './track-at.ts'
import { MeasureChoice, measureText, TrackGraph } from './track-graph.tsx'
import { TrackNumber } from './track-number.tsx'
import { TracksMap } from './tracks-map.tsx'
import { useTracks } from './use-tracks.ts'

export interface TracksPaneProps {
  keys: readonly TrackKey[]
  onKeys: (keys: readonly TrackKey[]) => void
  /** `2026-11-25` */
  day: string
  onDay: (day: string) => void
  /** The latest one. */
  today: string
  measure: GraphMeasure
  onMeasure: (measure: GraphMeasure) => void
  /** Epoch milliseconds; null is the end of the day. */
  begin: number | null
  /** Where the replay came to rest; null at the end. */
  onRest: (at: number | null) => void
  people: readonly SeenSubject[]
  now: number
}

/** How far an arrow key goes, ms. */
const steps = { arrow: 10_000 }

/** The address gets the moment when it has not been moved for this long. */
const restMs = 400

/** Where the chosen people and vehicles were on a day: map, graph, replay and the course of the day, all at one moment. */
export function TracksPane(props: TracksPaneProps) {
  const { keys, onKeys, day, today, measure, onMeasure, begin, onRest, people, now } = props
  const mayLook = useAccess().can('tracking:history')
  const { query, tracks, span, events, stops } = useTracks(keys, day, day === today)
  const replay = useReplay(span, begin)
  const moments = tracks.map((track) => trackAt(track, replay.at))
  useRest(replay.isPlaying, replay.at >= span.to ? null : replay.at, begin, onRest)
  const hasPoints = tracks.some(({ points }) => points.length > 0)
  const isShown = keys.length > 0 && mayLook
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3">
      <section aria-label={m.tracking_pane()} className="card relative flex min-h-0 flex-1 flex-col overflow-y-auto">
        {query.isFetching && isShown && (
          <div className="appear-late absolute inset-x-0 top-0 z-10">
            <LoadingBar label={m.ui_table_updating()} />
          </div>
        )}
        {isShown && <Head {...props} />}
        {isShown && query.error && (
          <ErrorPanel
            message={refusalText(query.error)}
            requestId={query.error.details.requestId}
            onRetry={() => void query.refetch()}
          />
        )}
        {isShown && <Legend tracks={tracks} moments={moments} measure={measure} keys={keys} onKeys={onKeys} />}
        {isShown && <AskOne {...props} />}
        {(keys.length > 0 || people.length > 0) && (
          <div className="group relative min-h-48 flex-1 bg-[var(--sea)]">
            <div className="absolute inset-0">
              <TracksMap
                tracks={tracks}
                moments={moments}
                stops={hasPoints ? stops : []}
                people={people}
                now={now}
                fitKey={`${tracks.map(({ subject }) => subject.id).join()} ${day} ${hasPoints}`}
                onSeek={replay.seek}
                onChoose={mayLook ? (key) => onKeys([key]) : undefined}
              />
            </div>
            <p className="pointer-events-none absolute end-2 bottom-2 rounded-full bg-surface/80 px-2.5 text-2xs text-ink-2 group-has-data-own-tiles:hidden">
              Natural Earth · GeoNames
            </p>
          </div>
        )}
        {!mayLook && <WhoMayLook />}
        {mayLook && keys.length === 0 && (
          <p className="px-4 py-3 text-ink-2">
            {people.length > 0 ? m.tracking_pane_hint() : m.tracking_pane_nobody()}
          </p>
        )}
        {isShown && query.data && !hasPoints && !query.isPlaceholderData && <NothingThere {...props} />}
        {isShown && hasPoints && (
          <div className="grid gap-1 px-4 pt-3 pb-2">
            <TrackGraph {...{ tracks, events, span, measure }} at={replay.at} onSeek={replay.seek} />
            <ReplayBar {...{ span, replay, steps }} momentText={formatTimeToTheSecond}>
              <output className="num min-w-20 font-medium text-ink-strong">{formatTimeToTheSecond(replay.at)}</output>
              <span className="ms-auto">
                <MeasureChoice {...{ measure, onMeasure }} />
              </span>
            </ReplayBar>
          </div>
        )}
      </section>
      {isShown && hasPoints && <DayCourse events={events} at={replay.at} onSeek={replay.seek} />}
    </div>
  )
}

/** Reports where the replay stopped, once it has. */
function useRest(isPlaying: boolean, at: number | null, begin: number | null, onRest: (at: number | null) => void) {
  const tell = useEffectEvent((where: number | null) => {
    if (where !== begin) onRest(where)
  })
  useEffect(() => {
    if (isPlaying) return
    const timer = setTimeout(() => tell(at), restMs)
    return () => clearTimeout(timer)
  }, [isPlaying, at])
}

function Head({ keys, onKeys, day, onDay, today }: TracksPaneProps) {
  const { from, to, staffId, vehicleId } = askedOf(keys, day, viewerZone())
  const go = (next: string) => next <= today && onDay(next)
  return (
    <header className="flex flex-wrap items-center gap-1 border-b border-line px-4 py-2">
      <IconButton label={m.tracking_day_before()} icon={ChevronLeft} onClick={() => go(addDays(day, -1))} />
      <Field label={m.tracking_day()} hideLabel className="w-36">
        <DateInput value={day} max={today} onChange={(next) => next !== '' && go(next)} />
      </Field>
      <IconButton
        label={m.tracking_day_after()}
        icon={ChevronRight}
        disabled={day >= today}
        onClick={() => go(addDays(day, 1))}
      />
      <span className="ms-auto flex items-center gap-1">
        <TrackFileMenu label={m.tracking_file_day()} {...{ staffId, vehicleId, from, to }} />
        <IconButton label={m.tracking_clear()} icon={X} onClick={() => onKeys([])} />
      </span>
    </header>
  )
}

/** Where the one person who is chosen is now: of a day that is over nobody asks that. */
function AskOne({ keys, day, today }: TracksPaneProps) {
  const [staffId, ...others] = askedOf(keys, day, viewerZone()).staffId
  if (staffId === undefined || others.length > 0 || keys.length > 1 || day !== today) return null
  return (
    <div className="shrink-0 border-b border-line">
      <PositionAsk staffId={staffId} />
    </div>
  )
}

interface LegendProps {
  tracks: readonly Track[]
  moments: readonly (TrackMoment | null)[]
  measure: GraphMeasure
  keys: readonly TrackKey[]
  onKeys: (keys: readonly TrackKey[]) => void
}

/** Each track with its number and color, and what is known of it at the moment. */
function Legend({ tracks, moments, measure, keys, onKeys }: LegendProps) {
  return (
    <ul aria-label={m.tracking_pane()} className="max-h-40 shrink-0 overflow-y-auto border-b border-line px-4 py-1">
      {tracks.map(({ subject, gaps, meters }, at) => (
        <li key={subject.id} className="flex items-center gap-2 py-1">
          <TrackNumber at={at} />
          <Link {...detailsOf(subject)} className="link max-w-[55%] shrink-0 truncate">
            {subject.name}
          </Link>
          <span className="num min-w-0 truncate text-xs text-ink-2">
            {formatDistance(meters)}
            <Silence gaps={gaps} />
          </span>
          <span className="num ms-auto shrink-0 text-ink-strong">{momentText(moments[at] ?? null, measure)}</span>
          <IconButton
            small
            label={m.tracking_remove({ name: subject.name })}
            icon={X}
            iconSize={15}
            onClick={() => onKeys(keys.filter((key) => key !== keyOf(subject)))}
          />
        </li>
      ))}
    </ul>
  )
}

const detailsOf = ({ kind, id }: Track['subject']) =>
  kind === 'staff'
    ? linkOptions({ to: '/field-staff/details/$id', params: { id } })
    : linkOptions({ to: '/vehicles/details/$id', params: { id } })

function Silence({ gaps }: Pick<Track, 'gaps'>) {
  const { count, ms } = silenceOf(gaps)
  return count > 0 && ` · ${m.tracking_gaps({ count, time: formatDuration(ms / 60_000) })}`
}

const momentValues = {
  speed: ({ speedMps }: TrackMoment) => speedMps,
  altitude: ({ altitudeM }: TrackMoment) => altitudeM,
  battery: ({ batteryPct }: TrackMoment) => batteryPct,
} as const

function momentText(moment: TrackMoment | null, measure: GraphMeasure): string {
  if (moment === null) return m.tracking_not_seen()
  if (moment.isSilent) return m.tracking_gap_no_signal()
  const value = momentValues[measure](moment)
  return value === null ? '–' : measureText[measure](value)
}

/** The day of the last duty, where there is nothing on the one that is shown. */
function NothingThere({ keys, day, onDay }: TracksPaneProps) {
  const { from, staffId, vehicleId } = askedOf(keys, day, viewerZone())
  const filters = staffId.length > 0 ? { staffId } : { vehicleId }
  const { data } = useQuery(callQuery(listDuty, { filters: { ...filters, to: from }, size: 1 }))
  const last = data?.rows[0] && localDateOf(data.rows[0].startedAt)
  return (
    <Empty
      title={m.tracking_none_day({ day: formatLocalDay(day) })}
      actions={
        last !== undefined &&
        last < day && <Button onClick={() => onDay(last)}>{m.tracking_last_duty({ day: formatLocalDay(last) })}</Button>
      }
    >
      {m.tracking_none_text()}
    </Empty>
  )
}

/** Where people were is for few; who that is, is no secret. */
function WhoMayLook() {
  const may = roles.filter((role) => grants[role]['tracking:history'] === 'all').map(roleName)
  return <Banner title={m.tracking_history_title()}>{m.tracking_history_who({ roles: formatList(may) })}</Banner>
}
