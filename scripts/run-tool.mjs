import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

const entries = {
  tsc: 'typescript/bin/tsc',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  oxlint: 'oxlint/bin/oxlint',
  oxfmt: 'oxfmt/bin/oxfmt',
  knip: 'knip/bin/knip.js',
  playwright: '@playwright/test/cli.js',
}

/** The JavaScript file behind a tool's command. */
export const entryOf = (tool) => path.join(root, 'node_modules', entries[tool])

/** Runs a tool to its end, output shown, and says how long it took. */
export function runTool(tool, args, { label = tool, cwd = root, env = {} } = {}) {
  const startedAt = performance.now()
  const result = spawnSync(process.execPath, [entryOf(tool), ...args], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const ok = result.status === 0
  console.log(`[${label}] ${ok ? 'ok' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return { ok }
}
