import * as z from 'zod/mini'
import { roles } from './identity/access.ts'
import { locales } from './locales.ts'

/** Where the identity widgets lead afterwards. Source: spec, section 2, "Configurable redirect targets". */
export const RedirectTargets = z.object({
  afterSignIn: z.string(),
  afterSignUp: z.string(),
  afterSignOut: z.string(),
  afterCreateOrganization: z.string(),
  afterSelectOrganization: z.string(),
  afterLeaveOrganization: z.string(),
  afterJoinWaitlist: z.string(),
})
export type RedirectTargets = z.infer<typeof RedirectTargets>

/** One-click accounts on the sign-in page; only in demo mode on this computer. */
export const DemoAccount = z.object({ email: z.string(), name: z.string(), role: z.enum(roles), password: z.string() })
export type DemoAccount = z.infer<typeof DemoAccount>

/** What the public pages need to know before anybody is signed in. */
const PublicFacts = {
  buildId: z.string(),
  signUp: z.enum(['open', 'waitlist']),
  /** How a person may prove who they are: `password`, `wallet`. */
  providers: z.array(z.string()),
  locale: z.enum(locales),
  passwordMinLength: z.number(),
  demoAccounts: z.array(DemoAccount),
}

/** The address of a local stand-in or emulator, as tests use them: a host and a port. */
const LocalAddress = z.object({ host: z.string(), port: z.number() })

/** A project at Firebase, as its console shows it. Public by nature. */
const FirebaseProject = {
  apiKey: z.string(),
  projectId: z.string(),
  appId: z.optional(z.string()),
  /** Of the messaging service; with it calls name this browser's instance, once its person allows notifications. */
  messagingSenderId: z.optional(z.string()),
}

/**
 * Where the two optional headers of calls come from, the app-check and the messaging-instance token. Source: spec, section 7, "Callable
 * functions".
 */
export const CallHeaderSettings = z.object({
  project: z.object(FirebaseProject),
  /** Site key with which the browser proves to run our page; null without. */
  appCheckKey: z.nullable(z.string()),
})
export type CallHeaderSettings = z.infer<typeof CallHeaderSettings>

/** Source: spec, section 7, and section 9, "region us-central1". Everything here is public by its nature. */
export const FirebaseSettings = z.object({
  kind: z.literal('firebase'),
  ...CallHeaderSettings.shape,
  project: z.object({
    ...FirebaseProject,
    /** Bucket of the files. */
    storageBucket: z.string(),
    authDomain: z.optional(z.string()),
    /** Of the analytics service; without it nothing is counted and nobody is asked. */
    measurementId: z.optional(z.string()),
  }),
  region: z.string(),
  /** `api`: all callables are one function, `api/{name}`; `named`: each is a function of its own, `{name}`, as in the spec, section 7. */
  callables: z.enum(['api', 'named']),
  /**
   * How the person of the identity service becomes a person of the backend: by a token that the service makes after a template,
   * or by our function at `url`, which takes the session token.
   */
  bridge: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('clerk-template'), template: z.string() }),
    z.object({ kind: z.literal('exchange'), url: z.string() }),
  ]),
  /** A path of our site that receives the backend token, so that a server of ours may read it; null without. */
  tokenSyncPath: z.nullable(z.string()),
  /** Local stand-ins; null wherever people work. */
  local: z.nullable(
    z.object({ auth: z.string(), firestore: LocalAddress, functions: LocalAddress, storage: LocalAddress }),
  ),
})
export type FirebaseSettings = z.infer<typeof FirebaseSettings>

/** Our own server. It needs no project; with one, calls carry its app-check and messaging-instance tokens. */
export const OwnBackend = z.object({ kind: z.literal('own'), callHeaders: z.optional(CallHeaderSettings) })
export type OwnBackend = z.infer<typeof OwnBackend>

/**
 * The data block `<script type="application/json" id="page-config">` in every document: put in by our server, written at
 * deploy on a static host. Data, never code. Source: spec, section 7, "base URL from injected page config".
 */
export const PageConfig = z.object({
  ...PublicFacts,
  /** Where others reach this installation, `https://tours.example.com`; null where no public address is configured. */
  publicOrigin: z.nullable(z.string()),
  /** Start of every address of our own interface, `/api`. */
  baseUrl: z.string(),
  identity: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('embedded') }),
    z.object({
      kind: z.literal('clerk'),
      /** Public by nature. Its prefix decides production or development. Source: spec, section 9. */
      publishableKey: z.string(),
      /** Where the service's Frontend API is reached instead of its own host: an address, or a path of this one. */
      proxyUrl: z.optional(z.string()),
    }),
  ]),
  backend: z.discriminatedUnion('kind', [OwnBackend, FirebaseSettings]),
  /** The server answers a start in one (`start.ts`). */
  hasStart: z.optional(z.boolean()),
  redirects: RedirectTargets,
  /** Hosts whose map styles and tiles the Content-Security-Policy lets in; empty means the offline basemap only. */
  mapHosts: z.array(z.string()),
})
export type PageConfig = z.infer<typeof PageConfig>

/** `_payload.json` next to each prerendered page. Source: spec, section 7, "Page payload". */
export const PagePayload = z.object({ ...PublicFacts, path: z.string() })
export type PagePayload = z.infer<typeof PagePayload>
