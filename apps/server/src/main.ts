import { ConfigError, readConfig } from './config.ts'
import { createLog } from './platform/log.ts'
import { startServer, type RunningServer } from './server.ts'

// The program: configuration, start, one line that says where it is, and an orderly end.

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const server = await startServer(config, log)
  stopOnSignals(server)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      // the state is unknown from here on; whoever watches us starts a new one
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  // last: whoever reads it may send a signal at once
  console.log(`Ready on ${server.address} (${server.howToSignIn})`)
} catch (error) {
  console.error(inWords(error))
  process.exit(1)
}

/** The first signal stops in order, the second at once. */
function stopOnSignals(server: RunningServer): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(inWords(error))
          process.exit(1)
        },
      )
    })
  }
}

function inWords(error: unknown): string {
  if (error instanceof ConfigError) {
    return `The configuration has ${error.problems.length} problem(s):\n${error.problems.map((problem) => `- ${problem}`).join('\n')}`
  }
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${error.message}. Stop the other program, or choose another PORT.`
  return error.stack ?? error.message
}
