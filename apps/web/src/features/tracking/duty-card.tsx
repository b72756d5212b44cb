import { useQuery } from '@tanstack/react-query'
import { beginDutyFor, type DutySession, endDutyFor, listDuty } from '@tour-ops/contract/tracking/duty'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatDayTimeThere, formatDuration } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { PositionAsk } from './position-ask-later.ts'
import { onlyOf, type Subject } from './subject.ts'
import { TrackFileMenu } from './track-file-menu.tsx'

/** Sessions that are listed. */
const shown = 5

/**
 * When a person or a vehicle was on duty, whether its position may be taken, and for dispatchers how a duty begins and ends. That of a vehicle
 * begins with its departure only: its track is its driver's, whose consent counts.
 */
export function DutyCard({ of: subject }: { of: Subject }) {
  const { can } = useAccess()
  const { data } = useQuery(callQuery(listDuty, { filters: onlyOf(subject), size: shown }))
  const open = data?.rows.find(({ status }) => status === 'open')
  return (
    <Card
      title={m.tracking_duty()}
      actions={data && can('departures:dispatch') && <DutyButton subject={subject} open={open} />}
    >
      {open && 'staffId' in subject && <PositionAsk staffId={subject.staffId} />}
      {data ? <Sessions sessions={data.rows} subject={subject} /> : <SkeletonRows rows={1} />}
    </Card>
  )
}

function DutyButton({ subject, open }: { subject: Subject; open: DutySession | undefined }) {
  const say = (error: unknown) => toast(refusalText(error))
  const begin = useCall(beginDutyFor, { onError: say })
  const end = useCall(endDutyFor, { onError: say })
  if (open) {
    return (
      <Button pending={end.isPending} onClick={() => end.mutate({ id: open.id, version: open.version })}>
        {m.tracking_duty_end()}
      </Button>
    )
  }
  if (!('staffId' in subject)) return null
  return (
    <Button pending={begin.isPending} onClick={() => begin.mutate(subject)}>
      {m.tracking_duty_begin()}
    </Button>
  )
}

function Sessions({ sessions, subject }: { sessions: readonly DutySession[]; subject: Subject }) {
  const { can } = useAccess()
  const isPerson = 'staffId' in subject
  if (sessions.length === 0) {
    const none = isPerson ? m.tracking_duty_none() : m.tracking_duty_none_vehicle()
    return <p className="px-4 pb-4 text-ink-2">{none}</p>
  }
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 px-4 py-2.5">
          <div className="grid gap-0.5">
            <span className="flex flex-wrap gap-x-2">
              <b className="num font-medium text-ink-strong">{formatDayTimeThere(session.startedAt)}</b>
              <span className="num text-ink-2">{formatDuration(Math.floor(session.dutySeconds / 60))}</span>
            </span>
            <span className="text-ink-2">{stateText(session)}</span>
            {session.status === 'open' && session.consentVersion === null && (
              <span className="text-warn">
                {isPerson ? m.tracking_duty_not_seen() : m.tracking_duty_driver_not_seen()}
              </span>
            )}
          </div>
          {session.consentVersion !== null && can('tracking:history') && <SessionFileMenu of={session} />}
        </li>
      ))}
    </ul>
  )
}

const SessionFileMenu = ({ of: { staff, vehicle, startedAt, endedAt } }: { of: DutySession }) => (
  <TrackFileMenu
    label={m.tracking_file_of({ start: formatDayTimeThere(startedAt) })}
    staffId={staff ? [staff.id] : []}
    vehicleId={vehicle ? [vehicle.id] : []}
    from={startedAt}
    to={endedAt}
  />
)

function stateText({ status, breakStartedAt, endedBy }: DutySession): string {
  if (status === 'open') return breakStartedAt ? m.tracking_duty_on_break() : m.tracking_duty_open()
  return endedBy ? endLabels[endedBy]() : ''
}

const endLabels: Readonly<Record<NonNullable<DutySession['endedBy']>, () => string>> = {
  person: () => m.tracking_duty_ended_person(),
  dispatcher: () => m.tracking_duty_ended_dispatcher(),
  departure: () => m.tracking_duty_ended_departure(),
  limit: () => m.tracking_duty_ended_limit(),
}
