import type { AlertKind, AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { m } from '../../paraglide/messages.js'
import {
  formatDayTimeThere,
  formatDistance,
  formatDuration,
  formatLocalDay,
  formatMoment,
  formatPercent,
  formatSpeed,
} from '../../ui/format.ts'
import { certificateName } from '../field-staff/index.ts'

// Alerts are shown in the reader's language: the server sends parameters, the text is made here.

export const alertKindLabels: Record<AlertKind, () => string> = {
  late_start: m.monitoring_alert_kind_late_start,
  running_late: m.monitoring_alert_kind_running_late,
  eta_miss: m.monitoring_alert_kind_eta_miss,
  off_route: m.monitoring_alert_kind_off_route,
  long_stop: m.monitoring_alert_kind_long_stop,
  geofence_absent: m.monitoring_alert_kind_geofence_absent,
  no_go_area: m.monitoring_alert_kind_no_go_area,
  signal_lost: m.monitoring_alert_kind_signal_lost,
  battery_low: m.monitoring_alert_kind_battery_low,
  overspeed: m.monitoring_alert_kind_overspeed,
  sos: m.monitoring_alert_kind_sos,
  headcount_mismatch: m.monitoring_alert_kind_headcount_mismatch,
  no_show: m.monitoring_alert_kind_no_show,
  no_lead_guide: m.monitoring_alert_kind_no_lead_guide,
  assignment_unanswered: m.monitoring_alert_kind_assignment_unanswered,
  certificate_expiring: m.monitoring_alert_kind_certificate_expiring,
  rest_violation: m.monitoring_alert_kind_rest_violation,
  capacity_conflict: m.monitoring_alert_kind_capacity_conflict,
  service_unconfirmed: m.monitoring_alert_kind_service_unconfirmed,
  below_min_pax: m.monitoring_alert_kind_below_min_pax,
  hold_expiring: m.monitoring_alert_kind_hold_expiring,
  document_missing: m.monitoring_alert_kind_document_missing,
  message_failed: m.monitoring_alert_kind_message_failed,
  weather_warning: m.monitoring_alert_kind_weather_warning,
}

/** What a sentence about an alert is made of. */
export interface AlertFacts {
  readonly kind: AlertKind
  readonly evidence: AlertRow['evidence']
  readonly departure: { readonly startsAt: string; readonly timeZone: string } | null
}

/** Values of an alert's evidence; what is missing or of another kind is null. */
export const evidenceOf = ({ evidence }: Pick<AlertFacts, 'evidence'>) => ({
  text: (key: string): string | null => (typeof evidence[key] === 'string' ? evidence[key] : null),
  count: (key: string): number | null => (typeof evidence[key] === 'number' ? evidence[key] : null),
})

/**
 * What happened, as a fact and not as a rule (see docs/screens.md, "Monitoring"); the kind alone where the evidence does not say it. The
 * server's own title is English, for programs.
 */
export function alertTitle(alert: AlertFacts): string {
  return titles[alert.kind]?.(alert, evidenceOf(alert)) ?? alertKindLabels[alert.kind]()
}

type Told = (alert: AlertFacts, values: ReturnType<typeof evidenceOf>) => string | null

const titles: Partial<Record<AlertKind, Told>> = {
  late_start: ({ departure }) =>
    departure && m.monitoring_alert_fact_late_start({ time: formatMoment(departure.startsAt, departure.timeZone) }),
  running_late(_, { text, count }) {
    const minutes = count('delayMin')
    const stop = text('stopName')
    if (minutes === null) return null
    return stop === null
      ? m.monitoring_alert_fact_late({ minutes })
      : m.monitoring_alert_fact_late_after({ minutes, stop })
  },
  no_lead_guide: ({ departure }) =>
    departure && m.monitoring_alert_fact_no_lead({ when: formatDayTimeThere(departure.startsAt, departure.timeZone) }),
  below_min_pax(_, { count }) {
    const [pax, needed] = [count('pax'), count('minPax')]
    return pax === null || needed === null ? null : m.monitoring_alert_fact_below_minimum({ count: pax, needed })
  },
  headcount_mismatch(_, { text, count }) {
    const [expected, counted] = [count('expected'), count('counted')]
    if (expected === null || counted === null) return null
    if (counted > expected) return m.monitoring_alert_fact_too_many({ count: counted - expected })
    const stop = text('stopName')
    const missing = expected - counted
    return stop === null
      ? m.monitoring_alert_fact_missing({ count: missing })
      : m.monitoring_alert_fact_missing_at({ count: missing, stop })
  },
  hold_expiring({ departure }, { text, count }) {
    const end = text('expiresAt')
    return (
      end && m.monitoring_alert_fact_hold({ count: count('pax') ?? 0, time: formatMoment(end, departure?.timeZone) })
    )
  },
  assignment_unanswered: (_, { text }) => m.monitoring_alert_fact_unanswered({ name: text('staffName') ?? '' }),
  capacity_conflict: (_, { count }) =>
    m.monitoring_alert_fact_capacity({ count: count('pax') ?? 0, seats: count('seats') ?? 0 }),
  certificate_expiring(_, { text }) {
    const end = text('validUntil')
    if (end === null) return null
    const date = formatLocalDay(end)
    if (text('vehicle') !== null) return m.monitoring_alert_fact_inspection({ date })
    const paper = certificateName(text('certificate') ?? '')
    return m.monitoring_alert_fact_certificate({ paper, date })
  },
  rest_violation(_, { text, count }) {
    const [name, rest] = [text('staffName'), count('restHours')]
    return name === null || rest === null
      ? null
      : m.monitoring_alert_fact_rest({ name, rest: formatDuration(rest * 60) })
  },
  service_unconfirmed: (_, { text }) =>
    m.monitoring_alert_fact_service({ what: text('description') || (text('service') ?? '') }),
  eta_miss(_, { text, count }) {
    const [stop, minutes] = [text('stopName'), count('delayMin')]
    return stop === null || minutes === null ? null : m.monitoring_alert_fact_eta_miss({ minutes, stop })
  },
  signal_lost({ departure }, { text }) {
    const since = text('lastSeenAt')
    return since && m.monitoring_alert_fact_signal_lost({ time: formatMoment(since, departure?.timeZone) })
  },
  battery_low(_, { text, count }) {
    const [name, battery] = [text('staffName') ?? text('vehicle'), count('batteryPct')]
    return name === null || battery === null
      ? null
      : m.monitoring_alert_fact_battery({ name, battery: formatPercent(battery / 100) })
  },
  off_route(_, { count }) {
    const meters = count('meters')
    return meters === null ? null : m.monitoring_alert_fact_off_route({ distance: formatDistance(meters) })
  },
  long_stop(_, { count }) {
    const minutes = count('minutes')
    return minutes === null ? null : m.monitoring_alert_fact_long_stop({ time: formatDuration(minutes) })
  },
  overspeed(_, { count }) {
    const [speed, limit] = [count('kmh'), count('limitKmh')]
    return speed === null || limit === null
      ? null
      : m.monitoring_alert_fact_overspeed({ speed: formatSpeed(speed / 3.6), limit: formatSpeed(limit / 3.6) })
  },
  geofence_absent(_, { text, count }) {
    const [stop, meters] = [text('stopName'), count('meters')]
    return stop === null || meters === null
      ? null
      : m.monitoring_alert_fact_absent({ distance: formatDistance(meters), stop })
  },
  no_go_area(_, { text }) {
    const area = text('area')
    return area === null ? null : m.monitoring_alert_fact_no_go({ area })
  },
  no_show(_, { count }) {
    const guests = count('guests')
    return guests === null ? null : m.monitoring_alert_fact_no_show({ count: guests })
  },
  document_missing(_, { count }) {
    const guests = count('guests')
    return guests === null ? null : m.monitoring_alert_fact_document_missing({ count: guests })
  },
  sos(_, { text }) {
    const name = text('by')
    return name === null ? null : m.monitoring_alert_fact_sos({ name })
  },
  weather_warning: (_, { text }) => text('warning'),
  message_failed: (_, { count }) => m.monitoring_alert_fact_not_delivered({ count: count('failed') ?? 1 }),
}
