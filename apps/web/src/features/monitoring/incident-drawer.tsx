import { useQuery } from '@tanstack/react-query'
import { getIncident, type Incident } from '@tour-ops/contract/monitoring/incidents'
import { incidentPeople } from '@tour-ops/contract/monitoring/incident-people'
import { toldSoFar } from '@tour-ops/contract/monitoring/told-so-far'
import { getSession } from '@tour-ops/contract/identity/session'
import { Merge, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { DepartureLink } from '../../records/departure-link.tsx'
import type { RecordDrawerProps } from '../../records/record-drawers.tsx'
import { useNow } from '../../ui/clock.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Definition, DefinitionList } from '../../ui/definition-list.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { formatDayTime, formatDayTimeThere, formatMoment, viewerZone } from '../../ui/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { TimesIn } from '../../ui/times-in.tsx'
import { OnPaper } from '../../ui/on-paper.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { ageText } from './ages.ts'
import { IncidentSheet } from './incident-sheet.tsx'
import { IncidentTasks } from './incident-tasks.tsx'
import { GravityChip, OpenTasks } from './incidents-table.tsx'
import { IncidentLog } from './incident-log.tsx'
import { isOver } from './incident-labels.ts'
import { IncidentLink } from './incident-link.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { RollCallSection } from './roll-call-section.tsx'
import { StatusMenu } from './status-menu.tsx'
import { ToldSoFar } from './told-so-far.tsx'
import { WritingLine } from './writing-line.tsx'

const say = (error: unknown) => toast(refusalText(error))
/** Ages in the head are repainted this often. */
const clockMs = 30_000

/** The incident room over any screen, at `?incident={id}`. */
export function IncidentDrawer({ id, onClose }: RecordDrawerProps) {
  const { data: incident, error, refetch } = useQuery(callQuery(getIncident, { id }))
  const session = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  const timeZone = session.data?.settings?.timeZone ?? viewerZone()
  if (incident) return <Room incident={incident} timeZone={timeZone} onClose={onClose} />
  return (
    <Drawer
      label={m.monitoring_incident()}
      onClose={onClose}
      head={<h2 className="pb-3 text-xl font-semibold tracking-tight">{m.monitoring_incident()}</h2>}
    >
      {error ? (
        <ErrorPanel
          message={error.code === 'not-found' ? m.monitoring_incident_not_found() : refusalText(error)}
          requestId={error.details.requestId}
          {...(error.code !== 'not-found' && { onRetry: () => void refetch() })}
        />
      ) : (
        <SkeletonRows rows={10} label={m.monitoring_incident()} />
      )}
    </Drawer>
  )
}

interface RoomProps {
  incident: Incident
  timeZone: string
}

/** The room's report is what the printer gets while it is open; the button waits until it is whole. */
function useReport({ incident, timeZone }: RoomProps): { sheet: ReactNode; button: ReactNode } {
  const isNamed = useAccess().can('travelers:read') && incident.affectedTravelers.length > 0
  const { data, isPending, error } = useQuery({ ...callQuery(incidentPeople, { id: incident.id }), enabled: isNamed })
  const told = useQuery({ ...callQuery(toldSoFar, { id: incident.id }), enabled: incident.departure !== null })
  const isReady = (!isNamed || data !== undefined) && (incident.departure === null || told.data !== undefined)
  return {
    sheet: isReady && (
      <OnPaper>
        <IncidentSheet incident={incident} people={data?.people ?? null} told={told.data ?? null} timeZone={timeZone} />
      </OnPaper>
    ),
    button: (
      <IconButton
        label={m.monitoring_sheet_print()}
        icon={Printer}
        aria-disabled={!isReady}
        onClick={() => {
          if (isReady) print()
          else if (error && !isPending) say(error)
          else if (told.error) say(told.error)
        }}
      />
    ),
  }
}

function Room({ incident, timeZone, onClose }: RoomProps & { onClose: () => void }) {
  const { can } = useAccess()
  const now = useNow(clockMs)
  const { sheet, button } = useReport({ incident, timeZone })
  const [isMerging, setMerging] = useState(false)
  return (
    <Drawer
      label={`${incident.number} ${incident.title}`}
      onClose={onClose}
      headActions={
        <>
          {can('incidents:manage') && !isOver(incident.status) && (
            <IconButton label={m.monitoring_merge_action()} icon={Merge} onClick={() => setMerging(true)} />
          )}
          {button}
        </>
      }
      head={
        <h2 className="line-clamp-3 text-xl font-semibold tracking-tight break-words lg:line-clamp-2">
          {incident.title}
        </h2>
      }
      subhead={
        <>
          <p className="num text-ink-2">
            {incident.number} ·{' '}
            {m.monitoring_opened_at({
              time: formatMoment(incident.reportedAt, timeZone, now),
              age: ageText(incident.reportedAt, now),
            })}
          </p>
          <p className="text-xs text-ink-2">
            <TimesIn zone={timeZone} />
          </p>
          <div className="flex flex-wrap items-center gap-2 py-3">
            <StatusMenu incident={incident} />
            <GravityChip incident={incident} />
            <OpenTasks incident={incident} now={now} />
            {incident.owner && (
              <span className="ms-auto text-ink-2">{m.monitoring_leads_name({ name: incident.owner.name })}</span>
            )}
          </div>
        </>
      }
    >
      {sheet}
      {incident.mergedInto && (
        <div className="border-b border-line px-4 py-3 lg:px-6">
          <Banner icon={Merge}>
            <IncidentLink id={incident.mergedInto.id} className="link">
              {m.monitoring_merged_into({ number: incident.mergedInto.number })}
            </IncidentLink>
          </Banner>
        </div>
      )}
      {can('incidents:manage') && incident.status !== 'merged' && <WritingLine incidentId={incident.id} />}
      <IncidentTasks incident={incident} timeZone={timeZone} now={now} />
      <RollCallSection incident={incident} timeZone={timeZone} />
      <ToldSoFar incident={incident} timeZone={timeZone} now={now} />
      <IncidentLog incident={incident} timeZone={timeZone} now={now} />
      <Facts incident={incident} timeZone={timeZone} />
      {isMerging && <MergeDialog incident={incident} timeZone={timeZone} onClose={() => setMerging(false)} />}
    </Drawer>
  )
}

function Facts({ incident, timeZone }: RoomProps) {
  const { departure } = incident
  return (
    <section aria-label={m.monitoring_facts()} className="pb-6">
      <h3 className="px-4 pt-4 pb-2 font-semibold lg:px-6">{m.monitoring_facts()}</h3>
      <div className="lg:px-2">
        <DefinitionList>
          <Definition label={m.monitoring_departure()}>
            {departure && (
              <DepartureLink id={departure.id} className="link">
                {departure.tourName} {formatDayTimeThere(departure.startsAt, departure.timeZone)}
              </DepartureLink>
            )}
          </Definition>
          <Definition label={m.monitoring_place()}>{incident.place?.name}</Definition>
          <Definition label={m.monitoring_affected()}>
            {incident.affectedTravelers.map((traveler) => traveler.name).join(', ')}
          </Definition>
          {incident.merged.length > 0 && (
            <Definition label={m.monitoring_merged_here()}>
              {incident.merged.map(({ id, number }) => (
                <IncidentLink key={id} id={id} className="link me-3">
                  {number}
                </IncidentLink>
              ))}
            </Definition>
          )}
          <Definition label={m.monitoring_reported_by()}>
            <bdi>{incident.reportedByName}</bdi>
          </Definition>
          {incident.rootCause && (
            <Definition label={m.monitoring_root_cause()}>
              <span className="break-words whitespace-pre-line">{incident.rootCause}</span>
            </Definition>
          )}
          {incident.closedAt && (
            <Definition label={m.monitoring_closed_at()}>
              <Ltr>{formatDayTime(incident.closedAt, timeZone)}</Ltr>
            </Definition>
          )}
        </DefinitionList>
      </div>
    </section>
  )
}
