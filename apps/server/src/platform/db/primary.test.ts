import { expect, test } from 'vitest'
import { serversOf } from './primary.ts'

test.each([
  ['postgres://one/tours', ['postgres://one/tours']],
  [
    'postgresql://login:a,b@one:5432,two:5433/tours?sslmode=require',
    ['postgresql://login:a,b@one:5432/tours?sslmode=require', 'postgresql://login:a,b@two:5433/tours?sslmode=require'],
  ],
  ['postgres://[::1]:5432,[::2]/tours', ['postgres://[::1]:5432/tours', 'postgres://[::2]/tours']],
  ['postgres:///tours?host=/run/a,b', ['postgres:///tours?host=/run/a,b']],
])('the servers of %s', (url, servers) => {
  expect(serversOf(url)).toEqual(servers)
})
