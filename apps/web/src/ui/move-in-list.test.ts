import { expect, test } from 'vitest'
import { moveInList } from './move-in-list.ts'

test('arrows move and wrap around, Home and End go to the ends', () => {
  expect(moveInList({ key: 'ArrowDown' }, 2, 3, 'vertical')).toBe(0)
  expect(moveInList({ key: 'ArrowUp' }, 0, 3, 'vertical')).toBe(2)
  expect(moveInList({ key: 'ArrowRight' }, 0, 3, 'horizontal')).toBe(1)
  expect(moveInList({ key: 'Home' }, 2, 3, 'horizontal')).toBe(0)
  expect(moveInList({ key: 'End' }, 0, 3, 'vertical')).toBe(2)
})

test('other keys and empty lists lead nowhere', () => {
  expect(moveInList({ key: 'a' }, 0, 3, 'vertical')).toBeNull()
  expect(moveInList({ key: 'ArrowDown' }, 0, 3, 'horizontal')).toBeNull()
  expect(moveInList({ key: 'ArrowDown' }, 0, 0, 'vertical')).toBeNull()
})
