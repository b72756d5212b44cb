// The npm scripts, on the pinned Node. Tools are started as `node node_modules/…`, since `.bin` entries would use the machine's Node.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { build } from './build.mjs'
import { checks } from './checks.mjs'
import { dev } from './dev.mjs'
import { fuzz } from './fuzz.mjs'
import { mutate } from './mutate.mjs'
import { runTool } from './run-tool.mjs'
import { testAll } from './test-all.mjs'

const [task, ...args] = process.argv.slice(2)

const tasks = {
  async start() {
    if (!build()) process.exit(1)
    stopWithParent()
    await import('../apps/server/src/main.ts')
  },
  async dev() {
    await dev()
  },
  async check() {
    const failed = checks().filter((check) => !check.ok)
    console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.map((check) => check.name).join(', ')}`)
    process.exit(failed.length === 0 ? 0 : 1)
  },
  async test() {
    process.exit((await testAll()) ? 0 : 1)
  },
  async format() {
    process.exit(runTool('oxfmt', ['--write', ...args]).ok ? 0 : 1)
  },
  async bench() {
    if (!build()) process.exit(1)
    // some drive a browser; their modules read its place when they are loaded
    const { executable, env } = await findBrowser()
    Object.assign(process.env, env, { CHROMIUM_PATH: executable })
    const { runBenches } = await import('../bench/run.ts')
    await runBenches(args)
  },
  async 'go-live'() {
    runServerProgram('go-live.ts')
  },
  async 'reset-second-factor'() {
    runServerProgram('reset-second-factor.ts')
  },
  async keys() {
    runServerProgram('keys.ts')
  },
  async fuzz() {
    process.exit(fuzz(args) ? 0 : 1)
  },
  async mutate() {
    process.exit(mutate(args) ? 0 : 1)
  },
  async backup() {
    runServerProgram('backup.ts')
  },
  async restore() {
    runServerProgram('restore.ts')
  },
  async doctor() {
    runServerProgram('doctor.ts')
  },
  async token() {
    await import('./token.mjs')
  },
}

/** Another program of the server than `main.ts`, with the arguments given to npm. */
function runServerProgram(name) {
  const file = path.join(import.meta.dirname, '../apps/server/src', name)
  const { status } = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

/** A signal sent to npm's process ends npm and its shell but not us: stop when the parent is gone. */
function stopWithParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

if (!task || !(task in tasks)) {
  console.error(`Unknown task "${task ?? ''}". There are: ${Object.keys(tasks).join(', ')}`)
  process.exit(2)
}
await tasks[task]()
