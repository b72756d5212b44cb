import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { checks } from './checks.mjs'
import { runTool } from './run-tool.mjs'

const root = path.resolve(import.meta.dirname, '..')

/** Everything: checks, units on PGlite, the SQL suites once more on the embedded PostgreSQL, journeys. The last line is the sum. */
export async function testAll() {
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'test-results-'))
  fs.chmodSync(results, 0o755)
  /** @type {{ passed: number, failed: number, skipped: string[] }} */
  const total = { passed: 0, failed: 0, skipped: [] }
  for (const check of checks()) total[check.ok ? 'passed' : 'failed'] += 1
  add(total, units('units', results, {}, []))
  add(total, units('units on PostgreSQL', results, { TEST_DATABASE: 'embedded' }, ['--project', 'server']))
  add(total, await journeys(results))
  fs.rmSync(results, { recursive: true, force: true })
  for (const reason of total.skipped) console.log(`SKIPPED ${reason}`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0
}

function add(total, suite) {
  total.passed += suite.passed
  total.failed += suite.failed
  total.skipped.push(...suite.skipped)
}

function units(label, folder, env, args) {
  const file = path.join(folder, `${label.replaceAll(' ', '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { ok } = runTool('vitest', ['run', ...reporters, ...args], { label, env })
  return orFailure(label, ok, file, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles(report),
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
  ).length

async function journeys(folder) {
  const browser = await findBrowser()
  const file = path.join(folder, 'journeys.json')
  const { ok } = runTool('playwright', ['test', '--reporter=list,json'], {
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
  return orFailure('journeys', ok, file, (report) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky + report.errors.length,
    skipped: skippedJourneys(report.suites),
  }))
}

function skippedJourneys(suites) {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === 'skipped')
        .map((test) => `journeys: ${spec.title}: ${test.annotations[0]?.description ?? 'no reason given'}`),
    ),
    ...skippedJourneys(suite.suites ?? []),
  ])
}

/** A suite that ended without a report, or badly without a failed test, counts as one failure: silence is never success. */
function orFailure(label, ok, file, read) {
  if (!fs.existsSync(file)) {
    console.error(`[${label}] left no report`)
    return { passed: 0, failed: 1, skipped: [] }
  }
  const counted = read(JSON.parse(fs.readFileSync(file, 'utf8')))
  return ok || counted.failed > 0 ? counted : { ...counted, failed: 1 }
}
