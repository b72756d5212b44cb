import type { CallHeaderSettings, FirebaseSettings } from '@tour-ops/contract/page-config'
import { joinOpenings, type Openings } from '../http/openings.ts'
import { functionsOrigin } from './firebase-settings.ts'

/**
 * The hosted backend is asked over the network only, by our scripts. The database's SDK loads a one-pixel picture when a stream
 * breaks, to learn whether there is a network at all. Analytics and App Check bring scripts of their own, where they are configured.
 */
export function firebaseOpenings(backend: FirebaseSettings): Openings {
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
  return joinOpenings([
    { connect: [...addresses, exchange].join(' '), image: 'https://www.google.com' },
    callHeaderOpenings(backend),
    backend.project.measurementId ? analyticsOpenings : {},
  ])
}

/** For the two headers of calls that a project gives, also to our own server. */
export const callHeaderOpenings = (settings: CallHeaderSettings | undefined): Openings =>
  joinOpenings([
    settings?.appCheckKey ? appCheckOpenings : {},
    settings?.project.messagingSenderId ? messagingOpenings : {},
  ])

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
