import type { AlertKind, AlertRow } from '@tour-ops/contract/monitoring'
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
import { m } from '../../../paraglide/messages.js'
import type { Tone } from '../../../ui/chip.tsx'
import { formatDay, formatDayTime, formatLocalDay, formatTime } from '../../../ui/format.ts'

type Severity = AlertRow['severity']

export const severityLooks: Record<Severity, { word: () => string; tone: Tone; icon: LucideIcon }> = {
  critical: { word: m.tools_severity_critical, tone: 'bad', icon: TriangleAlert },
  warning: { word: m.tools_severity_warning, tone: 'warn', icon: Clock },
  info: { word: m.tools_severity_info, tone: 'info', icon: Info },
}

export const kindLooks: Record<AlertKind, { word: () => string; icon: LucideIcon }> = {
  late_start: { word: m.tools_kind_late_start, icon: Clock },
  running_late: { word: m.tools_kind_running_late, icon: Clock },
  eta_miss: { word: m.tools_kind_eta_miss, icon: Clock },
  off_route: { word: m.tools_kind_off_route, icon: MapPinOff },
  long_stop: { word: m.tools_kind_long_stop, icon: Hourglass },
  geofence_absent: { word: m.tools_kind_geofence_absent, icon: MapPinOff },
  no_go_area: { word: m.tools_kind_no_go_area, icon: MapPinOff },
  signal_lost: { word: m.tools_kind_signal_lost, icon: WifiOff },
  battery_low: { word: m.tools_kind_battery_low, icon: BatteryLow },
  overspeed: { word: m.tools_kind_overspeed, icon: CircleAlert },
  sos: { word: m.tools_kind_sos, icon: LifeBuoy },
  headcount_mismatch: { word: m.tools_kind_headcount_mismatch, icon: Users },
  no_show: { word: m.tools_kind_no_show, icon: UserX },
  no_lead_guide: { word: m.tools_kind_no_lead_guide, icon: UserX },
  assignment_unanswered: { word: m.tools_kind_assignment_unanswered, icon: UserX },
  certificate_expiring: { word: m.tools_kind_certificate_expiring, icon: FileWarning },
  rest_violation: { word: m.tools_kind_rest_violation, icon: Hourglass },
  capacity_conflict: { word: m.tools_kind_capacity_conflict, icon: Bus },
  service_unconfirmed: { word: m.tools_kind_service_unconfirmed, icon: Wrench },
  below_min_pax: { word: m.tools_kind_below_min_pax, icon: Users },
  hold_expiring: { word: m.tools_kind_hold_expiring, icon: Hourglass },
  document_missing: { word: m.tools_kind_document_missing, icon: FileWarning },
  message_failed: { word: m.tools_kind_message_failed, icon: MailWarning },
  weather_warning: { word: m.tools_kind_weather_warning, icon: CloudSun },
}

/** Papers that run out; what is not in the list is called a certificate. */
const certificateWords: Readonly<Record<string, () => string>> = {
  first_aid: m.tools_paper_first_aid,
  wilderness_first_aid: m.tools_paper_wilderness_first_aid,
  national_guide_licence: m.tools_paper_national_guide_licence,
  driving_D1: m.tools_paper_driving,
  driving_D: m.tools_paper_driving,
  mountain_guide: m.tools_paper_mountain_guide,
  lifeguard: m.tools_paper_lifeguard,
}

/** Values of an alert's evidence; what is missing or of another kind is null. */
const reader = ({ evidence }: Pick<AlertRow, 'evidence'>) => ({
  text: (key: string): string | null => (typeof evidence[key] === 'string' ? evidence[key] : null),
  count: (key: string): number | null => (typeof evidence[key] === 'number' ? evidence[key] : null),
})

/** What happened, as a fact and not as a rule. Source: visual direction, monitoring, "Card". */
export function alertTitle(alert: AlertRow): string {
  return titles[alert.kind]?.(alert, reader(alert)) ?? alert.title
}

type Told = (alert: AlertRow, values: ReturnType<typeof reader>) => string | null

const titles: Partial<Record<AlertKind, Told>> = {
  late_start: ({ departure }) =>
    departure && m.tools_fact_late_start({ time: formatTime(departure.startsAt, departure.timeZone) }),
  running_late(_, { text, count }) {
    const minutes = count('delayMin')
    const stop = text('stopName')
    if (minutes === null) return null
    return stop === null ? m.tools_fact_late({ minutes }) : m.tools_fact_late_after({ minutes, stop })
  },
  no_lead_guide: ({ departure }) =>
    departure && m.tools_fact_no_lead({ when: formatDayTime(departure.startsAt, departure.timeZone) }),
  below_min_pax(_, { count }) {
    const [pax, needed] = [count('pax'), count('minPax')]
    return pax === null || needed === null ? null : m.tools_fact_below_minimum({ count: pax, needed })
  },
  headcount_mismatch(_, { text, count }) {
    const [expected, counted] = [count('expected'), count('counted')]
    if (expected === null || counted === null) return null
    if (counted > expected) return m.tools_fact_too_many({ count: counted - expected })
    const stop = text('stopName')
    const missing = expected - counted
    return stop === null ? m.tools_fact_missing({ count: missing }) : m.tools_fact_missing_at({ count: missing, stop })
  },
  hold_expiring({ departure }, { text, count }) {
    const end = text('expiresAt')
    return end && m.tools_fact_hold({ count: count('pax') ?? 0, time: formatTime(end, departure?.timeZone) })
  },
  assignment_unanswered: (_, { text }) => m.tools_fact_unanswered({ name: text('staffName') ?? '' }),
  capacity_conflict: (_, { count }) => m.tools_fact_capacity({ count: count('pax') ?? 0, seats: count('seats') ?? 0 }),
  certificate_expiring(_, { text }) {
    const date = formatLocalDay(text('validUntil') ?? '')
    if (text('vehicle') !== null) return m.tools_fact_inspection({ date })
    const paper = certificateWords[text('certificate') ?? '']?.() ?? m.tools_paper_other()
    return m.tools_fact_certificate({ paper, date })
  },
  service_unconfirmed: (_, { text }) => m.tools_fact_service({ what: text('description') || (text('service') ?? '') }),
  message_failed: (_, { count }) => m.tools_fact_not_delivered({ count: count('failed') ?? 1 }),
}

/** Which departure, person or vehicle. */
export function alertSubject(alert: AlertRow): string {
  const { departure } = alert
  const { text } = reader(alert)
  if (!departure) return text('staffName') ?? text('vehicle') ?? ''
  const time = formatTime(departure.startsAt, departure.timeZone)
  return [`${departure.tourName} ${time}`, departure.vehicleName].filter(Boolean).join(' · ')
}

/** One more line of evidence where the title does not say it all. */
export function alertDetail(alert: AlertRow): string | null {
  const { text, count } = reader(alert)
  const zone = alert.departure?.timeZone
  if (alert.incident) return m.tools_in_incident({ number: alert.incident.number })
  switch (alert.kind) {
    case 'late_start': {
      const limit = count('limitMin')
      return limit === null ? null : m.tools_detail_limit({ minutes: limit })
    }
    case 'no_lead_guide': {
      const [name, by] = [text('offeredTo'), text('respondBy')]
      if (name === null) return m.tools_detail_nobody_asked()
      return by === null
        ? m.tools_detail_offered({ name })
        : m.tools_detail_offered_by({ name, time: formatTime(by, zone) })
    }
    case 'below_min_pax': {
      const by = text('decideBy')
      return by && m.tools_detail_decide({ time: formatDayTime(by, zone) })
    }
    case 'headcount_mismatch':
      return text('reason')
    case 'hold_expiring':
      return [text('contactName'), text('bookingRef')].filter(Boolean).join(' · ')
    case 'assignment_unanswered': {
      const by = text('respondBy')
      return by && m.tools_detail_answer_due({ time: formatTime(by, zone), day: formatDay(by, zone) })
    }
    case 'capacity_conflict':
      return text('vehicle')
    case 'service_unconfirmed':
      return text('supplierName')
    case 'message_failed':
      return text('subject')
    default:
      return null
  }
}

/** A measured value with its limit, for the bar on the card. */
export function alertMeasure(alert: AlertRow): { value: number; limit: number; critical: number } | null {
  if (alert.kind !== 'running_late') return null
  const { count } = reader(alert)
  const [value, limit, critical] = [count('delayMin'), count('limitMin'), count('criticalMin')]
  return value === null || limit === null || critical === null ? null : { value, limit, critical }
}

/** Heads that were counted, of how many; the number is the message. */
export function alertCount(alert: AlertRow): { counted: number; expected: number } | null {
  if (alert.kind !== 'headcount_mismatch') return null
  const { count } = reader(alert)
  const [counted, expected] = [count('counted'), count('expected')]
  return counted === null || expected === null ? null : { counted, expected }
}

/** How an alert ended, in one line. */
export function resolutionWords(alert: AlertRow, zone: string): string {
  const time = alert.resolvedAt ? formatTime(alert.resolvedAt, zone) : ''
  if (alert.resolution === 'auto') return m.tools_ended_by_itself({ time })
  const name = alert.resolvedByName ?? ''
  const note = alert.resolutionNote ?? ''
  return alert.resolution === 'false_alarm'
    ? m.tools_ended_false_alarm({ time, name, note })
    : m.tools_ended_by({ time, name, note })
}
