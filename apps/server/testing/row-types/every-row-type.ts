import { expect, test } from 'vitest'
import { runsOn, testFiles } from '../tested-on.ts'
import { idOf, readDeclaredRows, readJudged, rowTypesRun } from './rows-of-run.ts'
import { unjudgedRows } from './unjudged-rows.ts'

// Runs after all test files of the server.

test('every row type is compared with an answer of the database, except those that are listed', async ({ skip }) => {
  const run = rowTypesRun()
  if (!run) return skip('row types are read on PostgreSQL')
  const byFile = readJudged(run)
  if (testFiles.some((file) => runsOn('postgres', file) && !byFile.has(file)))
    return skip('only some of the server tests have run')
  const judged = new Set([...byFile.values()].flat())
  const unjudged = (await readDeclaredRows(run)).filter((row) => !judged.has(idOf(row))).map(({ place }) => place)
  expect(
    unjudged.filter((place) => !unjudgedRows.includes(place)),
    'write a test that runs the statement',
  ).toEqual([])
  expect(
    unjudgedRows.filter((place) => !unjudged.includes(place)),
    'tests run it now: take it off the list',
  ).toEqual([])
})
