import { isImageType } from '@tour-ops/contract/files'
import { isGrave } from '@tour-ops/contract/monitoring/incident-gravity'
import type { Incident, IncidentRow } from '@tour-ops/contract/monitoring/incidents'
import { hasStatus, overIncidentStatuses } from '@tour-ops/contract/state-machines'
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
import { categoryLabels, type IncidentCategory } from '../../records/incident-labels.ts'
import type { Tone } from '../../ui/chip.tsx'

type Status = IncidentRow['status']

export const categoryLooks: Record<IncidentCategory, { label: () => string; icon: LucideIcon }> = {
  medical: { label: categoryLabels.medical, icon: HeartPulse },
  missing_person: { label: categoryLabels.missing_person, icon: UserSearch },
  vehicle: { label: categoryLabels.vehicle, icon: Bus },
  weather: { label: categoryLabels.weather, icon: CloudLightning },
  security: { label: categoryLabels.security, icon: ShieldAlert },
  supplier: { label: categoryLabels.supplier, icon: Package },
  complaint: { label: categoryLabels.complaint, icon: MessageSquareWarning },
  lost_item: { label: categoryLabels.lost_item, icon: PackageSearch },
  near_miss: { label: categoryLabels.near_miss, icon: TriangleAlert },
  other: { label: categoryLabels.other, icon: Siren },
}

export const incidentStatusLabels: Record<Status, () => string> = {
  reported: m.monitoring_incident_reported,
  triaged: m.monitoring_incident_triaged,
  active: m.monitoring_incident_active,
  stabilised: m.monitoring_incident_stabilised,
  resolved: m.monitoring_incident_resolved,
  reviewed: m.monitoring_incident_reviewed,
  merged: m.monitoring_incident_merged,
}

/** The status, and of a merged incident where it went. */
export const statusText = ({ status, mergedInto }: Pick<IncidentRow, 'status' | 'mergedInto'>): string =>
  mergedInto ? m.monitoring_merged_into({ number: mergedInto.number }) : incidentStatusLabels[status]()

const isStatus = (text: string): text is Status => text in incidentStatusLabels

/** A line of the log: of a status its name, of a task or file what was done with it. */
export function entryText({ kind, text, file }: Pick<Incident['timeline'][number], 'kind' | 'text' | 'file'>): string {
  switch (kind) {
    case 'note':
    case 'call':
    case 'message':
      return text
    case 'status':
      return isStatus(text) ? incidentStatusLabels[text]() : text
    case 'file':
      return file && isImageType(file.contentType)
        ? m.monitoring_photo_added_named({ name: text })
        : m.monitoring_file_added_named({ name: text })
    case 'file_removed':
      return m.monitoring_file_removed_named({ name: text })
    case 'task_done':
      return m.monitoring_task_done_named({ text })
    case 'task_reopened':
      return m.monitoring_task_reopened_named({ text })
    case 'task_removed':
      return m.monitoring_task_removed_named({ text })
    case 'merged':
      return m.monitoring_merged_into({ number: text })
  }
}

/** What is over needs nobody. */
export const isOver = (status: Status): boolean => hasStatus(overIncidentStatuses, status)

export const gravityTone = ({ severity, status }: Pick<IncidentRow, 'severity' | 'status'>): Tone =>
  isOver(status) ? 'neutral' : isGrave(severity) ? 'bad' : 'warn'
