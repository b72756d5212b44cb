import type { incidentCategories, IncidentRow } from '@tour-ops/contract/monitoring/monitoring'
import {
  Bus,
  CloudLightning,
  HeartPulse,
  MessageSquareWarning,
  Package,
  PackageSearch,
  ShieldAlert,
  Siren,
  TriangleAlert,
  UserSearch,
  type LucideIcon,
} from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import type { Tone } from '../../ui/chip.tsx'

type Category = (typeof incidentCategories)[number]
type Status = IncidentRow['status']

export const categoryLooks: Record<Category, { word: () => string; icon: LucideIcon }> = {
  medical: { word: m.monitoring_category_medical, icon: HeartPulse },
  missing_person: { word: m.monitoring_category_missing_person, icon: UserSearch },
  vehicle: { word: m.monitoring_category_vehicle, icon: Bus },
  weather: { word: m.monitoring_category_weather, icon: CloudLightning },
  security: { word: m.monitoring_category_security, icon: ShieldAlert },
  supplier: { word: m.monitoring_category_supplier, icon: Package },
  complaint: { word: m.monitoring_category_complaint, icon: MessageSquareWarning },
  lost_item: { word: m.monitoring_category_lost_item, icon: PackageSearch },
  near_miss: { word: m.monitoring_category_near_miss, icon: TriangleAlert },
  other: { word: m.monitoring_category_other, icon: Siren },
}

export const incidentStatusWords: Record<Status, () => string> = {
  reported: m.monitoring_incident_reported,
  triaged: m.monitoring_incident_triaged,
  active: m.monitoring_incident_active,
  stabilised: m.monitoring_incident_stabilised,
  resolved: m.monitoring_incident_resolved,
  reviewed: m.monitoring_incident_reviewed,
}

/** 1 is the gravest. Source: contract, `IncidentRow`. */
export const gravityWords: Record<number, () => string> = {
  1: m.monitoring_gravity_1,
  2: m.monitoring_gravity_2,
  3: m.monitoring_gravity_3,
  4: m.monitoring_gravity_4,
}

/** What is over needs nobody. */
export const isOver = (status: Status): boolean => status === 'resolved' || status === 'reviewed'

export const gravityTone = ({ severity, status }: Pick<IncidentRow, 'severity' | 'status'>): Tone =>
  isOver(status) ? 'neutral' : severity <= 2 ? 'bad' : 'warn'
