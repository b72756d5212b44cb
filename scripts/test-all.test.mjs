import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { countJourneys, endOf, orFailure } from './test-all.mjs'

const journey = (title, status, messages = []) => ({
  title,
  tests: [{ status, annotations: [], results: messages.map((message) => (message ? { error: { message } } : {})) }],
})
/** A report as Playwright writes it: the specs are in suites within suites. */
const reportOf = (specs, errors = []) => ({
  errors,
  stats: {
    expected: specs.filter(({ tests }) => tests[0].status === 'expected').length,
    flaky: specs.filter(({ tests }) => tests[0].status === 'flaky').length,
  },
  suites: [{ specs: specs.slice(0, 1), suites: [{ specs: specs.slice(1) }] }],
})
const flaky = (count) =>
  Array.from({ length: count }, (_, n) => journey(`journey ${n}`, 'flaky', [`too late ${n}\nat line 3`, null]))
const nothing = { passed: 0, failures: [], skipped: [], flaky: [] }

test('journeys that needed their second try count as passed, and are listed above the last line', () => {
  const specs = [journey('fine', 'expected'), ...flaky(2), journey('left out', 'skipped')]
  const { lines, ok } = endOf({ ...nothing, ...countJourneys(reportOf(specs)) })
  expect(ok).toBe(true)
  expect(lines).toEqual([
    'SKIPPED journeys: left out: no reason given',
    'FLAKY journeys: journey 0: too late 0',
    'FLAKY journeys: journey 1: too late 1',
    '3 passed, 0 failed',
  ])
})

test('three of them are the most: a fourth fails the run, and says so', () => {
  expect(endOf({ ...nothing, ...countJourneys(reportOf(flaky(3))) }).ok).toBe(true)
  const { lines, ok } = endOf({ ...nothing, ...countJourneys(reportOf(flaky(4))) })
  expect(ok).toBe(false)
  expect(lines.filter((line) => line.startsWith('FLAKY'))).toHaveLength(4)
  expect(lines.slice(-2)).toEqual(['FAILED 4 flaky journeys, 3 at most', '4 passed, 1 failed'])
})

test('a failed journey and an error of no journey fail the run with their first lines', () => {
  const report = reportOf(
    [journey('broken', 'unexpected', ['no button\nat line 7', 'no button'])],
    [{ message: 'no server' }],
  )
  const { lines, ok } = endOf({ ...nothing, ...countJourneys(report) })
  expect(ok).toBe(false)
  expect(lines).toEqual(['FAILED journeys: no server', 'FAILED journeys: broken: no button', '0 passed, 2 failed'])
})

test('a suite without a report, or that ended badly without a failed test, is a failure', () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'test-all-')), 'report.json')
  expect(orFailure('units', true, file, () => nothing).failures).toEqual(['units: left no report'])
  fs.writeFileSync(file, '{}')
  expect(orFailure('units', false, file, () => nothing).failures).toEqual(['units: ended badly, without a failed test'])
  expect(orFailure('units', true, file, () => nothing).failures).toEqual([])
  fs.rmSync(path.dirname(file), { recursive: true })
})
