import { pino, type DestinationStream, type Logger } from 'pino'
import type { LogFormat, LogLevel } from '../config.ts'
import { readableLog } from './readable-log.ts'

/** What must never be in a log, wherever an object carries it. */
const redacted = ['authorization', 'cookie', 'password', 'token', 'idToken', 'refreshToken', 'secret']

/**
 * One line per event on standard output: JSON, or words for somebody at a terminal.
 *
 * @param destination Tests collect lines here.
 */
export function createLog(level: LogLevel, format: LogFormat = 'json', destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }
  const output = destination ?? process.stdout
  if (format === 'text')
    return pino(
      options,
      readableLog((line) => output.write(line)),
    )
  return destination ? pino(options, destination) : pino(options)
}
