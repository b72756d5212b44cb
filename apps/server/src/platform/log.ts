import { pino, type DestinationStream, type Logger } from 'pino'
import type { LogLevel } from '../config.ts'

/** What must never stand in a log, wherever an object carries it. */
const redacted = ['authorization', 'cookie', 'password', 'token', 'idToken', 'refreshToken', 'secret']

/**
 * One JSON line per event on standard output.
 *
 * @param destination Tests collect lines here.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
