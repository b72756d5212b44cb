import type { IncidentRow } from '@tour-ops/contract/monitoring/monitoring'
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
import { categoryWords, type IncidentCategory } from '../../records/incident-words.ts'
import type { Tone } from '../../ui/chip.tsx'

type Status = IncidentRow['status']

export const categoryLooks: Record<IncidentCategory, { word: () => string; icon: LucideIcon }> = {
  medical: { word: categoryWords.medical, icon: HeartPulse },
  missing_person: { word: categoryWords.missing_person, icon: UserSearch },
  vehicle: { word: categoryWords.vehicle, icon: Bus },
  weather: { word: categoryWords.weather, icon: CloudLightning },
  security: { word: categoryWords.security, icon: ShieldAlert },
  supplier: { word: categoryWords.supplier, icon: Package },
  complaint: { word: categoryWords.complaint, icon: MessageSquareWarning },
  lost_item: { word: categoryWords.lost_item, icon: PackageSearch },
  near_miss: { word: categoryWords.near_miss, icon: TriangleAlert },
  other: { word: categoryWords.other, icon: Siren },
}

export const incidentStatusWords: Record<Status, () => string> = {
  reported: m.monitoring_incident_reported,
  triaged: m.monitoring_incident_triaged,
  active: m.monitoring_incident_active,
  stabilised: m.monitoring_incident_stabilised,
  resolved: m.monitoring_incident_resolved,
  reviewed: m.monitoring_incident_reviewed,
}

/** What is over needs nobody. */
export const isOver = (status: Status): boolean => status === 'resolved' || status === 'reviewed'

export const gravityTone = ({ severity, status }: Pick<IncidentRow, 'severity' | 'status'>): Tone =>
  isOver(status) ? 'neutral' : severity <= 2 ? 'bad' : 'warn'
