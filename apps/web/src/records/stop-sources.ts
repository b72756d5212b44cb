import type { StopSource } from '@tour-ops/contract/departures/run-sheet'
import { Hand, Headset, type LucideIcon, Satellite, Sparkles } from 'lucide-react'
import { m } from '../paraglide/messages.js'

/** Who says when a stop was reached or left, as every screen shows it. */
export const stopSourceLabels: Record<StopSource, { icon: LucideIcon; label: () => string }> = {
  gps: { icon: Satellite, label: m.departures_source_gps },
  guide: { icon: Hand, label: m.departures_source_guide },
  dispatcher: { icon: Headset, label: m.departures_source_office },
  inferred: { icon: Sparkles, label: m.departures_source_inferred },
}
