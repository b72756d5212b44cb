import type { ServerResponse } from 'node:http'
import type { CallHeaderSettings } from '@tour-ops/contract/page-config'
import type { Config } from '../../config.ts'
import { functionsOrigin } from '../firebase/firebase-settings.ts'
import { clerkIssuer } from '../identity/clerk/clerk-settings.ts'

/** What another identity service needs of the browser, by directive. */
interface Openings {
  readonly script: string
  readonly connect: string
  readonly image: string
  readonly worker: string
  readonly style: string
  readonly frame: string
}

const closed: Openings = { script: '', connect: '', image: '', worker: '', style: '', frame: '' }

/**
 * The hosted service's script and interface come from its own host, or through a proxy path of ours; it looks for robots in frames of
 * Cloudflare and of its own, and its form elements carry style elements.
 *
 * @see https://clerk.com/docs/guides/secure/best-practices/csp-headers
 */
function openingsFor({ identity, publicUrl }: Config): Openings {
  if (identity.kind !== 'clerk') return closed
  const { origin } = new URL(clerkIssuer(identity.clerk, publicUrl))
  const own = origin === publicUrl ? '' : origin
  const guards = 'https://challenges.cloudflare.com https://*.protect.clerk.com'
  return {
    script: `${own} ${guards}`,
    connect: `${own} ${guards}:*`,
    image: 'https://img.clerk.com',
    worker: 'blob:',
    style: "'unsafe-inline'",
    frame: guards,
  }
}

/**
 * The hosted backend is asked over the network only, by scripts of ours. The database's SDK loads a one-pixel picture when a stream
 * breaks, to learn whether there is a network at all. Analytics and App Check bring scripts of their own, where they are configured.
 */
function backendOpenings({ backend }: Config): Pick<Openings, 'script' | 'connect' | 'image' | 'frame'> {
  if (backend.kind === 'own') return headerOpenings(backend.callHeaders)
  const { local, region, project, bridge } = backend
  const exchange = bridge.kind === 'exchange' ? new URL(bridge.url).origin : ''
  const addresses = local
    ? [
        local.auth,
        ...[local.firestore, local.functions, local.storage].map(({ host, port }) => `http://${host}:${port}`),
      ]
    : [
        'https://identitytoolkit.googleapis.com',
        'https://securetoken.googleapis.com',
        'https://firestore.googleapis.com',
        'https://firebasestorage.googleapis.com',
        functionsOrigin(region, project.projectId),
      ]
  const extras = [headerOpenings(backend), project.measurementId ? analyticsOpenings : {}]
  const joined = (name: keyof Openings) => extras.map((each) => each[name] ?? '').join(' ')
  return {
    script: joined('script'),
    connect: [...new Set([...addresses, exchange, joined('connect')])].join(' '),
    image: `https://www.google.com ${joined('image')}`,
    frame: joined('frame'),
  }
}

/** For the two headers of calls that a project gives. */
function headerOpenings(settings: CallHeaderSettings | undefined): Openings {
  const extras = [
    settings?.appCheckKey ? appCheckOpenings : {},
    settings?.project.messagingSenderId ? messagingOpenings : {},
  ]
  const joined = (name: keyof Openings) => extras.map((each) => each[name] ?? '').join(' ')
  return { ...closed, script: joined('script'), connect: joined('connect'), frame: joined('frame') }
}

/** Addresses of the SDK. */
const messagingOpenings: Partial<Openings> = {
  connect: 'https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com',
}

/** @see https://developers.google.com/tag-platform/security/guides/csp, "Google Analytics 4", and the addresses of the SDK. */
const analyticsOpenings: Partial<Openings> = {
  script: 'https://*.googletagmanager.com',
  connect:
    'https://firebaseinstallations.googleapis.com https://firebase.googleapis.com https://*.google-analytics.com ' +
    'https://*.analytics.google.com https://*.googletagmanager.com',
  image: 'https://*.google-analytics.com https://*.googletagmanager.com',
}

/** @see https://developers.google.com/recaptcha/docs/faq, "Content-Security-Policy" */
const appCheckOpenings: Partial<Openings> = {
  script: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  connect: 'https://content-firebaseappcheck.googleapis.com https://www.google.com/recaptcha/',
  frame: 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
}

/**
 * Headers of every answer but those of passive files (`dropDocumentHeaders`). The policy allows our own origin only: no inline script, no inline style (React sets `style`
 * through the CSS object model, which the policy does not concern), no frame. Map hosts are the one opening, by configuration,
 * since the policy is older than any organization's settings; a hosted identity service adds its own. Source: architecture, section 8, "page config", "map close up".
 */
export function securityHeaders(config: Config): ReadonlyArray<readonly [string, string]> {
  const maps = config.map.styleHosts.join(' ')
  const opened = openingsFor(config)
  const backend = backendOpenings(config)
  const frames = `${opened.frame} ${backend.frame}`.trim()
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${opened.script} ${backend.script}`,
    `style-src 'self' ${opened.style}`,
    `img-src 'self' data: blob: ${opened.image} ${backend.image} ${maps}`,
    "font-src 'self'",
    `connect-src 'self' ${opened.connect} ${backend.connect} ${maps}`,
    `worker-src 'self' ${opened.worker}`,
    ...(frames === '' ? [] : [`frame-src ${frames}`]),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const isHttps = config.publicUrl.startsWith('https:')
  return [
    [
      'content-security-policy',
      policy.map((rule) => rule.trim().replaceAll(/ +/g, ' ')).join('; ') +
        (isHttps ? '; upgrade-insecure-requests' : ''),
    ],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    // share links carry a token in their path
    ['referrer-policy', 'same-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'geolocation=(self), camera=(self), microphone=(), payment=(), usb=()'],
    ...(isHttps ? [['strict-transport-security', 'max-age=31536000; includeSubDomains'] as const] : []),
  ]
}

/**
 * What an answer keeps that a document only refers to, such as a style sheet or a font: nobody guesses its type, no other site embeds it,
 * and whether the connection ends. Policies of documents and workers mean nothing on it.
 */
const keptByPassiveFiles = new Set(['x-content-type-options', 'cross-origin-resource-policy', 'connection'])

/** Takes off a passive file what is for documents. To be called before the headers of the file itself are set. */
export function dropDocumentHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (!keptByPassiveFiles.has(name)) response.removeHeader(name)
}
