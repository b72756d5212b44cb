import { useQuery } from '@tanstack/react-query'
import { beginDutyFor, type DutySession, endDutyFor, listDuty } from '@tour-ops/contract/tracking/duty'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalWords } from '../../errors/refusal-words.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { formatDayTimeThere, formatDuration } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

/** Sessions that are listed. */
const shown = 5

/** When a person was on duty, whether their position may be taken, and for dispatchers how a duty begins and ends. */
export function DutyCard({ staffId }: { staffId: string }) {
  const { can } = useAccess()
  const { data } = useQuery(callQuery(listDuty, { filters: { staffId: [staffId] }, size: shown }))
  const open = data?.rows.find(({ status }) => status === 'open')
  return (
    <Card
      title={m.tracking_duty()}
      actions={data && can('departures:dispatch') && <DutyButton staffId={staffId} open={open} />}
    >
      {data ? <Sessions sessions={data.rows} /> : <SkeletonRows rows={1} />}
    </Card>
  )
}

function DutyButton({ staffId, open }: { staffId: string; open: DutySession | undefined }) {
  const say = (error: unknown) => toast(refusalWords(error))
  const begin = useCall(beginDutyFor, { onError: say })
  const end = useCall(endDutyFor, { onError: say })
  return open ? (
    <Button pending={end.isPending} onClick={() => end.mutate({ id: open.id, version: open.version })}>
      {m.tracking_duty_end()}
    </Button>
  ) : (
    <Button pending={begin.isPending} onClick={() => begin.mutate({ staffId })}>
      {m.tracking_duty_begin()}
    </Button>
  )
}

function Sessions({ sessions }: { sessions: readonly DutySession[] }) {
  if (sessions.length === 0) return <p className="px-4 pb-4 text-ink-2">{m.tracking_duty_none()}</p>
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="grid gap-0.5 px-4 py-2.5">
          <span className="flex flex-wrap gap-x-2">
            <b className="num font-medium text-ink-strong">{formatDayTimeThere(session.startedAt)}</b>
            <span className="num text-ink-2">{formatDuration(Math.floor(session.dutySeconds / 60))}</span>
          </span>
          <span className="text-ink-2">{stateWords(session)}</span>
          {session.status === 'open' && session.consentVersion === null && (
            <span className="text-warn">{m.tracking_duty_not_seen()}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function stateWords({ status, breakStartedAt, endedBy }: DutySession): string {
  if (status === 'open') return breakStartedAt ? m.tracking_duty_on_break() : m.tracking_duty_open()
  return endedBy ? endWords[endedBy]() : ''
}

const endWords: Readonly<Record<NonNullable<DutySession['endedBy']>, () => string>> = {
  person: () => m.tracking_duty_ended_person(),
  dispatcher: () => m.tracking_duty_ended_dispatcher(),
  departure: () => m.tracking_duty_ended_departure(),
  limit: () => m.tracking_duty_ended_limit(),
}
