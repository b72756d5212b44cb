import type { cancelReasons, ReadinessCheck } from '@tour-ops/contract/departures/departures'
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

/** A readiness check that fails: violet for a gap in the crew, amber for the rest. */
export const checkLooks: Record<ReadinessCheck, { label: () => string; icon: LucideIcon; tone: 'gap' | 'warn' }> = {
  lead_guide: { label: m.overview_check_lead_guide, icon: UserX, tone: 'gap' },
  language: { label: m.overview_check_language, icon: Languages, tone: 'gap' },
  guide_ratio: { label: m.overview_check_guide_ratio, icon: UserX, tone: 'gap' },
  vehicle_seats: { label: m.overview_check_vehicle_seats, icon: Bus, tone: 'warn' },
  services_confirmed: { label: m.overview_check_services_confirmed, icon: Wrench, tone: 'warn' },
  documents: { label: m.overview_check_documents, icon: FileWarning, tone: 'warn' },
  weather_note: { label: m.overview_check_weather_note, icon: CloudSun, tone: 'warn' },
  minimum_pax: { label: m.overview_check_minimum_pax, icon: Users, tone: 'warn' },
  messages_delivered: { label: m.overview_check_messages_delivered, icon: MailWarning, tone: 'warn' },
  suppliers_informed: { label: m.overview_check_suppliers_informed, icon: MailWarning, tone: 'warn' },
}

export const cancelReasonLabels: Record<(typeof cancelReasons)[number], () => string> = {
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
