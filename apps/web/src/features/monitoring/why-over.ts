import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { m } from '../../paraglide/messages.js'
import { formatMoment, formatPercent } from '../../ui/format.ts'
import { evidenceOf } from './alert-title.ts'

/** Why an alert ended by itself, from the values at that moment; null where they do not explain its kind. */
export function whyOver({ kind, departure, resolutionFacts }: AlertRow, officeZone: string): string | null {
  const { text, count } = evidenceOf({ evidence: resolutionFacts })
  const time = (key: string): string | null => {
    const at = text(key)
    return at && formatMoment(at, departure?.timeZone ?? officeZone)
  }
  if (['completed', 'aborted'].includes(text('status') ?? '')) return m.monitoring_over_ended()
  switch (kind) {
    case 'late_start': {
      const started = time('startedAt')
      return started && m.monitoring_over_started({ time: started })
    }
    case 'running_late':
    case 'eta_miss': {
      const minutes = count('delayMin')
      return minutes === null ? null : m.monitoring_over_delay({ minutes })
    }
    case 'no_lead_guide': {
      const name = text('leadName')
      return name && m.monitoring_over_lead({ name })
    }
    case 'below_min_pax': {
      const [pax, needed] = [count('pax'), count('minPax')]
      return pax === null || needed === null ? null : m.monitoring_over_guests({ count: pax, needed })
    }
    case 'headcount_mismatch': {
      const [counted, expected] = [count('counted'), count('expected')]
      return counted === null || expected === null ? null : m.monitoring_over_counted({ counted, expected })
    }
    case 'weather_warning':
      return text('warningEndedAt') === null ? null : m.monitoring_over_weather()
    case 'battery_low': {
      const battery = count('batteryPct')
      return battery === null ? null : m.monitoring_over_battery({ battery: formatPercent(battery / 100) })
    }
    case 'no_go_area':
    case 'signal_lost':
    case 'off_route':
    case 'long_stop':
    case 'overspeed':
    case 'geofence_absent': {
      if (text('areaArchivedAt') !== null) return m.monitoring_over_archived()
      const heard = time('heardAt')
      return heard && m.monitoring_over_heard({ time: heard })
    }
    default:
      return null
  }
}
