import { isCountOpen } from '@tour-ops/contract/departures/stop-progress'
import { isRunning } from '@tour-ops/contract/state-machines'
import { Clock, LogOut, MapPin, Navigation, Users } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { formatAge, formatDistance, formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { StatusTag, Ticks } from '../components/marks.tsx'
import { ReasonSheet } from '../components/reason-sheet.tsx'
import { stopDetail } from '../components/stop-labels.ts'
import { waitingStopMarkOf } from '../rules/guest-marks.ts'
import { arrivalOf, leavingOf, mapLinkOf, marksOf, metersToStop, type StopTime } from '../rules/way.ts'
import { phone, usePhone } from '../store/phone.ts'
import type { ShownDeparture, ShownStop } from '../store/shown-day.ts'

export interface NextStopProps {
  shown: ShownDeparture
  stop: ShownStop
  now: number
  /** Whether its mark is the one filled button of the page. */
  isMain: boolean
}

/** Where they are or come next, in the largest type of the page, with what is done there. */
export function NextStop({ shown, stop, now, isMain }: NextStopProps) {
  const { departure } = shown
  const zone = departure.timeZone
  const isHere = stop.status === 'arrived'
  const time = isHere ? leavingOf(stop) : arrivalOf(stop)
  const number = departure.stops.indexOf(stop) + 1
  const isUnderWay = isRunning(departure)
  const label = isHere ? m.duty_here() : m.duty_next()
  return (
    <section className="grid gap-3 p-4" aria-label={stop.placeName}>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="duty-quiet">
            {label} · {m.duty_stop_of({ number, of: departure.stops.length })}
          </p>
          <StatusTag shown={shown} now={now} />
        </div>
        <h2 className="duty-place">{stop.placeName}</h2>
        <div className="flex flex-wrap items-center gap-x-4">
          <Ltr className="duty-time-next">
            {time.kind === 'estimate' && '~'}
            {formatTime(time.at, zone)}
          </Ltr>
          <TimeText time={time} zone={zone} now={now} isUnderWay={isUnderWay} stop={stop} />
        </div>
      </div>
      {isHere && stop.kind !== 'end' && (
        <p className="duty-note tone-warn">
          <Clock size={20} aria-hidden />
          <span>
            <b>{m.duty_leave_at({ time: formatTime(time.at, zone) })}</b>
            {stop.actualArriveAt !== null && (
              <span className="duty-quiet">
                {' '}
                {m.duty_here_since({ time: formatTime(stop.actualArriveAt, zone) })}{' '}
                <Ticks mark={stop.mark} size={18} />
              </span>
            )}
          </span>
        </p>
      )}
      {stopDetail(stop) !== '' && <p>{stopDetail(stop)}</p>}
      <StopActions shown={shown} stop={stop} isMain={isMain} />
    </section>
  )
}

function TimeText({
  time,
  zone,
  now,
  isUnderWay,
  stop,
}: {
  time: StopTime
  zone: string
  now: number
  isUnderWay: boolean
  stop: ShownStop
}) {
  const place = usePhone((state) => state.place)
  const meters = isUnderWay ? metersToStop(stop, place) : null
  const parts = [
    isUnderWay && time.kind !== 'actual' && formatAge(time.at, now),
    meters !== null && m.duty_away({ distance: formatDistance(meters) }),
  ].filter((part) => part !== false)
  return (
    <p className="min-w-0">
      {parts.length > 0 && <span className="block">{parts.join(' · ')}</span>}
      {time.kind === 'estimate' && <span className="sr-only">{m.duty_estimate()}</span>}
      {time.struck !== null && (
        <span className="duty-quiet block">
          {m.duty_plan({ time: '' }).trim()} <s className="num">{formatTime(time.struck, zone)}</s>
        </span>
      )}
    </p>
  )
}

function StopActions({ shown, stop, isMain }: Omit<NextStopProps, 'now'>) {
  const [asked, setAsked] = useState<'skipped' | 'planned' | null>(null)
  const isSeen = usePhone((state) => state.tracking === 'on')
  const kept = usePhone((state) => state.kept)
  const marks = marksOf(shown, stop)
  const map = mapLinkOf(stop)
  const main = isMain ? 'duty-btn duty-btn-main flex-[3]' : 'duty-btn duty-btn-tall duty-btn-accent flex-[3]'
  const mark = (to: 'arrived' | 'departed' | 'skipped' | 'planned', reason: string | null = null) => {
    setAsked(null)
    void phone().record({ kind: 'stop', departureId: shown.id, stopId: stop.id, to, reason })
  }
  const takeBack = async () => {
    const waiting = waitingStopMarkOf(kept, stop.id)
    if (waiting === null || !(await phone().takeBack([waiting]))) setAsked('planned')
  }
  const countHref = `/tours/${shown.id}/count/${stop.id}`
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {map !== null && (
          <a href={map} target="_blank" rel="noreferrer" className="duty-btn duty-btn-tall flex-[2]">
            <Navigation size={20} aria-hidden />
            {m.duty_navigate()}
          </a>
        )}
        {marks.includes('arrived') && (
          <button type="button" className={main} onClick={() => mark('arrived')}>
            <MapPin size={20} aria-hidden />
            {m.duty_arrived()}
          </button>
        )}
        {marks.includes('departed') &&
          (isCountOpen(stop) ? (
            <Link href={countHref} className={main}>
              <Users size={20} aria-hidden />
              {m.duty_count_depart()}
            </Link>
          ) : (
            <button type="button" className={main} onClick={() => mark('departed')}>
              <LogOut size={20} aria-hidden />
              {m.duty_depart()}
            </button>
          ))}
      </div>
      {marks.includes('arrived') && isSeen && <p className="duty-small duty-quiet text-center">{m.duty_gps_marks()}</p>}
      <div className="flex flex-wrap justify-center gap-x-4">
        {marks.includes('skipped') && (
          <button type="button" className="duty-link" onClick={() => setAsked('skipped')}>
            {m.duty_skip()}
          </button>
        )}
        {marks.includes('departed') && !isCountOpen(stop) && (
          <Link href={countHref} className="duty-link">
            {m.duty_count()}
          </Link>
        )}
        {marks.includes('departed') && (
          <button type="button" className="duty-link" onClick={() => void takeBack()}>
            {stop.mark === 'phone' ? m.duty_undo() : m.duty_take_back()}
          </button>
        )}
      </div>
      {asked !== null && (
        <ReasonSheet
          title={
            asked === 'skipped'
              ? m.duty_skip_title({ place: stop.placeName })
              : m.duty_take_back_title({ place: stop.placeName })
          }
          confirm={asked === 'skipped' ? m.duty_skip() : m.duty_take_back()}
          isNeeded
          onClose={() => setAsked(null)}
          onConfirm={(reason) => mark(asked, reason)}
        />
      )}
    </>
  )
}
