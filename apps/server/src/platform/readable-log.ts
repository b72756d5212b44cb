import type { DestinationStream } from 'pino'

/** What every line has; the rest is detail. */
const known = new Set(['level', 'time', 'pid', 'msg', 'err', 'hostname'])

/** Turns the log's JSON into one line per event for somebody at a terminal: when, how bad, what, and the details in brackets. */
export const readableLog = (write: (line: string) => void): DestinationStream => ({
  write: (json) => write(`${readableLine(JSON.parse(json) as Record<string, unknown>)}\n`),
})

export function readableLine(event: Readonly<Record<string, unknown>>): string {
  const { level, time, msg, err } = event
  const error = err && typeof err === 'object' && 'message' in err ? String(err.message) : ''
  const details = Object.entries(event)
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const message = [msg, error].filter((part) => typeof part === 'string' && part !== '')
  const words = [...new Set(message)].join(': ').replace(/^WARNING: /, '')
  const text = `${clockOf(time)} ${labelOf(level)} ${words}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
  // one event, one line: what others wrote must not draw on the terminal either
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
}

const labels: Readonly<Record<string, string>> = { warn: 'Warning', error: 'Error', fatal: 'Fatal' }

const labelOf = (level: unknown): string => (typeof level === 'string' ? (labels[level] ?? level) : '')

/** The terminal's own time: its reader sits in front of it. */
const clockOf = (time: unknown): string =>
  typeof time === 'string' ? new Date(time).toLocaleTimeString('sv-SE', { hour12: false }) : ''
