import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbedded, type EmbeddedServer } from '../apps/server/src/platform/db/launcher.ts'
import { createLog } from '../apps/server/src/platform/log.ts'
import { mailSink, type MailSink } from '../apps/server/testing/mail-sink.ts'
import type { Callable, In, Out } from '@tour-ops/contract/callable'
import type { Api } from './api.ts'
import { openClerkWorld, post, type ClerkWorld } from './clerk-world.ts'
import { liveRules } from './stand-ins/firestore-rules.ts'
import { startFirestore, type FirestoreStandIn } from './stand-ins/firestore.ts'
import { startStorage, type StorageStandIn } from './stand-ins/storage.ts'
import { startTokens, type TokenStandIn } from './stand-ins/tokens.ts'

/** An installation on the hosted identity service and the hosted backend: our always-on server, functions, database of live documents. */
export interface HostedWorld {
  readonly clerk: ClerkWorld
  readonly tokens: TokenStandIn
  readonly firestore: FirestoreStandIn
  readonly storage: StorageStandIn
  /** Takes what the always-on server sends. */
  readonly mail: MailSink
  readonly functionsPort: number
  /** Calls the functions as a person who has no browser. */
  api(userId: string, orgId: string): Promise<Api>
  /** The backend's token of such a person, for the database of live documents. */
  backendToken(userId: string, orgId: string): Promise<string>
  /** What the functions printed. */
  output(): string
  stop(): Promise<void>
}

const projectId = 'demo-tour'
const serviceAccount = `functions@${projectId}.iam.gserviceaccount.com`

/** @param port Ours; the next six are taken as well. */
export async function openHostedWorld(port: number): Promise<HostedWorld> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hosted-world-'))
  fs.chmodSync(folder, 0o755)
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [tokenPort, databasePort, functionsPort, storagePort] = [port + 2, port + 3, port + 4, port + 6]
  const functionsUrl = `http://localhost:${functionsPort}/${projectId}/us-central1`
  const postgres = await startEmbedded(folder, createLog('silent'))
  const mail = await mailSink()
  const tokens = await startTokens({ projectId, serviceAccount, keys, port: tokenPort })
  const verify = (bearer: string) => tokens.verify(bearer)
  const firestore = await startFirestore({ projectId, rules: liveRules, verify, port: databasePort })
  const storage = await startStorage({
    verify,
    roleOf: (orgId, userId) => firestore.at(`orgs/${orgId}/members/${userId}`)?.['role'],
    port: storagePort,
  })
  const account = path.join(folder, 'service-account.json')
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const facts = {
    type: 'service_account',
    project_id: projectId,
    client_email: serviceAccount,
    private_key: privateKey,
  }
  fs.writeFileSync(account, JSON.stringify(facts))
  let functions: Functions | undefined
  const clerk = await openClerkWorld(
    port,
    {},
    {
      BACKEND: 'firebase',
      DATABASE_URL: addressOf(postgres),
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_API_KEY: 'demo',
      FIREBASE_APP_ID: '1:1:web:1',
      FIREBASE_MEASUREMENT_ID: 'G-DEMO',
      FIREBASE_STORAGE_BUCKET: `${projectId}.firebasestorage.app`,
      FIREBASE_EXCHANGE_URL: `${functionsUrl}/exchange`,
      FIREBASE_LOCAL: [tokenPort, databasePort, functionsPort, storagePort].join(','),
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'office@example.com',
      SESSION_SECRET: 'a secret of this test, long enough for anybody',
    },
    // they open the database with their first request only
    async (settings) => {
      functions = await startFunctions({
        ...settings,
        FUNCTIONS_PORT: String(functionsPort),
        DATA_DIR: path.join(folder, 'functions'),
        FIREBASE_KEY_FILE: account,
        GCLOUD_PROJECT: projectId,
        // the keys of the real service are not available here; the database's stand-in checks signatures
        FIREBASE_DEBUG_MODE: 'true',
        FIREBASE_DEBUG_FEATURES: '{"skipTokenVerification":true}',
      })
    },
  )
  const backendToken = async (userId: string, orgId: string): Promise<string> => {
    const { token } = await post(`${functionsUrl}/exchange`, {}, clerk.sessionToken(userId, orgId))
    const signIn = `${tokens.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken`
    const { idToken } = await post(signIn, { token, returnSecureToken: true })
    return String(idToken)
  }
  return {
    clerk,
    tokens,
    firestore,
    storage,
    mail,
    functionsPort,
    output: () => functions?.output() ?? '',
    backendToken,
    async api(userId, orgId) {
      const bearer = await backendToken(userId, orgId)
      return {
        async call<C extends Callable>(callable: C, input: In<C>) {
          const { result } = await post(`${functionsUrl}/api/${callable.name}`, { data: input }, bearer)
          return result as Out<C>
        },
      }
    },
    async stop() {
      functions?.child.kill('SIGKILL')
      await clerk.stop()
      await firestore.close()
      await storage.close()
      await tokens.close()
      await mail.close()
      await postgres.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function addressOf({ admin }: EmbeddedServer): string {
  const { user, host, port, database } = admin
  const address = new URLSearchParams({ host: String(host), port: String(port ?? 5432), user: String(user) })
  return `postgres:///${database ?? 'postgres'}?${address.toString()}`
}

interface Functions {
  readonly child: ChildProcess
  readonly output: () => string
}

async function startFunctions(env: Record<string, string>): Promise<Functions> {
  const program = path.resolve(import.meta.dirname, 'stand-ins/functions-process.ts')
  const child = spawn(process.execPath, [program], { env: { ...process.env, LOG_LEVEL: 'warn', ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let attempt = 0; attempt < 240 && !output.includes('Functions are ready'); attempt += 1) {
    if (child.exitCode !== null) throw new Error(`The functions ended:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return { child, output: () => output }
}
