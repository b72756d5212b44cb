import { ClerkProvider, useClerk } from '@clerk/react'
import type { ClerkProviderProps } from '@clerk/react/types'
import type { PageConfig } from '@tour-ops/contract/page-config'
import { readPublishableKey } from '@tour-ops/contract/identity/publishable-key'
import { useEffect, type ReactNode } from 'react'
import { currentLocale } from '../../ui/locale.ts'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths } from '../../addresses/paths.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { useSession } from '../access.ts'
import { provideServiceWidgets } from '../service-widgets.ts'
import { makeClerkIdentity, type ClerkIdentity } from './clerk-identity.ts'
import { clerkAppearance, clerkTexts } from './clerk-theme.ts'
import { clerkWidgets, connectClerk } from './clerk-widgets.tsx'

type ClerkConfig = Extract<PageConfig['identity'], { kind: 'clerk' }>

/** The identity of the port, and what has to wrap everything that is rendered. */
export interface ClerkAdapter {
  readonly identity: ClerkIdentity
  readonly Root: (props: { children: ReactNode }) => ReactNode
}

/**
 * Puts the hosted identity service together. Render `Root` from the beginning and not below a Suspense boundary: the service's provider
 * is notified only of what happens after its first effects, and would wait forever for a script that was there before.
 *
 * @param hasWidgets Whether the page shows widgets and notices of the service; without, their script is not loaded.
 */
export async function makeClerk(
  config: ClerkConfig,
  redirects: PageConfig['redirects'],
  hasWidgets: boolean,
): Promise<ClerkAdapter> {
  const identity = makeClerkIdentity()
  if (hasWidgets) provideServiceWidgets(clerkWidgets(redirects))
  let instance: 'production' | 'development'
  try {
    ;({ instance } = readPublishableKey(config.publishableKey))
  } catch (error) {
    console.error('The identity service has no usable publishable key.', error)
    identity.fail()
    return { identity, Root: ({ children }) => children }
  }
  const texts = hasWidgets ? await clerkTexts(currentLocale()) : undefined
  const props = { ...providerProps(config, redirects, texts), prefetchUI: hasWidgets }
  return {
    identity,
    Root: ({ children }) => (
      <ClerkProvider {...props}>
        <Attach identity={identity} />
        {children}
        {hasWidgets && <Notices isDevelopment={instance === 'development'} />}
      </ClerkProvider>
    ),
  }
}

const providerProps = (
  { publishableKey, proxyUrl }: ClerkConfig,
  redirects: PageConfig['redirects'],
  localization: ClerkProviderProps['localization'],
): Omit<ClerkProviderProps, 'children'> => ({
  publishableKey,
  ...(proxyUrl === undefined ? {} : { proxyUrl }),
  ...(localization === undefined ? {} : { localization }),
  appearance: clerkAppearance,
  telemetry: false,
  routerPush: (to) => navigateTo(to),
  routerReplace: (to) => navigateTo(to, { replace: true }),
  signInUrl: '/sign-in',
  signUpUrl: '/sign-up',
  waitlistUrl: paths.waitlist(),
  signInFallbackRedirectUrl: redirects.afterSignIn,
  signUpFallbackRedirectUrl: redirects.afterSignUp,
  afterSignOutUrl: redirects.afterSignOut,
  taskUrls: { 'choose-organization': paths.organizations() },
})

/** Hands the service's object to the adapter, as soon as the provider has made it. */
function Attach({ identity }: { identity: ClerkIdentity }) {
  const clerk = useClerk()
  useEffect(() => {
    identity.attach(clerk)
    connectClerk(clerk)
  }, [identity, clerk])
  return null
}

/** What everybody must know about the service at this moment, at the foot of every page. */
function Notices({ isDevelopment }: { isDevelopment: boolean }) {
  const { trouble } = useSession()
  if (!isDevelopment && trouble !== 'degraded') return null
  return (
    <aside
      aria-label={m.identity_service_notices()}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-40 grid place-items-center gap-2 p-2 print:hidden"
    >
      {trouble === 'degraded' && (
        <Banner tone="warn" role="status">
          {m.identity_service_degraded()}
        </Banner>
      )}
      {isDevelopment && (
        // at the foot of the navigation and no wider: the buttons at the end of a form stay visible
        <p className="max-w-[calc(var(--nav-drawer)-1rem)] justify-self-start rounded-lg bg-[var(--st-warn-bg)] px-3 py-0.5 text-xs text-[var(--st-warn)]">
          {m.identity_development_instance()}
        </p>
      )}
    </aside>
  )
}
