import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { readableLine } from './readable-log.ts'

test('an event is one line: how bad it is, what happened, why, and its details', () => {
  const event = {
    level: 'warn',
    time: '2026-07-14T08:00:00.000Z',
    pid: 7,
    msg: 'could not cancel a query',
    err: { message: 'gone', stack: 'at …' },
  }
  expect(readableLine(event)).toMatch(/^\d\d:\d\d:\d\d Warning could not cancel a query: gone$/)
  expect(readableLine({ ...event, err: undefined, jobId: 5, job: 'sweep' })).toMatch(/ \(jobId: 5, job: sweep\)$/)
})

test('nothing breaks the line or draws on the terminal', () => {
  const line = readableLine({ level: 'error', msg: 'first\nsecond \u001b[31mred\u0007' })
  expect(line).toBe('Error first second [31mred')
})

test('the log writes words or JSON, and secrets in neither', () => {
  const written = (format: 'json' | 'text') => {
    const lines: string[] = []
    createLog('info', format, { write: (line) => void lines.push(line) }).error({ token: 'abc' }, 'refused')
    return lines.join('')
  }
  expect(written('text')).toMatch(/^\d\d:\d\d:\d\d Error refused \(token: \[redacted\]\)\n$/)
  expect(JSON.parse(written('json'))).toMatchObject({ level: 'error', msg: 'refused', token: '[redacted]' })
})
