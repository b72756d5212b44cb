import path from 'node:path'
import type { FirebaseSettings } from '@tour-ops/contract/page-config'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { registerBackground } from './background.ts'
import { withPort, type Config } from './config.ts'
import type { Services } from './context.ts'
import { Courier } from './platform/channels/courier.ts'
import { calendarHandler } from './features/calendar-feeds/calendar-http.ts'
import { AlertTicks } from './features/monitoring/alert-ticks.ts'
import { evaluateDue } from './features/monitoring/due-evaluation.ts'
import { weatherHandler } from './features/monitoring/weather-http.ts'
import { trackHandler } from './features/tracking/track-http.ts'
import { WebhookSender } from './features/webhooks/webhook-sender.ts'
import { smtpTransport } from './platform/channels/mail-transport.ts'
import { backUpBeforeUpgrade } from './platform/backup/before-upgrade.ts'
import { phoneNetworkOf } from './platform/channels/phone-adapters.ts'
import { outboxChannels } from './platform/channels/outbox-channels.ts'
import { passcodeGate } from './features/links/passcode-http.ts'
import { phoneAnswersHandler } from './features/notifications/phone-answers-http.ts'
import { unsubscribeHandler } from './features/notifications/unsubscribe-http.ts'
import { withOneClick } from './platform/channels/one-click.ts'
import { pushNetworkOf } from './platform/channels/push-service.ts'
import { guestEnclosures } from './platform/operations/guest-enclosures.ts'
import { systemClock } from './platform/clock.ts'
import { migrateDatabase, openDatabase, type Database } from './platform/db/database.ts'
import { filesHandler } from './platform/files/files-http.ts'
import { createFiles, workFolder, type FilePlaces } from './platform/files/stored-files.ts'
import { applicationHandler } from './platform/http/application.ts'
import { withAppCheck } from './platform/http/app-check.ts'
import { callablesHandler } from './platform/http/callables.ts'
import { startHandler } from './platform/http/start.ts'
import { buildIdOf, createDocuments } from './platform/http/documents.ts'
import { startHttpServer, type HttpServer } from './platform/http/http-server.ts'
import { demoAccountsOf, hasStart, pageConfigOf } from './platform/http/page-config.ts'
import { rateLimit } from './platform/http/rate-limits.ts'
import { loadStaticFiles } from './platform/http/static-files.ts'
import { createIdentity } from './platform/identity/identity.ts'
import type { Identity } from './platform/identity/identity-port.ts'
import { mountIdentity } from './platform/identity/mount-identity.ts'
import { removeForeignSigningKeys } from './platform/identity/signing-keys.ts'
import { reportUnreadableAuthenticators } from './platform/identity/second-factor/unreadable-authenticators.ts'
import { refuseOtherKind } from './platform/installation.ts'
import { bossJobs } from './platform/jobs/boss-jobs.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { KnownDepartures } from './platform/operations/known-departures.ts'
import { openSealing } from './platform/key-registry.ts'
import { Gathered } from './platform/gathered.ts'
import { SharedAnswers } from './platform/shared-answers.ts'
import { AnswersForAWhile } from './platform/answers-for-a-while.ts'
import { mountLive } from './platform/live/live-http.ts'
import { openLive, type LiveServer } from './platform/live/live.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { openApiDocument } from './platform/openapi.ts'
import { endFirstStart, refuseUnfitPlace, tracesOfWork } from './platform/place.ts'
import { sealRemaining } from './platform/reseal.ts'
import type { WayIn, Welcome } from './platform/welcome.ts'
import { allVerbs } from './verbs.ts'

export interface RunningServer {
  /** What to print for the person who started it. */
  readonly welcome: Welcome
  readonly services: Services
  readonly identity: Identity
  /** Finishes what is under way, then closes everything. Twice is once. */
  close(): Promise<void>
}

/** What is open so far. */
interface Opened {
  server?: HttpServer
  db?: Database
  live?: LiveServer
  jobs?: Jobs
  courier?: Courier
  webhooks?: WebhookSender
  alertTicks?: AlertTicks
  stopPublishing?: () => Promise<void>
  stopDemo?: () => Promise<void>
}

/**
 * Starts everything: listens (503 at first), opens and migrates the database, puts the services together, seeds the demo, serves.
 *
 * @param onLost Our own PostgreSQL ended and could not be started again: this process is of no more use.
 * @throws Error with a message for the person who starts the program; nothing stays open then.
 */
export async function startServer(asked: Config, log: Logger, onLost?: (error: Error) => void): Promise<RunningServer> {
  const opened: Opened = {}
  try {
    return await start(asked, log, opened, onLost)
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

/** Callers first, then work of our own, the database last. */
async function closeAll({
  server,
  db,
  live,
  jobs,
  courier,
  webhooks,
  alertTicks,
  stopPublishing,
  stopDemo,
}: Opened): Promise<void> {
  await stopDemo?.()
  await server?.close(() => live?.close())
  await courier?.stop()
  await webhooks?.stop()
  await alertTicks?.stop()
  await jobs?.stop()
  await stopPublishing?.()
  await db?.close()
}

async function start(
  asked: Config,
  log: Logger,
  opened: Opened,
  onLost?: (error: Error) => void,
): Promise<RunningServer> {
  const metrics = createMetrics()
  const server = (opened.server = await startHttpServer(asked, log, metrics))
  const config = withPort(asked, server.port)
  const found = tracesOfWork(config.dataDir)
  const db = (opened.db = await openDatabase({ ...config, log, ...(onLost && { onLost }) }))
  await refuseUnfitPlace(db.ownerPool, { ...config, found })
  await backUpBeforeUpgrade(config, db, log)
  await migrateDatabase(db, log)
  endFirstStart(config.dataDir)
  await refuseOtherKind(db.ownerPool, config.demo)
  measureDatabase(db, metrics)
  const sealed = await openSealing(config, db)
  await sealRemaining({ db, sealed, log })
  await removeForeignSigningKeys(db.ownerPool, config.secret, log)
  await reportUnreadableAuthenticators(db.ownerPool, config.secret, log)

  const files = createFiles(config, sealed, await filePlacesOf(config))
  const channels = outboxChannels({ db, clock: systemClock, delivery: config.mail ? 'smtp' : 'outbox' })
  const identity = createIdentity({ config, db, log, channels })
  const jobs = bossJobs({ db, log })
  const live = (opened.live = await openLive({ db, log, mode: config.realtime }))
  const identityAdmin = identity.admin
  const clock = systemClock
  const services: Services = {
    config,
    db,
    clock,
    log,
    files,
    channels,
    jobs,
    live,
    identityAdmin,
    sealed,
    reads: new Gathered(),
    shared: new SharedAnswers(),
    knownDepartures: new KnownDepartures(),
    answersForAWhile: new AnswersForAWhile(),
  }
  registerBackground(services, files)
  opened.jobs = jobs
  // Before the jobs: an evaluation in the middle of the seed would raise alerts about a partly seeded day.
  if (config.demo) await (await import('../seed/demo.ts')).seedDemo(services, config.demoMoves)
  await jobs.start()
  const alertTicks = (opened.alertTicks = new AlertTicks(log, () => evaluateDue(services)))
  metrics.gauge('alerts_lag_seconds', 'How long what was evaluated last had been due', () => alertTicks.lagMs / 1000)
  alertTicks.start()
  const phones = { sealed, network: phoneNetworkOf(config), push: pushNetworkOf(config) }
  const mail = config.mail && smtpTransport(config.mail.smtpUrl, config.mail.from)
  opened.courier = new Courier({
    db,
    log,
    mail,
    phones,
    enclose: withOneClick(guestEnclosures(config.publicUrl), config),
  })
  await opened.courier.start()
  opened.webhooks = new WebhookSender(services)
  await opened.webhooks.start()

  if (config.backend.kind === 'firebase') opened.stopPublishing = await publishToFirestore(config.backend, services)

  server.serve(await handlerOf({ services, identity, live, files, metrics, server }))
  if (config.demoMoves) {
    const { startMovingDemo } = await import('../seed/moving-demo.ts')
    opened.stopDemo = await startMovingDemo(services, config.publicUrl)
  }
  let closed: Promise<void> | undefined
  return {
    welcome: { address: config.publicUrl, wayIn: await wayInto(config, identity), dataDir: config.dataDir },
    services,
    identity,
    close: () => (closed ??= closeAll(opened)),
  }
}

/** Loaded where it is used only: the others start without the libraries of the hosted backend. */
async function publishToFirestore(settings: FirebaseSettings, services: Services): Promise<() => Promise<void>> {
  const [{ startPublishing }, { startPublishingPositions }, { firestoreOf }] = await Promise.all([
    import('./platform/firebase/change-publisher.ts'),
    import('./platform/firebase/position-publisher.ts'),
    import('./platform/firebase/firestore-writer.ts'),
  ])
  const store = firestoreOf(settings)
  const stopChanges = await startPublishing({ ...services, store })
  const stopPositions = startPublishingPositions({ ...services, store })
  return async () => void (await Promise.all([stopChanges(), stopPositions()]))
}

/** Undefined where files are on this machine. */
async function filePlacesOf(config: Config): Promise<FilePlaces | undefined> {
  if (config.backend.kind !== 'firebase') return undefined
  const [{ bucketPlaces }, { bucketOf }] = await Promise.all([
    import('./platform/firebase/bucket-files.ts'),
    import('./platform/firebase/storage-bucket.ts'),
  ])
  return bucketPlaces(bucketOf(config.backend), workFolder(config))
}

interface Parts {
  readonly services: Services
  readonly identity: Identity
  readonly live: LiveServer
  readonly files: ReturnType<typeof createFiles>
  readonly metrics: Metrics
  readonly server: HttpServer
}

/** Compressed files are named by content: they survive builds and serve every data folder. */
const encodedFolder = path.resolve(import.meta.dirname, '../../../node_modules/.cache/tour-operations/encoded')

async function handlerOf({ services, identity, live, files, metrics, server }: Parts) {
  const { config, log } = services
  const { verifyBackendToken } = identity
  const staticFiles = loadStaticFiles(config.webDist, encodedFolder, log)
  const documents = await createDocuments(staticFiles, pageConfigOf(config, buildIdOf(staticFiles)))
  const identityRoutes = new Hono()
  mountIdentity(identityRoutes, identity, log)
  metrics.gauge('live_streams_open', 'Browsers that listen for changes', () => live.openStreams())
  const documentRoutes = mountLive({
    live,
    log,
    verifyBackendToken,
    // lifting the limit of a person's requests, for a measurement, lifts this one too
    ...(config.rateLimits.perUserPerMinute === 0 && { maxStreamsPerPerson: Number.POSITIVE_INFINITY }),
  })
  const calls = {
    services,
    verbs: allVerbs,
    verifyBackendToken,
    perUser: rateLimit(config.rateLimits.perUserPerMinute),
  }
  return applicationHandler({
    config,
    services,
    metrics,
    staticFiles,
    documents,
    callables: withAppCheck(callablesHandler(calls), config.appCheckProject),
    start: hasStart(config) ? startHandler({ identity: identityRoutes, calls }) : null,
    files: filesHandler({ services, files, metrics, verifyBackendToken }),
    track: trackHandler({ services, metrics }),
    calendar: calendarHandler({ services, metrics }),
    weather: weatherHandler({ services, metrics }),
    unsubscribe: unsubscribeHandler({ services, metrics }),
    phoneAnswers: phoneAnswersHandler({ services, metrics }),
    passcode: passcodeGate({ services, metrics }),
    live: { ...documentRoutes, handler: withAppCheck(documentRoutes.handler, config.appCheckProject) },
    identity: identityRoutes,
    openApi: JSON.stringify(
      openApiDocument(
        allVerbs.map((verb) => verb.callable),
        config.publicUrl,
      ),
    ),
    isClosing: () => server.isClosing,
  })
}

function measureDatabase({ pool }: Database, metrics: Metrics): void {
  metrics.gauge('database_connections', 'Open connections of the application', () => pool.totalCount)
  metrics.gauge('database_connections_idle', 'Connections that nobody uses', () => pool.idleCount)
  metrics.gauge('database_callers_waiting', 'Callers that wait for a connection', () => pool.waitingCount)
}

async function wayInto(config: Config, identity: Identity): Promise<WayIn> {
  if (config.demo) return { kind: 'demo', accounts: demoAccountsOf(config) }
  const link = await identity.firstAccountLink()
  return link ? { kind: 'first account', link } : { kind: 'account' }
}
