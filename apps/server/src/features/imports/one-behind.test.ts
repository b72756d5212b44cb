import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withOneBehind } from './one-behind.ts'

test('one piece goes on while the next is prepared, and each begins when the one before has ended', async () => {
  const told: string[] = []
  const answer = await withOneBehind(async (begin) => {
    for (const piece of ['a', 'b', 'c']) {
      await begin(async () => {
        told.push(`${piece} begins`)
        await sleep(5)
        told.push(`${piece} ends`)
      })
      told.push(`after ${piece}`)
    }
    return 'done'
  })
  expect(answer).toBe('done')
  expect(told.join(', ')).toBe('a begins, after a, a ends, b begins, after b, b ends, c begins, after c, c ends')
})

test('what a piece throws ends the next one before it begins', async () => {
  const failing = withOneBehind(async (begin) => {
    await begin(() => Promise.reject(new Error('the disk is full')))
    await begin(() => Promise.reject(new Error('began all the same')))
  })
  await expect(failing).rejects.toThrow('the disk is full')
})

test('what the last piece throws is thrown in the end', async () => {
  await expect(withOneBehind((begin) => begin(() => Promise.reject(new Error('too late'))))).rejects.toThrow('too late')
})

test('nothing goes on after an error in between', async () => {
  let hasEnded = false
  const failing = withOneBehind(async (begin) => {
    await begin(async () => {
      await sleep(20)
      hasEnded = true
    })
    throw new Error('a cell cannot be read')
  })
  await expect(failing).rejects.toThrow('a cell cannot be read')
  expect(hasEnded).toBe(true)
})
