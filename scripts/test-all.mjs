import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser } from './browser.mjs'
import { checks } from './checks.mjs'
import { runTool } from './run-tool.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** Names the errors that belong to no test, which the report in JSON leaves away. */
const strayErrors = path.join(root, 'scripts/stray-errors-reporter.mjs')

/** Everything: checks, units without a database and on PGlite, the server's suites on the embedded PostgreSQL, journeys. The last line is the sum. */
export async function testAll() {
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'test-results-'))
  fs.chmodSync(results, 0o755)
  /** @type {{ passed: number, failures: string[], skipped: string[], flaky: string[] }} */
  const total = { passed: 0, failures: [], skipped: [], flaky: [] }
  for (const check of checks()) {
    if (check.ok) total.passed += 1
    else total.failures.push(check.name)
  }
  add(total, units('units', results, {}, []))
  add(
    total,
    units('units on PostgreSQL', results, { TEST_DATABASE: 'embedded' }, [
      '--project',
      'server',
      '--project',
      'row-types',
    ]),
  )
  add(total, await journeys(results))
  fs.rmSync(results, { recursive: true, force: true })
  const { lines, ok } = endOf(total)
  for (const line of lines) console.log(line)
  return ok
}

/** What is printed at the end of a run, the sum last. */
export function endOf({ passed, failures, skipped, flaky }) {
  const isTooFlaky = flaky.length > mostFlaky
  const failed = isTooFlaky ? [...failures, `${flaky.length} flaky journeys, ${mostFlaky} at most`] : failures
  const lines = [
    ...skipped.map((reason) => `SKIPPED ${reason}`),
    ...flaky.map((journey) => `FLAKY ${journey}`),
    ...failed.map((failure) => `FAILED ${failure}`),
    `${passed} passed, ${failed.length} failed`,
  ]
  return { lines, ok: failed.length === 0 }
}

/** Journeys that may need their second try before the run counts as failed. */
const mostFlaky = 3

function add(total, suite) {
  total.passed += suite.passed
  total.flaky.push(...(suite.flaky ?? []))
  total.failures.push(...suite.failures)
  total.skipped.push(...suite.skipped)
}

function units(label, folder, env, args) {
  const file = path.join(folder, `${label.replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const strays = path.join(folder, `${label.replaceAll(' ', '-')}-strays.json`)
  const { ok } = runTool('vitest', ['run', ...reporters, `--reporter=${strayErrors}`, ...args], {
    label,
    env: { ...env, TEST_ALL: '1', STRAY_ERRORS_FILE: strays },
  })
  return orFailure(label, ok, file, (report) => ({
    passed: report.numPassedTests,
    failures: [
      ...(fs.existsSync(strays) ? JSON.parse(fs.readFileSync(strays, 'utf8')) : []).map(
        (message) => `${label}: nobody caught: ${firstLine(message)}`,
      ),
      ...brokenFiles(report).map(
        (suite) => `${label}: ${path.relative(root, suite.name)}: ${firstLine(suite.message)}`,
      ),
      ...report.testResults
        .flatMap((suite) => suite.assertionResults)
        .filter((test) => test.status === 'failed')
        .map((test) => `${label}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`),
    ],
    skipped: report.testResults
      .flatMap((suite) => suite.assertionResults)
      .filter((test) => test.status === 'pending' || test.status === 'skipped' || test.status === 'todo')
      .map((test) => `${label}: ${test.fullName}`),
  }))
}

/** A file that fails before its first test has no failed test to count. */
const brokenFiles = (report) =>
  report.testResults.filter(
    (suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'),
  )

/** What a report says of a failure, without the colours of a terminal; all of it is in the suite's own output. */
const firstLine = (message = '') => stripVTControlCharacters(message).split('\n', 1)[0]

async function journeys(folder) {
  const browser = await findBrowser()
  const file = path.join(folder, 'journeys.json')
  // What succeeds the second time is listed as flaky and has to be fixed like any other fault; a run started by a person retries nothing.
  const { ok } = runTool('playwright', ['test', '--reporter=list,json', '--retries=1'], {
    label: 'journeys',
    cwd: path.join(root, 'e2e'),
    env: {
      ...browser.env,
      CHROMIUM_PATH: browser.executable,
      E2E_DATA_DIR: path.join(folder, 'data'),
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    },
  })
  return orFailure('journeys', ok, file, countJourneys)
}

/** What a report of Playwright in JSON comes to. */
export const countJourneys = (report) => ({
  passed: report.stats.expected + report.stats.flaky,
  failures: [
    ...report.errors.map((error) => `journeys: ${firstLine(error.message)}`),
    ...journeyTests(report.suites, ['unexpected']).map(firstError),
  ],
  flaky: journeyTests(report.suites, ['flaky']).map(firstError),
  skipped: journeyTests(report.suites, ['skipped']).map(
    ({ title, test }) => `journeys: ${title}: ${test.annotations[0]?.description ?? 'no reason given'}`,
  ),
})

const firstError = ({ title, test }) =>
  `journeys: ${title}: ${firstLine(test.results.find((run) => run.error)?.error.message)}`

/** The journeys that ended in one of these ways, anywhere in the report's tree of suites. */
function journeyTests(suites, endings) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).flatMap(({ title, tests }) =>
      tests.filter((test) => endings.includes(test.status)).map((test) => ({ title, test })),
    ),
    ...journeyTests(suite.suites ?? [], endings),
  ])
}

/** A suite that ended without a report, or badly without a failed test, counts as one failure: silence is never success. */
export function orFailure(label, ok, file, read) {
  if (!fs.existsSync(file)) return { passed: 0, failures: [`${label}: left no report`], skipped: [], flaky: [] }
  const counted = read(JSON.parse(fs.readFileSync(file, 'utf8')))
  if (ok || counted.failures.length > 0) return counted
  return { ...counted, failures: [`${label}: ended badly, without a failed test`] }
}
