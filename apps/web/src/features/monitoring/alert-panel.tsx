import { useQuery } from '@tanstack/react-query'
import { type AlertDetail, type AlertRow, getAlert, mutableKinds } from '@tour-ops/contract/monitoring/alerts'
import { type DepartureStop, listDepartureStops } from '@tour-ops/contract/departures/run-sheet'
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Bot, Mail, MapPin, Phone, Siren, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { alertKindLabels, alertTitle } from './alert-title.ts'
import { areaText } from '../../addresses/area.ts'
import type { DrawerTab } from '../../records/drawer-request.ts'
import { DepartureLink } from '../../records/departure-link.tsx'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { formatMoment, formatTime } from '../../ui/format.ts'
import { formatPosition } from '../../ui/format-position.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { MessageGuests, useMayWrite } from '../notifications/index.ts'
import { ageText } from './ages.ts'
import { type BoardClock, SeverityChip } from './alert-card.tsx'
import { alertDetail, alertMeasure, alertSubject, resolutionText } from './alert-labels.ts'
import { IncidentLink } from './incident-link.tsx'
import type { AlertActions } from './use-alert-actions.ts'

const AlertPlace = loadLater(async () => (await import('./alert-place.tsx')).AlertPlace)

export interface AlertPanelProps {
  alert: AlertRow
  clock: BoardClock
  actions: AlertActions
  onAsk: (question: 'snooze' | 'resolve' | 'mute' | 'incident') => void
}

/** What an alert says at the top of its panel. */
export function AlertPanelHead({ alert, clock: { now, timeZone } }: Pick<AlertPanelProps, 'alert' | 'clock'>) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <SeverityChip severity={alert.severity} />
      <span className="num text-xs text-ink-2">
        {m.monitoring_panel_head({
          kind: alertKindLabels[alert.kind](),
          time: formatMoment(alert.openedAt, timeZone, now),
          age: ageText(alert.openedAt, now),
        })}
      </span>
    </span>
  )
}

/** Fact, actions, why it fired, what can be done, and what happened so far. */
export function AlertPanelBody({ alert, clock, actions, onAsk }: AlertPanelProps) {
  const { data } = useQuery(callQuery(getAlert, { id: alert.id }))
  return (
    <>
      <div className="px-4 pb-4">
        <h2 className="text-xl font-semibold tracking-tight text-ink-strong">{alertTitle(alert)}</h2>
        <p className="mt-0.5 text-ink-2">
          {alert.departure ? (
            <DepartureLink id={alert.departure.id} className="link">
              {alertSubject(alert, clock.now)}
            </DepartureLink>
          ) : (
            alertSubject(alert, clock.now)
          )}
          {alert.departure && ` · ${m.monitoring_guests({ count: alert.departure.guests })}`}
        </p>
        <Actions alert={alert} actions={actions} onAsk={onAsk} clock={clock} />
      </div>
      {data?.place && <AlertPlace place={data.place} now={clock.now} timeZone={clock.timeZone} />}
      <Why alert={alert} />
      <Suggestions alert={alert} detail={data} onAsk={onAsk} />
      {data && <Timeline detail={data} clock={clock} />}
      <Mute alert={alert} onAsk={onAsk} />
    </>
  )
}

function Actions({ alert, actions, onAsk, clock }: AlertPanelProps) {
  const { can } = useAccess()
  if (alert.status === 'resolved') return <p className="mt-3">{resolutionText(alert, clock.timeZone)}</p>
  if (!can('alerts:manage')) {
    return (
      <p className="mt-3 text-ink-2">
        {alert.owner ? m.monitoring_owner({ name: alert.owner.name }) : m.monitoring_nobody_yet()}
      </p>
    )
  }
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        {alert.status === 'open' && (
          <Button
            variant="primary"
            className="grow"
            pending={actions.takingId === alert.id}
            onClick={() => actions.take(alert)}
          >
            {m.monitoring_take_it()}
            <span className="max-lg:hidden">
              <Kbd keys={['T']} />
            </span>
          </Button>
        )}
        {alert.status !== 'open' && (
          <Button className="grow" pending={actions.isPending} onClick={() => actions.reopen(alert)}>
            {alert.status === 'snoozed' ? m.monitoring_wake() : m.monitoring_put_back()}
          </Button>
        )}
        {alert.status !== 'snoozed' && <Button onClick={() => onAsk('snooze')}>{m.monitoring_snooze()}</Button>}
        <Button onClick={() => onAsk('resolve')}>{m.monitoring_resolve()}</Button>
      </div>
      {alert.owner && <p className="mt-2 text-xs text-ink-2">{m.monitoring_owner({ name: alert.owner.name })}</p>}
    </>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-t border-line px-4 py-3">
    <h3 className="mb-2 font-semibold text-ink-strong">{title}</h3>
    {children}
  </section>
)

/** The rule with its values, and for lateness the stops it comes from. */
function Why({ alert }: Pick<AlertPanelProps, 'alert'>) {
  const measure = alertMeasure(alert)
  const detail = alertDetail(alert)
  return (
    <Section title={m.monitoring_why()}>
      <p>
        {measure
          ? m.monitoring_why_late({ minutes: measure.value, limit: measure.limit, critical: measure.critical })
          : [alert.kind !== 'sos' && m.monitoring_why_rule({ rule: alertKindLabels[alert.kind]() }), detail]
              .filter(Boolean)
              .join(' ')}
      </p>
      {measure && alert.departure && <LateStops departureId={alert.departure.id} zone={alert.departure.timeZone} />}
    </Section>
  )
}

const lateMinutes = (stop: DepartureStop): number => Math.round(stop.delaySeconds / 60)

function LateStops({ departureId, zone }: { departureId: string; zone: string }) {
  const { data } = useQuery(callQuery(listDepartureStops, { departureIds: [departureId] }))
  const stops = (data?.stops ?? []).filter((stop) => stop.kind !== 'pickup' && lateMinutes(stop) > 0)
  if (stops.length === 0) return null
  return (
    <table className="plain-table mt-2">
      <thead>
        <tr>
          <th scope="col">{m.monitoring_stop()}</th>
          <th scope="col" className="text-end">
            {m.monitoring_plan()}
          </th>
          <th scope="col" className="text-end">
            {m.monitoring_now()}
          </th>
          <th scope="col" className="text-end">
            {m.monitoring_late()}
          </th>
        </tr>
      </thead>
      <tbody>
        {stops.map((stop) => (
          <tr key={stop.id}>
            <td>{stop.placeName}</td>
            <td className="text-end">
              <Ltr className="text-ink-2">{formatTime(stop.plannedArriveAt, zone)}</Ltr>
            </td>
            <td className="text-end">
              <Ltr>
                {stop.actualArriveAt
                  ? formatTime(stop.actualArriveAt, zone)
                  : stop.etaAt && `~${formatTime(stop.etaAt, zone)}`}
              </Ltr>
            </td>
            <td className="text-end">
              <Ltr className="font-semibold text-warn">+{lateMinutes(stop)}</Ltr>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Who could be with somebody within minutes, as the map's address has an area. */
const nearbyMeters = 10_000
const nearby = ({ lat, lng }: NonNullable<AlertDetail['place']>): string =>
  areaText({ kind: 'circle', center: [lng, lat], radiusM: nearbyMeters })

interface SuggestionsProps {
  alert: AlertRow
  /** Undefined until it is there. */
  detail: AlertDetail | undefined
  onAsk: AlertPanelProps['onAsk']
}

/** Tab of the departure's drawer where the matter is dealt with. */
const tabs: Partial<Record<AlertRow['kind'], DrawerTab>> = {
  no_lead_guide: 'crew',
  assignment_unanswered: 'crew',
  capacity_conflict: 'crew',
  headcount_mismatch: 'manifest',
  below_min_pax: 'bookings',
  hold_expiring: 'bookings',
  service_unconfirmed: 'services',
}

function Suggestions({ alert, detail, onAsk }: SuggestionsProps) {
  const { can } = useAccess()
  const { contact, place } = detail ?? {}
  const mayWrite = useMayWrite()
  const mayReport = can('incidents:manage') && alert.status !== 'resolved'
  if (!alert.departure && !alert.incident && !contact?.phone && !place && !mayReport) return null
  return (
    <Section title={m.monitoring_what_you_can_do()}>
      <ul className="divide-y divide-line">
        {alert.departure && (
          <Suggestion
            icon={<ArrowUpRight size={18} aria-hidden />}
            title={m.monitoring_open_departure()}
            note={alert.departure.code}
          >
            <DepartureLink id={alert.departure.id} tab={tabs[alert.kind]} className={buttonClass({ size: 'sm' })}>
              {m.monitoring_open()}
            </DepartureLink>
          </Suggestion>
        )}
        {alert.departure && alert.departure.guests > 0 && mayWrite && (
          <Suggestion
            icon={<Mail size={18} aria-hidden />}
            title={m.monitoring_write_guests()}
            note={m.monitoring_write_guests_note()}
          >
            <MessageGuests
              size="sm"
              guests={{ departureIds: [alert.departure.id], bookingIds: [] }}
              template={alert.kind === 'running_late' || alert.kind === 'late_start' ? 'running_late' : undefined}
            />
          </Suggestion>
        )}
        {contact?.phone && (
          <Suggestion
            icon={<Phone size={18} aria-hidden />}
            title={m.monitoring_call_guide({ name: contact.name })}
            note={contact.phone}
          >
            <a href={`tel:${contact.phone}`} className={buttonClass({ size: 'sm' })}>
              {m.monitoring_call()}
            </a>
          </Suggestion>
        )}
        {alert.kind === 'sos' && place && (
          <Suggestion
            icon={<MapPin size={18} aria-hidden />}
            title={m.monitoring_who_is_near()}
            note={formatPosition(place)}
          >
            <Link to="/dashboard/map" search={{ area: nearby(place) }} className={buttonClass({ size: 'sm' })}>
              {m.monitoring_open()}
            </Link>
          </Suggestion>
        )}
        {alert.incident ? (
          <Suggestion
            icon={<Siren size={18} aria-hidden />}
            title={m.monitoring_go_to_incident()}
            note={alert.incident.number}
          >
            <IncidentLink id={alert.incident.id} className={buttonClass({ size: 'sm' })}>
              {m.monitoring_open()}
            </IncidentLink>
          </Suggestion>
        ) : (
          mayReport && (
            <Suggestion
              icon={<Siren size={18} aria-hidden />}
              title={m.monitoring_open_incident()}
              note={m.monitoring_open_incident_note()}
            >
              <Button size="sm" onClick={() => onAsk('incident')}>
                {m.monitoring_report()}
              </Button>
            </Suggestion>
          )
        )}
      </ul>
    </Section>
  )
}

/** Last of all: its rule may keep quiet about this departure. */
function Mute({ alert, onAsk }: Pick<AlertPanelProps, 'alert' | 'onAsk'>) {
  const mayAct = useAccess().can('alerts:manage')
  if (!mayAct || alert.status === 'resolved' || !alert.departure || !mutableKinds.includes(alert.kind)) return null
  return (
    <div className="border-t border-line px-4 py-3">
      <Button size="sm" onClick={() => onAsk('mute')}>
        {m.monitoring_mute()}
      </Button>
    </div>
  )
}

interface SuggestionProps {
  icon: ReactNode
  title: string
  note: string
  children: ReactNode
}

function Suggestion({ icon, title, note, children }: SuggestionProps) {
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0">
      <span className="text-ink-2">{icon}</span>
      <span className="min-w-0 flex-1">
        <b className="block font-medium text-ink-strong">{title}</b>
        <bdi className="num block text-xs text-ink-2">{note}</bdi>
      </span>
      {children}
    </li>
  )
}

const eventLabels: Record<AlertDetail['timeline'][number]['what'], () => string> = {
  opened: m.monitoring_event_opened,
  acknowledged: m.monitoring_event_acknowledged,
  snoozed: m.monitoring_event_snoozed,
  reopened: m.monitoring_event_reopened,
  resolved: m.monitoring_event_resolved,
  escalated: m.monitoring_event_escalated,
  changed: m.monitoring_event_changed,
}

function Timeline({ detail, clock: { now, timeZone } }: { detail: AlertDetail; clock: BoardClock }) {
  return (
    <Section title={m.monitoring_timeline()}>
      <ol className="grid gap-1.5">
        {detail.timeline.map(({ at, what, actorName, level }) => {
          const Icon = actorName === null ? Bot : UserRound
          return (
            <li key={`${at} ${what}`} className="flex items-start gap-2.5">
              <Ltr className="text-ink-2">{formatMoment(at, timeZone, now)}</Ltr>
              <Icon size={15} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
              <span>
                {eventLabels[what]()}
                {level !== null && ` · ${m.monitoring_escalated({ level })}`}
                {actorName !== null && (
                  <>
                    {' · '}
                    <bdi>{actorName}</bdi>
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
