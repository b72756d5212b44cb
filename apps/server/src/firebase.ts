import { cert, getApps, initializeApp, type App, type Credential } from 'firebase-admin/app'
import { getAuth } from 'firebase-admin/auth'
import { onCall, onRequest } from 'firebase-functions/v2/https'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import { registerBackground } from './background.ts'
import { readConfig } from './config.ts'
import type { Services } from './context.ts'
import { outboxChannels } from './platform/channels/outbox-channels.ts'
import { systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/db/database.ts'
import { createFiles, workFolder } from './platform/files/stored-files.ts'
import { bucketPlaces } from './platform/firebase/bucket-files.ts'
import { bucketOf } from './platform/firebase/storage-bucket.ts'
import { callHandler, type CallHandler } from './platform/firebase/call-handler.ts'
import { exchangeToken } from './platform/firebase/exchange.ts'
import { defaultRegion, isAppCheckRequired } from './platform/firebase/firebase-settings.ts'
import { firestoreOf } from './platform/firebase/firestore-writer.ts'
import { namedFunctions } from './platform/firebase/named-functions.ts'
import { publishChanges, publishQuietly, type PublisherParts } from './platform/firebase/live-publisher.ts'
import { createIdentity } from './platform/identity/identity.ts'
import type { Identity } from './platform/identity/identity-port.ts'
import { refuseOtherKind } from './platform/installation.ts'
import { bossJobs } from './platform/jobs/boss-jobs.ts'
import { Gathered } from './platform/gathered.ts'
import { SharedAnswers } from './platform/shared-answers.ts'
import { AnswersForAWhile } from './platform/answers-for-a-while.ts'
import { KnownDepartures } from './platform/operations/known-departures.ts'
import { openSealing } from './platform/key-registry.ts'
import { liveWrites } from './platform/live/live.ts'
import { createLog } from './platform/log.ts'
import { allVerbs } from './verbs.ts'

// The same verbs as functions of a Firebase project. Which function runs is decided by the runtime; nothing is opened before the first request,
// since the deployment loads this file too. Jobs and everything else that happens by itself runs on the always-on server (docs/hosted.md).

/**
 * There may be many instances, so each has two connections at most: one of the application, one of the owner (identity, queues of jobs).
 * See ARCHITECTURE.md, "Where the specification is silent".
 */
const poolSize = 1

interface Hosted {
  readonly call: CallHandler
  readonly identity: Identity
  readonly publisher: PublisherParts
  readonly services: Services
  readonly app: App
}

let opened: Promise<Hosted> | undefined

/** A failed attempt is not cached: the next request tries again. */
function hosted(): Promise<Hosted> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

async function open(): Promise<Hosted> {
  // The only folder that a function may write to; nothing is stored there.
  const config = readConfig({ DATA_DIR: '/tmp/tour-operations', ...process.env })
  if (config.backend.kind !== 'firebase') throw new Error('The functions need BACKEND=firebase.')
  const app =
    getApps()[0] ?? initializeApp({ projectId: config.backend.project.projectId, ...credentialOf(process.env) })
  const log = createLog(config.logLevel)
  const db = await openDatabase({ ...config, poolSize, log })
  await refuseOtherKind(db.ownerPool, config.demo)
  const channels = outboxChannels({ db, clock: systemClock, delivery: config.mail ? 'smtp' : 'outbox' })
  const identity = createIdentity({ config, db, log, channels })
  const sealed = await openSealing(config, db)
  const files = createFiles(config, sealed, bucketPlaces(bucketOf(config.backend), workFolder(config)))
  const jobs = bossJobs({ db, log, works: false })
  const live = { ...liveWrites, close: async () => undefined }
  const services: Services = {
    config,
    db,
    clock: systemClock,
    log,
    files,
    channels,
    jobs,
    live,
    identityAdmin: identity.admin,
    sealed,
    reads: new Gathered(),
    shared: new SharedAnswers(),
    knownDepartures: new KnownDepartures(),
    answersForAWhile: new AnswersForAWhile(),
  }
  // names the jobs that verbs may ask for; the always-on server works on them
  registerBackground(services, files)
  await jobs.start()
  const publisher = { db, store: firestoreOf(config.backend), log }
  const call = callHandler({ services, verbs: allVerbs, publish: () => publishQuietly(publisher) })
  return { call, identity, publisher, services, app }
}

/** At Google the program's own account signs, without any key; elsewhere a key file is needed to sign custom tokens. */
function credentialOf({ FIREBASE_KEY_FILE: file }: NodeJS.ProcessEnv): { credential?: Credential } {
  return file ? { credential: cert(file) } : {}
}

/** Read when the functions are deployed, so from the environment and not from the configuration. */
const region = process.env['FIREBASE_REGION'] ?? defaultRegion
/** Calls without a valid App Check token are refused then. The exchange is not: it has the session token to go by. */
const enforceAppCheck = isAppCheckRequired(process.env['FIREBASE_APP_CHECK'])
const ownOrigin = process.env['PUBLIC_URL'] ?? true

const callOptions = {
  region,
  cors: ownOrigin,
  enforceAppCheck,
  timeoutSeconds: 80,
  memory: '512MiB',
  concurrency: 10,
} as const

/** Every callable, `api/{name}`. Source: spec, section 7, "Callable functions". */
export const api = onCall(callOptions, async (request, response) => (await hosted()).call(request, response))

/**
 * Every callable as a separate function, `{region}-{project}.{host}/{name}`; `firebase-named.cjs` deploys these instead of `api`. Each
 * has its own instances, and so its own database connections.
 */
export const named = () =>
  namedFunctions(
    allVerbs.map(({ callable }) => callable.name),
    (name) => onCall(callOptions, async (request, response) => (await hosted()).call(request, response, name)),
  )

/** A session token of the identity service for a custom token of the backend. */
export const exchange = onRequest({ region, cors: ownOrigin, memory: '512MiB' }, async (request, response) => {
  const { identity, publisher, services, app } = await hosted()
  const parts = {
    admit: identity.admit,
    publish: () => publishQuietly(publisher),
    mint: (userId: string, claims: object) => getAuth(app).createCustomToken(userId, claims),
    log: services.log,
  }
  const { status, body } =
    request.method === 'POST'
      ? await exchangeToken(parts, request.header('authorization'))
      : { status: 405, body: { error: { status: 'INVALID_ARGUMENT', message: 'Send a POST.' } } }
  response.set('cache-control', 'no-store')
  response.status(status).json(body)
})

/** Publishes what no call has published: changes of jobs and of the always-on server, and what the store refused before. */
export const sweep = onSchedule({ region, schedule: 'every 1 minutes' }, async () => {
  const { publisher } = await hosted()
  await publishChanges(publisher)
})
