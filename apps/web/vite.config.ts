import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devPageConfig } from './build/dev-page-config.ts'
import { devPhone } from './build/dev-phone.ts'
import { buildFiles } from './build/build-files.ts'
import { compileHints } from './build/compile-hints.ts'
import { familyGroups } from './build/file-families.ts'
import { isOfMap, mapFromSource } from './build/map-from-source.ts'
import { buildOptions, bundlerOptions, leanSources, scriptName } from './build/screens.ts'
import { sharedHead } from './build/shared-head.ts'
import { writeMessageIndex } from './build/message-index.ts'

const here = (file: string) => path.join(import.meta.dirname, file)

/** Where `npm run dev` finds the server; the same variables that the server itself reads. */
const server = `http://127.0.0.1:${process.env['PORT'] ?? 8080}`
/** The server trusts its own origin only; in development the page has Vite's. */
const toServer = { target: server, changeOrigin: true, headers: { origin: server } }

/** Modules that this many files share are in `common`: fewer requests, and hardly anything that a screen would not have loaded. */
const commonShareCount = 27

/**
 * Which modules travel together. What the entry needs is two files (libraries, which seldom change, and ours), what most screens need is a
 * third; then families of modules that belong together. Other shared code is grouped by the exact set of screens that need it,
 * messages as well, so that no screen loads what only another one uses. Crumbs stay files of their own: put together by size they brought
 * the overview 30 kB of other screens.
 */
const chunkGroups = [
  // Before the two of the entry: the worker is an entry as well, and what it needs does not belong to other pages.
  { name: 'map', test: isOfMap, minShareCount: 2, priority: 5 },
  {
    name: 'libraries',
    test: (id: string) => id.includes('/node_modules/') && !isOfMap(id),
    tags: ['$initial' as const],
    priority: 4,
  },
  { name: 'frame', test: (id: string) => !isOfMap(id), tags: ['$initial' as const], priority: 3 },
  // A few hundred bytes each, and every screen has another handful of them. Before the groups that use some: a module that needs one of theirs
  // would load the whole group. What fewer share travels with them: all of it was 4 kB of every first load. Those of ways are in a family; those of signals wait for the board of the overview.
  {
    name: 'icons',
    test: /lucide-react(?!.*icons\/(plane|ship|train-front|battery-low|hand|headset|satellite|sparkles)\.)/,
    minShareCount: 8,
    priority: 3.5,
  },
  // Fields and boxes of forms: on most screens they wait for a dialog. Lists need them and popovers, and so do dates.
  { name: 'controls', test: /\/src\/ui\/(field|choice|popover)\.tsx$/, minShareCount: 2, priority: 3 },
  // Many screens have a date in one of their dialogs, hardly one when it opens.
  { name: 'dates', test: /\/src\/ui\/date-(field|text)\.tsx?$/, minShareCount: 2, priority: 3 },
  // As many dialogs have a form by now, with its library, the combobox and the sentences about entries; none of the lists and boards that load the
  // rest of this needs them.
  {
    name: 'common',
    test: (id: string) =>
      !/\/react-hook-form\/|\/src\/(ui\/combobox\.tsx|ui\/form\/[\w-]+\.tsx?|paraglide\/messages\/ui_(words_\w+|form_\w+|remove_named)\.js)$/.test(
        id,
      ),
    minShareCount: commonShareCount,
    priority: 2,
  },
  ...familyGroups(1.9),
  { name: 'shared', minShareCount: 2, priority: 1, entriesAware: true },
]

/** Shared chunks are named after everything that shares them; that is no name. */
const chunkFileNames = ({ name }: { name: string }): string =>
  scriptName(name.startsWith('shared~') ? 'shared' : '[name]')

/** Files that every page has loaded before it asks for another one: repeated for each screen they were 0.3 kB of the entry. */
const isOfEntry = (file: string): boolean => /\/(libraries|rolldown-runtime)-[\w-]+\.js$/.test(file)

writeMessageIndex(import.meta.dirname)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    ...leanSources(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: here('src/routes'),
      generatedRouteTree: here('src/routeTree.gen.ts'),
      quoteStyle: 'single',
      semicolons: false,
    }),
    react({ compiler: true }),
    tailwindcss(),
    mapFromSource(),
    sharedHead(),
    compileHints(),
    buildFiles(),
    devPageConfig(server),
    devPhone(),
  ],
  worker: { format: 'es' },
  build: {
    ...buildOptions,
    manifest: true,
    // Every browser that the target is for knows the hint; what travels with the entry is there when anything else is asked for.
    modulePreload: { polyfill: false, resolveDependencies: (_file, files) => files.filter((file) => !isOfEntry(file)) },
    license: { fileName: 'licenses.txt' },
    rolldownOptions: { ...bundlerOptions, output: { codeSplitting: { groups: chunkGroups }, chunkFileNames } },
  },
  server: {
    proxy: {
      '/api': toServer,
      '/track': toServer,
      '/builds': toServer,
      '/openapi.json': toServer,
      '^/(sign-in|sign-up|waitlist)/_payload.json$': toServer,
    },
  },
})
