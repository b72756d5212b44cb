import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test('a count takes the form of its language, and its figures', () => {
  const guests = (count: number) => plural(count, '# guest is booked', '# guests are booked')
  expect([0, 1, 2, 1200].map(guests)).toEqual([
    '0 guests are booked',
    '1 guest is booked',
    '2 guests are booked',
    '1,200 guests are booked',
  ])
  const rows = (count: number) => plural(count, '# Zeile importiert', '# Zeilen importiert', 'de')
  expect([1, 1200].map(rows)).toEqual(['1 Zeile importiert', '1.200 Zeilen importiert'])
})

/** What is counted here; a limit, which is never one, is named so. */
const things =
  'alerts|bookings|permissions|sweeps|writes|days|departures|files|filas|guests|hours|jobs|lines|migrations|minutes|months|names|people|plazas|Plätze|rows|seats|Zeilen|tours|travelers|vehicles'
/** A piece of a statement is no count: `${sql.raw(join)} departures d` names a table. */
const isSql = /^sql\./
/** Never one. */
const alwaysMany = [
  'features/imports/import-problems.ts: ${days} days',
  'access-refusals.ts: ${hours} hours',
  'bookings/bookings.ts: ${takeBackMinutes} minutes',
  'bookings/move-some.ts: ${takeBackMinutes} minutes',
  'bookings/party.ts: ${takeBackMinutes} minutes',
  'bookings/restore-status.ts: ${takeBackMinutes} minutes',
  'bookings/revise.ts: ${takeBackMinutes} minutes',
  'bookings/split.ts: ${takeBackMinutes} minutes',
  'departures/combine.ts: ${takeBackMinutes} minutes',
  'departures/combine.ts: ${combineHours} hours',
  'notifications/notifications.ts: ${paceMinutes} minutes',
  'operations-refusals.ts: ${departures.length} departures',
  'field-rules.ts: ${count} departures',
  'field-rules.ts: ${days} days',
  'field-rules.ts: ${hours} hours',
]
const isLimit = /max|limit|most|least|longest|capacity/i

/** The server's own sentences, and those of refusals and field rules, which are in the contract. */
const roots = [new URL('../', import.meta.url), new URL('../../../../packages/contract/src/', import.meta.url)]

const countsIn = (root: URL): readonly string[] =>
  globSync('**/*.ts', { cwd: root })
    .filter((file) => !/(\.test|testing[\w-]*)\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(new URL(file, root), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\/\/|\*)/.test(line))
        .flatMap((line) => [...line.matchAll(new RegExp(`\\$\\{([^{}]+)\\} (?:${things})\\b`, 'g'))])
        .filter(([, count = '']) => !isLimit.test(count) && !isSql.test(count))
        .map(([text]) => `${file}: ${text}`),
    )

test('no sentence of the server has a count before a plural that one would break', () => {
  const found = roots.flatMap(countsIn)
  expect(found).toEqual(expect.arrayContaining(alwaysMany))
  expect(found.filter((text) => !alwaysMany.includes(text))).toEqual([])
})
