import { expect, test } from 'vitest'
import { hiddenIn, hiddenText } from './map-layers.ts'

test('an address hides the layers that it names, and what is no layer hides nothing', () => {
  expect([...hiddenIn('people,streets,driven')]).toEqual(['people', 'driven'])
  expect([...hiddenIn(undefined)]).toEqual([])
})

test('a layer is hidden and shown again', () => {
  const hidden = hiddenText(hiddenIn('driven'), 'people')
  expect(hidden).toBe('people,driven')
  expect(hiddenText(hiddenIn(hidden), 'driven')).toBe('people')
  expect(hiddenText(hiddenIn('people'), 'people')).toBeUndefined()
})
