import { AppError } from '@tour-ops/contract/errors'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { outageOf, refusalOf, reportOutage, retryAfterOf } from './outages.ts'

const failure = (message: string, extra: object = {}): Error => Object.assign(new Error(message), extra)
const fromPostgres = (code: string): Error => failure('refused', { code, severity: 'FATAL' })

test.each([
  ['a broken connection, by SQLSTATE', fromPostgres('08006'), 'database_unreachable'],
  ['a stop by the administrator', fromPostgres('57P01'), 'database_unreachable'],
  ['a crash of another backend', fromPostgres('57P02'), 'database_unreachable'],
  ['a start or recovery', fromPostgres('57P03'), 'database_unreachable'],
  ['too many connections', fromPostgres('53300'), 'server_busy'],
  ['no memory', fromPostgres('53200'), 'server_busy'],
  ['a full disk of the database', fromPostgres('53100'), 'disk_full'],
  ['a standby', fromPostgres('25006'), 'read_only'],
  ['nobody listens', failure('connect', { code: 'ECONNREFUSED', syscall: 'connect' }), 'database_unreachable'],
  ['nobody listens at several addresses', failure('', { code: 'ECONNREFUSED' }), 'database_unreachable'],
  ['a socket that is gone', failure('connect', { code: 'ENOENT', syscall: 'connect' }), 'database_unreachable'],
  ['an unknown host', failure('dns', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }), 'database_unreachable'],
  ['a reset', failure('read', { code: 'ECONNRESET', syscall: 'read' }), 'database_unreachable'],
  ['a closed pipe', failure('write', { code: 'EPIPE', syscall: 'write' }), 'database_unreachable'],
  ['no place in the pool', failure('timeout exceeded when trying to connect'), 'database_unreachable'],
  ['a lost connection without a code', failure('Connection terminated unexpectedly'), 'database_unreachable'],
  ['a full disk of ours', failure('write', { code: 'ENOSPC', syscall: 'write' }), 'disk_full'],
])('%s is an outage', (_what, thrown, reason) => {
  const refusal = refusalOf(thrown)
  expect(refusal).toMatchObject({ code: 'unavailable', cause: thrown, details: { reason } })
  expect(Number(retryAfterOf(refusal))).toBeGreaterThanOrEqual(1)
})

test.each([
  ['a refused row', fromPostgres('23505')],
  ['a mistake in a statement', fromPostgres('42601')],
  ['a caller who went away', failure('aborted', { code: 'ECONNRESET' })],
  ['a file that is not there', failure('open', { code: 'ENOENT', syscall: 'open' })],
  ['a mistake of ours', new TypeError('x is not a function')],
  ['a refusal', new AppError('not-found', 'There is no such tour.')],
  ['no error at all', 'text'],
])('%s is none', (_what, thrown) => {
  expect(outageOf(thrown)).toBeUndefined()
  expect(retryAfterOf(refusalOf(thrown))).toBeUndefined()
})

test('several failures together are an outage if each of them is one', () => {
  const [stopped, ours] = [fromPostgres('57P01'), new TypeError('x is not a function')]
  expect(outageOf(new AggregateError([stopped, outageOf(stopped)]))).toMatchObject({ cause: stopped })
  expect(outageOf(new AggregateError([stopped, ours]))).toBeUndefined()
  expect(outageOf(new AggregateError([]))).toBeUndefined()
})

test('an outage is logged once, however many requests meet it', () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  for (let n = 0; n < 50; n += 1) expect(reportOutage(log, fromPostgres('57P03'))).toBe(true)
  expect(reportOutage(log, fromPostgres('53100'))).toBe(true)
  expect(reportOutage(log, new TypeError('ours'))).toBe(false)
  expect(lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual([
    'database_unreachable',
    'disk_full',
  ])
})
