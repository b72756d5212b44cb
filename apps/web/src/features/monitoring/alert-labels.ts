import { type AlertKind, type AlertRow, departureCancelledNote } from '@tour-ops/contract/monitoring/alerts'
import {
  BatteryLow,
  Bus,
  CircleAlert,
  Clock,
  CloudSun,
  FileWarning,
  Hourglass,
  Info,
  LifeBuoy,
  MailWarning,
  MapPinOff,
  TriangleAlert,
  Users,
  UserX,
  WifiOff,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { evidenceOf } from './alert-title.ts'
import { whyOver } from './why-over.ts'
import { m } from '../../paraglide/messages.js'
import type { Tone } from '../../ui/chip.tsx'
import {
  formatDay,
  formatDayTimeThere,
  formatDistance,
  formatDuration,
  formatMoment,
  formatTime,
  formatTimeThere,
} from '../../ui/format.ts'

type Severity = AlertRow['severity']

export const severityLooks: Record<Severity, { label: () => string; tone: Tone; icon: LucideIcon }> = {
  critical: { label: m.monitoring_severity_critical, tone: 'bad', icon: TriangleAlert },
  warning: { label: m.monitoring_severity_warning, tone: 'warn', icon: Clock },
  info: { label: m.monitoring_severity_info, tone: 'info', icon: Info },
}

export const kindIcons: Record<AlertKind, LucideIcon> = {
  late_start: Clock,
  running_late: Clock,
  eta_miss: Clock,
  off_route: MapPinOff,
  long_stop: Hourglass,
  geofence_absent: MapPinOff,
  no_go_area: MapPinOff,
  signal_lost: WifiOff,
  battery_low: BatteryLow,
  overspeed: CircleAlert,
  sos: LifeBuoy,
  headcount_mismatch: Users,
  no_show: UserX,
  no_lead_guide: UserX,
  assignment_unanswered: UserX,
  certificate_expiring: FileWarning,
  rest_violation: Hourglass,
  capacity_conflict: Bus,
  service_unconfirmed: Wrench,
  below_min_pax: Users,
  hold_expiring: Hourglass,
  document_missing: FileWarning,
  message_failed: MailWarning,
  weather_warning: CloudSun,
}

/** Which departure, person or vehicle; the day of a departure where that is not today. */
export function alertSubject(alert: AlertRow, now: number): string {
  const { departure } = alert
  const { text } = evidenceOf(alert)
  if (!departure) return text('staffName') ?? text('vehicle') ?? ''
  const time = formatMoment(departure.startsAt, departure.timeZone, now)
  return [`${departure.tourName} ${time}`, departure.vehicleName].filter(Boolean).join(' · ')
}

/** One more line of evidence where the title does not say it all. */
export function alertDetail(alert: AlertRow): string | null {
  const { text, count } = evidenceOf(alert)
  const zone = alert.departure?.timeZone
  if (alert.incident) return m.monitoring_in_incident({ number: alert.incident.number })
  switch (alert.kind) {
    case 'late_start': {
      const limit = count('limitMin')
      return limit === null ? null : m.monitoring_detail_limit({ minutes: limit })
    }
    case 'no_lead_guide': {
      const [name, by] = [text('offeredTo'), text('respondBy')]
      if (name === null) return m.monitoring_detail_nobody_asked()
      return by === null
        ? m.monitoring_detail_offered({ name })
        : m.monitoring_detail_offered_by({ name, time: formatMoment(by, zone) })
    }
    case 'below_min_pax': {
      const by = text('decideBy')
      return by && m.monitoring_detail_decide({ time: formatDayTimeThere(by, zone) })
    }
    case 'headcount_mismatch':
      return text('reason')
    case 'hold_expiring':
      return [text('contactName'), text('bookingRef')].filter(Boolean).join(' · ')
    case 'assignment_unanswered': {
      const by = text('respondBy')
      return by && m.monitoring_detail_answer_due({ time: formatTimeThere(by, zone), day: formatDay(by, zone) })
    }
    case 'rest_violation': {
      const [code, limit] = [text('code'), count('limitHours')]
      return code === null || limit === null
        ? null
        : m.monitoring_detail_rest({ code, limit: formatDuration(limit * 60) })
    }
    case 'eta_miss': {
      const planned = text('plannedAt')
      return planned && m.monitoring_detail_entry({ time: formatMoment(planned, zone) })
    }
    case 'signal_lost': {
      const limit = count('limitMin')
      return limit === null ? null : m.monitoring_detail_silent({ minutes: limit })
    }
    case 'off_route': {
      const [limit, since] = [count('limitM'), text('since')]
      return limit === null || since === null
        ? null
        : m.monitoring_detail_off_route({ limit: formatDistance(limit), time: formatMoment(since, zone) })
    }
    case 'long_stop': {
      const since = text('since')
      return since && m.monitoring_detail_long_stop({ time: formatMoment(since, zone) })
    }
    case 'overspeed':
    case 'geofence_absent':
    case 'no_go_area': {
      const since = text('since')
      return since && m.monitoring_detail_since({ time: formatMoment(since, zone) })
    }
    case 'no_show': {
      const expected = count('expected')
      return expected === null ? null : m.monitoring_detail_expected({ count: expected })
    }
    case 'document_missing': {
      const start = text('startsAt')
      return start && m.monitoring_detail_starts({ time: formatDayTimeThere(start, zone) })
    }
    case 'capacity_conflict':
      return text('vehicle')
    case 'service_unconfirmed':
      return text('supplierName')
    case 'sos':
      return helpDetail(evidenceOf(alert), zone)
    case 'weather_warning':
      return text('text')
    case 'message_failed':
      return text('subject')
    default:
      return null
  }
}

/** What became of a call for help, by its caller: the latest counts. */
function helpDetail({ text }: ReturnType<typeof evidenceOf>, zone: string | undefined): string | null {
  const [over, again, called] = [text('over'), text('again'), text('calledAt')]
  if (over !== null) return m.monitoring_detail_help_over({ time: formatMoment(over, zone) })
  if (again !== null) return m.monitoring_detail_help_again({ time: formatMoment(again, zone) })
  return called && m.monitoring_detail_help_called({ time: formatMoment(called, zone) })
}

/** A measured value with its limit, for the bar on the card. */
export function alertMeasure(alert: AlertRow): { value: number; limit: number; critical: number } | null {
  if (alert.kind !== 'running_late') return null
  const { count } = evidenceOf(alert)
  const [value, limit, critical] = [count('delayMin'), count('limitMin'), count('criticalMin')]
  return value === null || limit === null || critical === null ? null : { value, limit, critical }
}

/** Heads that were counted, of how many; the number is the message. */
export function alertCount(alert: AlertRow): { counted: number; expected: number } | null {
  if (alert.kind !== 'headcount_mismatch') return null
  const { count } = evidenceOf(alert)
  const [counted, expected] = [count('counted'), count('expected')]
  return counted === null || expected === null ? null : { counted, expected }
}

/** The second one is what earlier versions stored. */
const cancelledNotes: readonly unknown[] = [departureCancelledNote, 'The departure was cancelled.']

/** How an alert ended, in one line. */
export function resolutionText(alert: AlertRow, zone: string): string {
  const time = alert.resolvedAt ? formatTime(alert.resolvedAt, zone) : ''
  if (alert.resolution === 'auto') {
    if (cancelledNotes.includes(alert.resolutionNote)) return m.monitoring_ended_departure_cancelled({ time })
    const why = whyOver(alert, zone)
    return why === null ? m.monitoring_ended_by_itself({ time }) : m.monitoring_ended_because({ time, why })
  }
  const name = alert.resolvedByName ?? ''
  const note = alert.resolutionNote ?? ''
  if (alert.resolution === 'muted') return m.monitoring_ended_muted({ time, name, note })
  return alert.resolution === 'false_alarm'
    ? m.monitoring_ended_false_alarm({ time, name, note })
    : m.monitoring_ended_by({ time, name, note })
}
