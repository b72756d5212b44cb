import path from 'node:path'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import type { BuildOptions, PluginOption } from 'vite'
import { compactMessages } from './compact-messages.ts'
import { leanContract } from './lean-contract.ts'
import { leanIcons } from './lean-icons.ts'

// What the dashboard's build and that of the guide's phone have in common.

const here = (file: string): string => path.join(import.meta.dirname, '..', file)

/** Sentences, contract and icons as a browser needs them; before everything else. */
export const leanSources = (): PluginOption[] => [
  paraglideVitePlugin({
    project: here('project.inlang'),
    outdir: here('src/paraglide'),
    // The person's own choice first, then the browser's; the address never carries a language.
    strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
  }),
  compactMessages(),
  leanContract(),
  leanIcons(),
]

/** No inlined assets: the Content-Security-Policy has no `data:` for scripts and styles. */
export const buildOptions = {
  target: 'es2023',
  assetsInlineLimit: 0,
  chunkSizeWarningLimit: 1200,
} as const satisfies BuildOptions

/** Of the bundler: no warnings about how long plugins take, which depends on the computer. */
export const bundlerOptions = { checks: { bundlerTimings: false } } as const

/**
 * Where a script goes. Of the hash seven characters (42 bits): the entry names hundreds of files, and what is random is not compressed.
 *
 * @param name Of the script, or `[name]`.
 */
export const scriptName = (name: string): string => `assets/${name}-[hash:7].js`
