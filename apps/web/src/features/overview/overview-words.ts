import type { cancelReasons, ReadinessCheck } from '@tour-ops/contract/departures'
import type { AlertKind } from '@tour-ops/contract/monitoring'
import {
  BellOff,
  Bus,
  CloudSun,
  FileWarning,
  Languages,
  MailWarning,
  UserX,
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'

export const alertWords: Record<AlertKind, () => string> = {
  late_start: m.overview_alert_late_start,
  running_late: m.overview_alert_running_late,
  eta_miss: m.overview_alert_eta_miss,
  off_route: m.overview_alert_off_route,
  long_stop: m.overview_alert_long_stop,
  geofence_absent: m.overview_alert_geofence_absent,
  no_go_area: m.overview_alert_no_go_area,
  signal_lost: m.overview_alert_signal_lost,
  battery_low: m.overview_alert_battery_low,
  overspeed: m.overview_alert_overspeed,
  sos: m.overview_alert_sos,
  headcount_mismatch: m.overview_alert_headcount_mismatch,
  no_show: m.overview_alert_no_show,
  no_lead_guide: m.overview_alert_no_lead_guide,
  assignment_unanswered: m.overview_alert_assignment_unanswered,
  certificate_expiring: m.overview_alert_certificate_expiring,
  rest_violation: m.overview_alert_rest_violation,
  capacity_conflict: m.overview_alert_capacity_conflict,
  service_unconfirmed: m.overview_alert_service_unconfirmed,
  below_min_pax: m.overview_alert_below_min_pax,
  hold_expiring: m.overview_alert_hold_expiring,
  document_missing: m.overview_alert_document_missing,
  message_failed: m.overview_alert_message_failed,
  weather_warning: m.overview_alert_weather_warning,
}

/** A readiness check that fails: violet for a gap in the crew, amber for the rest. */
export const checkLooks: Record<ReadinessCheck, { word: () => string; icon: LucideIcon; tone: 'gap' | 'warn' }> = {
  lead_guide: { word: m.overview_check_lead_guide, icon: UserX, tone: 'gap' },
  language: { word: m.overview_check_language, icon: Languages, tone: 'gap' },
  guide_ratio: { word: m.overview_check_guide_ratio, icon: UserX, tone: 'gap' },
  vehicle_seats: { word: m.overview_check_vehicle_seats, icon: Bus, tone: 'warn' },
  services_confirmed: { word: m.overview_check_services_confirmed, icon: Wrench, tone: 'warn' },
  documents: { word: m.overview_check_documents, icon: FileWarning, tone: 'warn' },
  weather_note: { word: m.overview_check_weather_note, icon: CloudSun, tone: 'warn' },
  minimum_pax: { word: m.overview_check_minimum_pax, icon: Users, tone: 'warn' },
  messages_delivered: { word: m.overview_check_messages_delivered, icon: MailWarning, tone: 'warn' },
}

export const cancelReasonWords: Record<(typeof cancelReasons)[number], () => string> = {
  low_pax: m.overview_reason_low_pax,
  weather: m.overview_reason_weather,
  staff: m.overview_reason_staff,
  vehicle: m.overview_reason_vehicle,
  safety: m.overview_reason_safety,
  supplier: m.overview_reason_supplier,
  other: m.overview_reason_other,
}

/** An offer that nobody answered. */
export const unansweredIcon: LucideIcon = BellOff
