import type { CallHeaderSettings, FirebaseSettings } from '@tour-ops/contract/page-config'

/** The settings as read from the environment. */
interface FirebaseEnvironment {
  readonly text: (name: string) => string | null
  readonly problems: string[]
}

/** Source: spec, section 9, "region us-central1". */
export const defaultRegion = 'us-central1'
/** Source: spec, section 7, "a token template named integration_firebase". */
const defaultTemplate = 'integration_firebase'

const siteKeyName = 'FIREBASE_APP_CHECK_KEY'
const senderName = 'FIREBASE_MESSAGING_SENDER_ID'

/** Whether the browser's proof is asked for. Source: spec, section 7, "app-check headers". */
export const isAppCheckRequired = (value: string | null | undefined): boolean => value === 'required'

/**
 * The project whose App Check and Messaging give calls to our own server their headers; undefined without one. What is missing becomes a
 * sentence in `problems`.
 */
export function readCallHeaders({ text, problems }: FirebaseEnvironment): CallHeaderSettings | undefined {
  const appCheckKey = text(siteKeyName)
  const messagingSenderId = text(senderName)
  if (isAppCheckRequired(text('FIREBASE_APP_CHECK')) && appCheckKey === null)
    problems.push(`FIREBASE_APP_CHECK=required needs ${siteKeyName}: without it no browser could prove anything.`)
  if (appCheckKey === null && messagingSenderId === null) {
    if (text('FIREBASE_PROJECT_ID') !== null)
      problems.push(`FIREBASE_PROJECT_ID says nothing without BACKEND=firebase, ${siteKeyName} or ${senderName}.`)
    return undefined
  }
  const required = (name: string): string => {
    const value = text(name)
    if (value === null) problems.push(`${siteKeyName} and ${senderName} need ${name}: the project's settings show it.`)
    return value ?? ''
  }
  return {
    project: {
      projectId: required('FIREBASE_PROJECT_ID'),
      apiKey: required('FIREBASE_API_KEY'),
      appId: required('FIREBASE_APP_ID'),
      ...(messagingSenderId === null ? {} : { messagingSenderId }),
    },
    appCheckKey,
  }
}

/** Null when something is wrong; each problem is then a sentence in `problems`. */
export function readFirebaseSettings(env: FirebaseEnvironment, isLoopback: boolean): FirebaseSettings | null {
  const { text, problems } = env
  const before = problems.length
  const required = (name: string): string => {
    const value = text(name)
    if (value === null) problems.push(`BACKEND=firebase needs ${name}: the project's settings at Firebase show it.`)
    return value ?? ''
  }
  const projectId = required('FIREBASE_PROJECT_ID')
  const apiKey = required('FIREBASE_API_KEY')
  const storageBucket = required('FIREBASE_STORAGE_BUCKET')
  const optional = {
    appId: text('FIREBASE_APP_ID'),
    authDomain: text('FIREBASE_AUTH_DOMAIN'),
    measurementId: text('FIREBASE_MEASUREMENT_ID'),
    messagingSenderId: text(senderName),
  }
  const appCheckKey = text(siteKeyName)
  for (const name of ['FIREBASE_MEASUREMENT_ID', siteKeyName, senderName]) {
    if (text(name) && !optional.appId) problems.push(`${name} needs FIREBASE_APP_ID: the project's settings show it.`)
  }
  const callables = text('FIREBASE_CALLABLES') ?? 'api'
  if (callables !== 'api' && callables !== 'named')
    problems.push(`FIREBASE_CALLABLES must be one of "api", "named", got "${callables}".`)
  const region = text('FIREBASE_REGION') ?? defaultRegion
  const settings: FirebaseSettings = {
    kind: 'firebase',
    project: {
      apiKey,
      projectId,
      storageBucket,
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    },
    appCheckKey,
    region,
    callables: callables === 'named' ? callables : 'api',
    bridge: readBridge(env, functionsOrigin(region, projectId)),
    tokenSyncPath: readPath(env, 'FIREBASE_TOKEN_SYNC_PATH'),
    local: readLocal(env, isLoopback),
  }
  return problems.length === before ? settings : null
}

/** Where the project's functions answer. Source: spec, section 7, `{region}-{project}.{host}`. */
export const functionsOrigin = (region: string, projectId: string): string =>
  `https://${region}-${projectId}.cloudfunctions.net`

function readBridge({ text, problems }: FirebaseEnvironment, origin: string): FirebaseSettings['bridge'] {
  const kind = text('FIREBASE_BRIDGE') ?? 'exchange'
  if (kind === 'clerk-template') return { kind, template: text('FIREBASE_TOKEN_TEMPLATE') ?? defaultTemplate }
  if (kind !== 'exchange') problems.push(`FIREBASE_BRIDGE must be one of "exchange", "clerk-template", got "${kind}".`)
  const url = text('FIREBASE_EXCHANGE_URL') ?? `${origin}/exchange`
  if (!URL.canParse(url)) problems.push(`FIREBASE_EXCHANGE_URL must be a full address, got "${url}".`)
  return { kind: 'exchange', url }
}

/** Only a path of this site: the token must not travel anywhere else. */
function readPath({ text, problems }: FirebaseEnvironment, name: string): string | null {
  const value = text(name)
  if (value === null || /^\/(?![/\\])[\w/-]*$/.test(value)) return value
  problems.push(`${name} must be a path of this installation such as "/token", got "${value}".`)
  return null
}

/** Stand-ins on this computer accept unsigned tokens: never where others can reach us. */
function readLocal({ text, problems }: FirebaseEnvironment, isLoopback: boolean): FirebaseSettings['local'] {
  const given = text('FIREBASE_LOCAL')
  if (given === null) return null
  if (!isLoopback) {
    problems.push('FIREBASE_LOCAL is for tests on this computer; PUBLIC_URL says that others reach us. Leave it out.')
    return null
  }
  const ports = given.split(',').map(Number)
  const [auth, firestore, functions, storage] = ports
  if (ports.length !== 4 || !ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) {
    problems.push(`FIREBASE_LOCAL must be four ports, of sign-in, database, functions and files, got "${given}".`)
    return null
  }
  const at = (port = 0) => ({ host: 'localhost', port })
  return { auth: `http://localhost:${auth}`, firestore: at(firestore), functions: at(functions), storage: at(storage) }
}
