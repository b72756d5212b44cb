import { maxDayTracks, tracksOfDay } from '@tour-ops/contract/tracking/day-tracks'
import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { History } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import {
  formatDay,
  formatNumber,
  formatTime,
  formatZone,
  localDateOf,
  viewerZone,
  zonesDiffer,
} from '../../../ui/format.ts'
import { LoadingBar } from '../../../ui/progress.tsx'
import { ReplayBar, useReplay } from '../../tracking/index.ts'
import { useEscape } from '../use-escape.ts'
import type { EarlierProps, Replayed } from './earlier.tsx'
import { drawnMoment, peopleAt, planOf, spanOfDay, tracksListed } from './replayed-people.ts'

const minuteMs = 60_000
const steps = { arrow: minuteMs, page: 15 * minuteMs }

interface EarlierBarProps extends EarlierProps {
  onNow: () => void
}

/**
 * The day so far, replayed on the map. It is read once: each look is in the audit log, and what somebody looks at must not move. The next opening
 * reads it again.
 */
export function EarlierBar(props: EarlierBarProps) {
  const { onNow } = props
  const { data, error, refetch } = useQuery({
    ...callQuery(tracksOfDay, {}),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  // the list next to it stays as it is
  useEscape(onNow, true)
  return (
    <section
      aria-label={m.map_earlier()}
      className="absolute start-3 end-16 bottom-[calc(46%+0.75rem)] max-w-3xl overflow-hidden rounded-xl border border-line bg-surface shadow-float lg:start-[412px] lg:end-4 lg:bottom-9"
    >
      {error ? (
        <>
          <Head onNow={onNow}>{m.map_earlier()}</Head>
          <ErrorPanel message={refusalText(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
        </>
      ) : !data ? (
        <>
          <LoadingBar label={m.map_earlier_reading()} />
          <Head onNow={onNow}>{m.map_earlier_reading()}</Head>
        </>
      ) : data.tracks.length === 0 ? (
        <Head onNow={onNow}>{m.map_earlier_none()}</Head>
      ) : (
        <DayReplay {...props} day={data} />
      )}
    </section>
  )
}

/** What is shown in one line, and the way back. */
function Head({ onNow, children }: { onNow: () => void; children: ReactNode }) {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  return (
    <div className="flex items-center gap-3 py-1.5 ps-4 pe-2">
      <p role="status" className="min-w-0 flex-1 text-ink-strong">
        {children}
      </p>
      <Button size="sm" onClick={onNow} ref={back}>
        {m.map_earlier_back()}
      </Button>
    </div>
  )
}

interface DayReplayProps extends EarlierBarProps {
  day: Out<typeof tracksOfDay>
}

function DayReplay({ day, departures, selected, routes, q, zone, now, onShow, onNow }: DayReplayProps) {
  const span = useMemo(() => spanOfDay(day.tracks, day), [day])
  const replay = useReplay(span, null)
  const { at, isPlaying, speed } = replay
  const tracks = useMemo(
    () => tracksListed(day.tracks, { departures, selectedId: selected?.id, q }),
    [day, departures, selected?.id, q],
  )
  const drawnAt = drawnMoment(at, speed, isPlaying, span)
  const people = useMemo(() => ({ people: peopleAt(tracks, drawnAt), now: drawnAt }), [tracks, drawnAt])
  const content = useMemo(
    () => ({ marks: [], selected: selected && planOf(selected), routes, driven: [] }),
    [selected, routes],
  )
  const show = useEffectEvent((replayed: Replayed | undefined) => onShow(replayed))
  useEffect(() => show({ content, people }), [content, people])
  useEffect(() => () => show(undefined), [])
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => slider.current?.focus({ preventScroll: true }), [])
  const silent = people.people.filter(({ isSilent }) => isSilent).length
  const momentText = (moment: number) => momentOfDay(moment, now, zone)
  return (
    <>
      <div className="flex items-center gap-3 bg-still py-1.5 ps-4 pe-2 text-on-still">
        <History size={16} className="shrink-0" aria-hidden />
        {/* while it plays, each minute would be read out */}
        <b aria-live={isPlaying ? 'off' : 'polite'} className="num min-w-0 flex-1 font-semibold">
          {m.map_earlier_seen({ time: momentText(at) })}
        </b>
        <Button size="sm" onClick={onNow}>
          {m.map_earlier_back()}
        </Button>
      </div>
      <div className="px-4 pt-2.5 pb-2">
        <ReplayBar {...{ span, replay, steps, momentText, zone }} sliderRef={slider}>
          <p className="num min-w-0 flex-1 text-xs text-ink-2">
            <span className="text-ink">{m.map_earlier_count({ count: people.people.length })}</span>
            {silent > 0 && ` · ${m.map_earlier_silent({ count: silent })}`}
            <br />
            {m.map_earlier_list()}
          </p>
        </ReplayBar>
        <Notes {...{ day, zone, at }} isNobodyListed={tracks.length === 0} />
      </div>
    </>
  )
}

/** The time; with its day once that is not today any more. */
const momentOfDay = (at: number, now: number, zone: string): string =>
  localDateOf(at, zone) === localDateOf(now, zone)
    ? formatTime(at, zone)
    : `${formatDay(at, zone)} ${formatTime(at, zone)}`

interface NotesProps extends Pick<DayReplayProps, 'day' | 'zone'> {
  at: number
  isNobodyListed: boolean
}

/** What is not on the map, or not exactly; and whose clock it is where that is another one than the reader's. */
function Notes({ day: { leftOut, isRough }, zone, at, isNobodyListed }: NotesProps) {
  const notes = [
    isNobodyListed && m.map_earlier_none_listed(),
    leftOut > 0 && m.map_earlier_left_out({ count: leftOut, max: formatNumber(maxDayTracks) }),
    isRough && m.map_earlier_rough(),
    zonesDiffer(at, zone, viewerZone()) && m.map_times_in({ zone: formatZone(zone) }),
  ].filter((note) => note !== false)
  return notes.length > 0 && <p className="pt-1.5 text-xs text-ink-2">{notes.join(' ')}</p>
}
