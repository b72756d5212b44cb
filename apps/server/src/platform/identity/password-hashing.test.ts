import { expect, test } from 'vitest'
import { boundedBy, passwordHashing } from './password-hashing.ts'

test('no more tasks run at once than allowed, none is lost, and a failure frees its place', async () => {
  const bounded = boundedBy(2)
  let running = 0
  let most = 0
  const task = (index: number) => async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running -= 1
    if (index % 3 === 0) throw new Error('broken')
    return index
  }
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => bounded(task(index))))
  expect(most).toBe(2)
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(13)
})

test('a password is recognized by its hash and another is not', async () => {
  const hash = await passwordHashing.hash('correct horse')
  expect(await passwordHashing.verify({ hash, password: 'correct horse' })).toBe(true)
  expect(await passwordHashing.verify({ hash, password: 'wrong horse' })).toBe(false)
})
