import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as backend from './backend/constants.ts'
import { mobileBelowPx } from './ui/use-media.ts'
import { toastDurationMs } from './ui/toast.tsx'
import * as app from './constants.ts'

const css = ['tokens.css', 'components.css']
  .map((file) => readFileSync(path.join(import.meta.dirname, './ui', file), 'utf8'))
  .join('\n')

test('the figures are those of the spec, section 9', () => {
  expect(app.buildCheckIntervalMs).toBe(3_600_000)
  expect(app.reloadGuardMs).toBe(10_000)
  expect(app.manifestPrefetchDelayMs).toBe(1_000)
  expect(app.loaderPollIntervalMs).toBe(1_000)
  expect(app.loaderProgress).toEqual({ identityLoaded: 50, storeInitialized: 100 })
  expect(app.breakpointsPx).toEqual({ xs: 0, sm: 600, md: 960, lg: 1280, xl: 1920, xxl: 2560 })
  expect(backend.callableTimeoutMs).toBe(70_000)
  expect(backend.tokenRefreshMarginMs).toBe(300_000)
  expect(backend.storageRetryMs).toBe(120_000)
  expect(backend.uploadRetryMs).toBe(600_000)
})

test('the style sheets keep the same figures', () => {
  expect(css).toContain(`--app-bar: ${app.appBarHeightPx}px`)
  expect(css).toContain(`--nav-drawer: ${app.navigationDrawerWidthPx}px`)
  expect(css).toContain(`width: min(${app.dialogWidthPx}px`)
  expect(css).toMatch(new RegExp(String.raw`\.bar4 \{[^}]*height: ${app.loaderBarHeightPx}px`))
  const named = { sm: 'sm', md: 'md', lg: 'lg', xl: 'xl', xxl: '2xl' } as const
  for (const [name, token] of Object.entries(named)) {
    expect(css).toContain(`--breakpoint-${token}: ${app.breakpointsPx[name as keyof typeof named]}px`)
  }
  expect(toastDurationMs).toBe(app.snackbarTimeoutMs)
})

test('a window is mobile below lg, as the spec says, section 9', () => {
  expect(mobileBelowPx).toBe(app.breakpointsPx.lg)
})

test('the brand colors are those of the spec, section 1', () => {
  const lower = css.toLowerCase()
  expect(lower).toContain(`--brand: ${app.themeColors.primary.toLowerCase()}`)
  expect(lower).toContain(`--brand-2: ${app.themeColors.secondary.toLowerCase()}`)
  expect(lower).toContain(`--bg: ${app.themeColors.background.toLowerCase()}`)
  expect(lower).toContain(`--ink: ${app.themeColors.text.toLowerCase()}`)
})
