import type { $Fetch } from 'ofetch'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadQuietly } from '../ui/quiet-loads.ts'
import { guardedReload, reloadOnPreloadError, watchBuild, type BuildEnvironment } from './build-version.ts'

function browser(href = 'https://operator.test/tours/all') {
  const kept = new Map<string, string>()
  let now = 1_000_000
  const environment = {
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
    now: () => now,
    reload: vi.fn<() => void>(),
    assign: vi.fn<(href: string) => void>(),
    href: () => href,
  } satisfies BuildEnvironment
  return { environment, wait: (ms: number) => (now += ms) }
}

describe('the reload guard', () => {
  test('two reloads are at least ten seconds apart', () => {
    const { environment, wait } = browser()
    expect(guardedReload(environment)).toBe(true)
    wait(9_999)
    expect(guardedReload(environment)).toBe(false)
    wait(1)
    expect(guardedReload(environment)).toBe(true)
    expect(environment.reload).toHaveBeenCalledTimes(2)
  })

  test('a navigation becomes a full load of its target', () => {
    const { environment } = browser()
    expect(guardedReload(environment, 'https://operator.test/travelers/list')).toBe(true)
    expect(environment.assign).toHaveBeenCalledWith('https://operator.test/travelers/list')
    expect(environment.reload).not.toHaveBeenCalled()
  })
})

describe('a chunk or style sheet that cannot be loaded', () => {
  test('reloads the page once; held back by the guard, the error continues', () => {
    const { environment } = browser()
    const target = new EventTarget()
    reloadOnPreloadError(environment, target)
    const first = new Event('vite:preloadError', { cancelable: true })
    const failure = new Error('Failed to fetch dynamically imported module: /assets/list.js')
    const second = Object.assign(new Event('vite:preloadError', { cancelable: true }), { payload: failure })
    target.dispatchEvent(first)
    target.dispatchEvent(second)
    expect(environment.reload).toHaveBeenCalledOnce()
    expect(first.defaultPrevented).toBe(true)
    expect(second.defaultPrevented).toBe(false)
    expect(environment.storage.getItem(`tanstack_router_reload:${failure.message}`)).toBe('1')
  })
})

describe('the build check', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 5_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const serverWith = (id: string) => {
    const http = vi.fn<(path: string) => Promise<unknown>>(async () => ({ id }))
    return { http, client: http as unknown as $Fetch }
  }

  test('the manifest is fetched after a second, the latest id every hour with a time stamp', async () => {
    const { http, client } = serverWith('one')
    const watch = watchBuild(client, 'one')
    await vi.advanceTimersByTimeAsync(999)
    expect(http).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(http).toHaveBeenLastCalledWith('/builds/meta/one.json')
    await vi.advanceTimersByTimeAsync(3_599_000)
    expect(http).toHaveBeenLastCalledWith('/builds/latest.json?3605000')
    expect(watch.isOutdated()).toBe(false)
    watch.stop()
  })

  test('nothing is asked after the end of the watch, and nothing ever of a build for development', async () => {
    const { http, client } = serverWith('two')
    watchBuild(client, 'one').stop()
    const development = watchBuild(client, 'dev')
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    await development.check()
    development.stop()
    expect(http).not.toHaveBeenCalled()
    expect(development.isOutdated()).toBe(false)
  })

  test('another id on the server makes the running build outdated, a failed look does not', async () => {
    const { http, client } = serverWith('two')
    const watch = watchBuild(client, 'one')
    http.mockRejectedValueOnce(new Error('offline'))
    await watch.check()
    expect(watch.isOutdated()).toBe(false)
    await watch.check()
    expect(watch.isOutdated()).toBe(true)
    watch.stop()
  })
})

test('code that was only loaded ahead does not reload the page', async () => {
  const target = new EventTarget()
  const { environment } = browser()
  reloadOnPreloadError(environment, target)
  const fail = () => {
    target.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
    return Promise.reject(new Error('gone'))
  }
  await expect(loadQuietly(fail)).rejects.toThrow('gone')
  expect(environment.reload).not.toHaveBeenCalled()
  await expect(fail()).rejects.toThrow('gone')
  expect(environment.reload).toHaveBeenCalledOnce()
})
