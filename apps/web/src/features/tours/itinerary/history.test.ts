import { expect, test } from 'vitest'
import { freshHistory, redone, undone, withStep } from './history.ts'

test('steps are undone and redone, and a new step drops what was undone', () => {
  const three = withStep(withStep(freshHistory('a'), 'b'), 'c')
  expect(undone(undone(three)).present).toBe('a')
  expect(redone(undone(three)).present).toBe('c')
  expect(redone(withStep(undone(three), 'x')).present).toBe('x')
})

test('typing in one field is one step, and only a hundred steps are kept', () => {
  const typed = withStep(withStep(freshHistory('a'), 'ab', 'note'), 'abc', 'note')
  expect(undone(typed).present).toBe('a')
  let long = freshHistory(0)
  for (let step = 1; step <= 150; step++) long = withStep(long, step)
  expect(long.past).toHaveLength(100)
  expect(undone(freshHistory('a')).present).toBe('a')
})
