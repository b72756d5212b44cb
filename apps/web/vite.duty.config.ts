import path from 'node:path'
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compactMessages } from './build/compact-messages.ts'
import { compileHints } from './build/compile-hints.ts'
import { dutyWorker } from './build/duty-worker.ts'
import { leanContract } from './build/lean-contract.ts'
import { leanIcons } from './build/lean-icons.ts'

const here = (file: string) => path.join(import.meta.dirname, file)

/**
 * The guide's phone (`/duty`), built by itself into the same folder: an application of its own, so that no phone in the field loads what an
 * office needs, and no office what a phone does.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    paraglideVitePlugin({
      project: here('project.inlang'),
      outdir: here('src/paraglide'),
      strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
    }),
    compactMessages(),
    leanContract(),
    leanIcons(),
    react({ compiler: true }),
    tailwindcss(),
    compileHints(),
    dutyWorker(),
  ],
  build: {
    emptyOutDir: false,
    // the office's build has brought them
    copyPublicDir: false,
    chunkSizeWarningLimit: 1200,
    license: { fileName: 'duty/licenses.txt' },
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: here('duty.html'),
      output: {
        codeSplitting: { groups: [{ name: 'duty-libraries', test: /\/node_modules\//, tags: ['$initial'] }] },
      },
    },
  },
})
