import { readConfig } from './config.ts'
import { createLog } from './platform/log.ts'
import { errorText } from './platform/run-command.ts'
import { readyLine, welcomeText } from './platform/welcome.ts'
import { startServer, type RunningServer } from './server.ts'

// The program: configuration, start, words that say where it is, and an orderly end.

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel, config.logFormat)
  const isForPeople = config.logFormat === 'text'
  if (isForPeople) console.log('Starting … (the first time takes a minute)')
  const server = await startServer(config, log, (error) => {
    // the process supervisor starts a new one; a person at a terminal reads why
    log.fatal({ err: error }, 'the database is lost')
    console.error(`${error.message} ${errorText(error.cause)}`)
    process.exit(1)
  })
  stopOnSignals(server)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      // the state is unknown from here on; the process supervisor starts a new one
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
  // last: a reader of this line may send a signal at once
  console.log(isForPeople ? welcomeText(server.welcome) : readyLine(server.welcome))
} catch (error) {
  console.error(errorText(error))
  process.exit(1)
}

/** A terminal sends Ctrl+C to all programs that belong together, and one that started another passes it on: so soon it is still the first. */
const sameSignalMs = 1000

/** The first signal stops in order, the second at once. */
function stopOnSignals(server: RunningServer): void {
  let stoppingSince: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stoppingSince !== undefined) {
        if (performance.now() - stoppingSince >= sameSignalMs) process.exit(1)
        return
      }
      stoppingSince = performance.now()
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(errorText(error))
          process.exit(1)
        },
      )
    })
  }
}
