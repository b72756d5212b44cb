import type { Logger } from 'pino'
import { ConfigError, type Config } from '../config.ts'
import { createLog } from './log.ts'
import { StartRefused } from './start-refused.ts'

/** Runs a program to its end; what fails is printed for the person who started it, and the exit code says so. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    console.error(errorText(error))
    process.exitCode = 1
  }
}

/** What a program does is printed by itself; its log contains only what is wrong, unless asked for more. */
export const commandLog = ({ logLevel, logFormat }: Config): Logger =>
  createLog(process.env['LOG_LEVEL'] ? logLevel : 'warn', logFormat)

/** What the person who started the program reads: words where the error has them for people, the stack where it has none. */
export function errorText(error: unknown): string {
  if (error instanceof ConfigError) {
    return `The configuration has ${error.problems.length} problem(s):\n${error.problems.map((problem) => `- ${problem}`).join('\n')}`
  }
  if (error instanceof StartRefused) return error.message
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${error.message}. Stop the other program, or choose another PORT.`
  return error.stack ?? error.message
}
