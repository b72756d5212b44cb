// `npm run mutate -- --only PATH --sample N --seed S`: changes one place of the code at a time and says which change no unit test notices.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { resultOf } from './mutate/report.mjs'

const root = path.resolve(import.meta.dirname, '..')
const tool = path.join(root, 'scripts/mutate')
const work = path.join(root, '.cache/mutate')

/**
 * What is mutated, with the units that judge it. Components are left out, since journeys show them; so are texts, equipment of tests, and
 * in the contract emptied objects: a shape without its fields does not compile.
 */
const rooms = [
  {
    project: 'web',
    folders: ['app', 'backend', 'identity'].map((folder) => `apps/web/src/${folder}`),
    excluded: ['StringLiteral'],
  },
  { project: 'contract', folders: ['packages/contract/src'], excluded: ['StringLiteral', 'ObjectLiteral'] },
]
const notProduct = ['**/*.test.ts', '**/*-testing.ts', '**/*-contract.ts', '**/constants.ts']

/** Mutates, runs what is related, writes the survivors. True when the tool could do its work; survivors are no failure. */
export function mutate(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      sample: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
    },
  })
  installTool()
  const chosen = rooms
    .map((room) => ({ ...room, patterns: patternsOf(room.folders, values.only) }))
    .filter(({ patterns }) => patterns.length > 0)
  if (chosen.length === 0) {
    console.error(
      `Nothing of "${values.only}" is mutated. Folders: ${rooms.flatMap(({ folders }) => folders).join(', ')}`,
    )
    return false
  }
  return chosen.map((room) => runRoom(room, values)).every(Boolean)
}

/** Folders as patterns, or what of them `only` names: a folder, or a file. */
function patternsOf(folders, only) {
  const within = only?.replace(/\/$/, '')
  if (within === undefined) return folders.map((folder) => `${folder}/**/*.ts`)
  const isInside = folders.some((folder) => within === folder || within.startsWith(`${folder}/`))
  if (isInside) return [within.endsWith('.ts') ? within : `${within}/**/*.ts`]
  return folders.filter((folder) => folder.startsWith(`${within}/`)).map((folder) => `${folder}/**/*.ts`)
}

function runRoom({ project, patterns, excluded }, { sample, seed }) {
  const report = path.join(work, `${project}.json`)
  const configFile = path.join(work, `${project}.config.json`)
  const config = {
    testRunner: 'vitest',
    plugins: [
      path.join(tool, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'),
      path.join(tool, 'sample.mjs'),
    ],
    checkers: ['sample'],
    mutate: [...patterns, ...notProduct.map((pattern) => `!${pattern}`)],
    mutator: { excludedMutations: excluded },
    vitest: { configFile: 'scripts/mutate/vitest.config.ts', related: true },
    // a copy of the repository; the working tree stays as it is
    tempDirName: `.cache/mutate/${project}-copy`,
    ignorePatterns: ['.cache', '/data', 'dist', 'test-results', 'apps/web/public'],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    concurrency: 2,
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 15,
  }
  fs.mkdirSync(work, { recursive: true })
  fs.rmSync(report, { force: true })
  fs.writeFileSync(configFile, JSON.stringify(config, null, 2))
  const stryker = path.join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const env = { ...process.env, MUTATE_PROJECT: project, MUTATE_SAMPLE: sample, MUTATE_SEED: seed }
  const { status } = spawnSync(process.execPath, [stryker, 'run', configFile], { cwd: root, stdio: 'inherit', env })
  if (status !== 0 || !fs.existsSync(report)) return false
  print(project, resultOf(JSON.parse(fs.readFileSync(report, 'utf8'))))
  return true
}

function print(project, { places, run, killed, survivors, untested }) {
  for (const line of untested) console.log(`no test   ${line}`)
  for (const line of survivors) console.log(`survived  ${line}`)
  const parts = [`${killed} killed`, `${survivors.length} survived`, `${untested.length} reached by no unit test`]
  console.log(`[mutate ${project}] ${run} of ${places} mutants: ${parts.join(', ')}`)
}

/** Its packages are no part of the product's installation. */
function installTool() {
  const lock = fs.readFileSync(path.join(tool, 'package-lock.json'), 'utf8')
  const stamp = path.join(tool, 'node_modules/.installed')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd: tool, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('The mutation tool could not be installed, which needs the npm registry once.')
  fs.writeFileSync(stamp, lock)
}
