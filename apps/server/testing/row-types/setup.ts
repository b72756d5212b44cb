import path from 'node:path'
import { afterAll, expect } from 'vitest'
import { judgeRows } from './judge-rows.ts'
import { recordAnswers, takeAnswered } from './recorder.ts'
import { noteJudged, readDeclaredRows, rowTypesRun } from './rows-of-run.ts'

// Runs in every test file of the server: what its statements answered is compared with their row types when it ends.

const server = path.resolve(import.meta.dirname, '../..')
const run = rowTypesRun()
const testFile = path.relative(server, expect.getState().testPath ?? '')

if (run) {
  recordAnswers()
  // a file that skips all of its tests does not come to its end
  noteJudged(run, testFile, new Set())
  afterAll(async () => {
    const { judged, lies } = judgeRows(await readDeclaredRows(run), takeAnswered())
    noteJudged(run, testFile, judged)
    expect(lies, 'row types that do not say what the database answers').toEqual([])
  })
}
