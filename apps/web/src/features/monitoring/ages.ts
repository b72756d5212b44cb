import { m } from '../../paraglide/messages.js'

const minuteMs = 60_000

/** How long ago, as a bare number: `4 min`, `1 h 12`, `3 d`. See docs/screens.md, "Monitoring". */
export function ageText(moment: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(moment)) / minuteMs))
  if (minutes < 60) return m.monitoring_age_minutes({ minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return m.monitoring_age_hours({ hours, minutes: String(minutes % 60).padStart(2, '0') })
  return m.monitoring_age_days({ days: Math.floor(hours / 24) })
}

/** The same for what changes by the second: `12 s`. */
export function signalAge(moment: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(moment)) / 1000))
  return seconds < 60 ? m.monitoring_age_seconds({ seconds }) : ageText(moment, now)
}
