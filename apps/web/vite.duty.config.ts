import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileHints } from './build/compile-hints.ts'
import { dutyWorker } from './build/duty-worker.ts'
import { buildOptions, bundlerOptions, leanSources, scriptName } from './build/screens.ts'
import { sharedHead } from './build/shared-head.ts'

const here = (file: string) => path.join(import.meta.dirname, file)

/**
 * The guide's phone (`/duty`), built by itself into the same folder: a separate application, so that no phone in the field loads what an
 * office needs, and no office what a phone does.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [...leanSources(), sharedHead(), react({ compiler: true }), tailwindcss(), compileHints(), dutyWorker()],
  build: {
    ...buildOptions,
    emptyOutDir: false,
    // the office's build has brought them
    copyPublicDir: false,
    license: { fileName: 'duty/licenses.txt' },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      ...bundlerOptions,
      input: here('duty.html'),
      output: {
        entryFileNames: scriptName('[name]'),
        chunkFileNames: scriptName('[name]'),
        codeSplitting: { groups: [{ name: 'duty-libraries', test: /\/node_modules\//, tags: ['$initial'] }] },
      },
    },
  },
})
