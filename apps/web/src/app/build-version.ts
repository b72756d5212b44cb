import type { $Fetch } from 'ofetch'
import { isLoadingQuietly } from '../ui/quiet-loads.ts'
import { buildCheckIntervalMs, manifestPrefetchDelayMs, reloadGuardMs } from '../constants.ts'

const lastReloadKey = 'last-reload-at'

/** What the check takes from the browser; tests bring their own. */
export interface BuildEnvironment {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  now(): number
  reload(): void
  assign(href: string): void
  readonly href: () => string
}

export const browserBuildEnvironment = (): BuildEnvironment => ({
  storage: sessionStorage,
  now: () => Date.now(),
  reload: () => location.reload(),
  assign: (href) => location.assign(href),
  href: () => location.href,
})

/**
 * Reloads the page, at most once in ten seconds, so that a build that cannot be loaded does not loop.
 * Source: spec, section 4, "Build version", and section 9.
 *
 * @returns False when the guard held it back.
 */
export function guardedReload(environment: BuildEnvironment, href: string = environment.href()): boolean {
  const last = Number(environment.storage.getItem(lastReloadKey) ?? 0)
  if (environment.now() - last < reloadGuardMs) return false
  environment.storage.setItem(lastReloadKey, String(environment.now()))
  if (href === environment.href()) environment.reload()
  else environment.assign(href)
  return true
}

export interface BuildWatch {
  /** The server has another build than the one that runs here. */
  isOutdated(): boolean
  /** Looks now; the hour's interval continues. */
  check(): Promise<void>
  stop(): void
}

/**
 * Watches for a new build: its manifest is fetched after a second (and with it known to the browser's cache), the latest id about every hour.
 * A failed look is no news; the next one follows in an hour.
 *
 * @param http Client whose addresses start at the root of the site.
 * @param buildId Of the running build; `dev` is never outdated.
 */
export function watchBuild(http: $Fetch, buildId: string): BuildWatch {
  let isOutdated = false
  const check = async () => {
    const latest = await http<{ id: string }>(`/builds/latest.json?${Date.now()}`).catch(() => undefined)
    if (latest && latest.id !== buildId) isOutdated = true
  }
  if (buildId === 'dev') return { isOutdated: () => false, check: async () => undefined, stop: () => undefined }
  const prefetch = setTimeout(() => {
    // Only warms the cache; a build without its manifest runs all the same.
    void http(`/builds/meta/${buildId}.json`).catch(() => undefined)
  }, manifestPrefetchDelayMs)
  const interval = setInterval(() => void check(), buildCheckIntervalMs)
  return {
    isOutdated: () => isOutdated,
    check,
    stop() {
      clearTimeout(prefetch)
      clearInterval(interval)
    },
  }
}

/** Id of the running build, as the build wrote it into the document. */
export const runningBuildId = (from: Document = document): string =>
  from.querySelector<HTMLMetaElement>('meta[name="build-id"]')?.content ?? 'dev'

/**
 * A script or style sheet of this build is gone from the server (a new one was deployed) or could not be fetched: reload the page, once.
 * Errors of preloading are ignored. Source: spec, section 8, "CSS preload failure or chunk load error".
 */
export function reloadOnPreloadError(environment: BuildEnvironment, target: EventTarget = globalThis): void {
  target.addEventListener('vite:preloadError', (event) => {
    if (isLoadingQuietly()) return
    if (guardedReload(environment)) return event.preventDefault()
    // Held back by the guard, the error continues to the error page. The router would reload once more by itself; this is its note that it did.
    const { payload } = event as Event & { payload?: Error }
    if (payload) environment.storage.setItem(`tanstack_router_reload:${payload.message}`, '1')
  })
}
