import { isDutyPath } from '@tour-ops/contract/duty/duty-terms'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  browserBuildEnvironment,
  guardedReload,
  reloadOnPreloadError,
  runningBuildId,
  watchBuild,
} from './app/build-version.ts'
import { followOrganizationFormats } from './app/organization-formats.ts'
import { useLoader } from './app/loader.ts'
import { offerAnalytics } from './app/analytics-consent.ts'
import { takeFirstAnswers } from './app/first-answers.ts'
import { loadRefusals, refusalText, withSentences } from './errors/refusal-text.ts'
import { applyLocale } from './ui/locale.ts'
import { connectNavigation } from './addresses/navigate-to.ts'
import { PageNotFound, PermissionMissing } from './app/page-error.ts'
import { configureSignOut, forgetDayOfPhone } from './identity/sign-out.ts'
import { provideStartup } from './app/startup-control.ts'
import { chooseBackend } from './backend/choose-backend.ts'
import { makeHttpClient } from './backend/http-client.ts'
import { setPublicOrigin } from './app/public-address.ts'
import { readPageConfig } from './backend/page-config.ts'
import { provideBackend, type Backend } from './backend/port.ts'
import { fetchFromStart, startOf } from './backend/start-answer.ts'
import { makeQueryClient, pauseReads, resumeReads } from './backend/queries.ts'
import { useAuthStore, type AuthRecords } from './identity/auth-store.ts'
import { chooseIdentity } from './identity/choose-identity.tsx'
import { makeStartup } from './identity/startup.ts'
import { makeRouter, type AppRouter } from './router.ts'
import './ui/app.css'
import './app/start-frame.css'
import { provideRefusalText } from './ui/form/refusal-text.ts'
import { viewerZone } from './ui/format.ts'
import { startTheme } from './ui/theme.ts'

// The only file that knows which adapters run. No other code knows.
const config = readPageConfig()
const environment = browserBuildEnvironment()
applyLocale()
startTheme()
setPublicOrigin(config.publicOrigin)
reloadOnPreloadError(environment)

/** The first screen is there by then, the map too, on a slow computer as well: what they need comes first. */
const refusalsDelayMs = 30_000

type RootComponent = Awaited<ReturnType<typeof chooseIdentity>>['Root']

/** Puts everything together. A function, since the code of the pages imports from this very chunk and would wait for a top-level await. */
async function start(): Promise<void> {
  const screen = startOf(config, location)
  const send = fetchFromStart({ config, screen })
  const { identity, ownServerToken, Root } = await chooseIdentity(config, send)

  const { backend, credential, identify } = await chooseBackend(config, identity, ownServerToken, send)

  // whatever a screen is refused, and what keeps people out, can be shown by then
  const said: Backend = {
    ...backend,
    call: (callable, input, options) => withSentences(backend.call(callable, input, options)),
    signIn: (token) => withSentences(backend.signIn(token)),
    async files() {
      const [files] = await Promise.all([backend.files(), loadRefusals().catch(console.error)])
      return files
    },
  }
  provideBackend(said)
  provideRefusalText(refusalText)

  const queryClient = makeQueryClient()
  followOrganizationFormats(queryClient)
  const router = makeRouter({ auth: useAuthStore.getState, redirects: config.redirects, origin: location.origin })
  connectNavigation({
    origin: location.origin,
    internal: (path, { replace }) => void router.navigate({ href: path, replace, reloadDocument: isDutyPath(path) }),
    external: (url) => location.assign(url),
  })

  // Live documents follow the person: another one, or another organization, starts again.
  const follow = ({ isBackendSignedIn, user, organization }: AuthRecords) =>
    identify(isBackendSignedIn && user ? { userId: user.id, orgId: organization?.id ?? null } : null)
  useAuthStore.subscribe((records) => {
    follow(records)
    if (records.isBackendSignedIn) offerAnalytics(backend.analytics)
  })
  configureSignOut({
    target: config.redirects.afterSignOut,
    pauseReads() {
      identify(null)
      pauseReads(queryClient)
    },
    resumeReads() {
      follow(useAuthStore.getState())
      resumeReads(queryClient)
    },
  })
  // The pattern of the address: which record a page showed is private.
  router.subscribe('onResolved', ({ pathChanged }) => {
    const pattern = router.state.matches.at(-1)?.fullPath
    if (pathChanged && pattern) backend.analytics?.track('page_view', { page_path: pattern, page_title: pattern })
  })

  const startup = makeStartup({
    identity,
    backend: said,
    backendCredential: credential,
    store: useAuthStore,
    loader: useLoader,
    onInitialized: () => router.invalidate(),
    onSessionEnded: () => void forgetDayOfPhone(),
    onReset: () => queryClient.clear(),
    startOver: () => location.reload(),
    log: (message, error) => console.error(message, error),
  })
  provideStartup(startup)
  startup.start()
  // The engine's first use of dates loads tables for a while (16 ms at full speed): best now, while the first answer is on its way, where the
  // document's own script has found no time for it.
  viewerZone()

  const build = watchBuild(makeHttpClient('/'), runningBuildId())
  router.history.block({
    // A new build was deployed: the next page is loaded whole, from the server.
    blockerFn: ({ currentLocation, nextLocation }) =>
      build.isOutdated() &&
      nextLocation.pathname !== currentLocation.pathname &&
      guardedReload(environment, new URL(nextLocation.href, location.origin).href),
    enableBeforeUnload: false,
  })

  // The frame in index.html stays until the code of the page is here: nothing flashes.
  await router.load()
  await takeFirstAnswers(screen, { cache: queryClient, auth: useAuthStore })
  render(router, queryClient, Root)
  // A refusal before then loads them itself; later there may be no connection, and it would be shown by its code.
  setTimeout(() => loadRefusals().catch(console.error), refusalsDelayMs)
}

function render(router: AppRouter, queryClient: QueryClient, Root: RootComponent): void {
  const element = document.getElementById('root')
  if (!element) throw new Error('index.html has no element with the id "root"')
  // Guards run again while the start-up continues: what they find missing is logged once per navigation.
  let loggedMessage = ''
  router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
    if (hrefChanged) loggedMessage = ''
  })
  const root = createRoot(element, {
    // Where a page is not there its text is enough; a missing permission is shown by the screen only.
    onCaughtError: (error) => {
      if (error instanceof PageNotFound) {
        if (error.message !== loggedMessage) console.error(error.message)
        loggedMessage = error.message
      } else if (!(error instanceof PermissionMissing)) console.error(error)
    },
  })
  root.render(
    <StrictMode>
      <Root>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Root>
    </StrictMode>,
  )
}

void start()
