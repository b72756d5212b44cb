import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { offeredTimes } from './date-text.ts'
import { timeByKey, TimeList } from './time-list.tsx'

const after = (key: string, from: string) => offeredTimes[timeByKey({ key }, offeredTimes.indexOf(from)) ?? -1]

test.each([
  ['ArrowDown', '09:00', '09:15'],
  ['ArrowUp', '09:00', '08:45'],
  ['ArrowDown', '23:45', '00:00'],
  ['PageDown', '23:30', '00:30'],
  ['PageUp', '09:15', '08:15'],
  ['Home', '09:00', '00:00'],
  ['End', '09:00', '23:45'],
  ['a', '09:00', undefined],
])('%s at %s leads to %s', (key, from, to) => expect(after(key, from)).toBe(to))

test('one time is chosen, and the keyboard begins there', () => {
  const markup = renderToStaticMarkup(<TimeList value="14:30" onChoose={() => undefined} />)
  expect(markup.match(/aria-selected="true"/g)).toHaveLength(1)
  expect(/<button[^>]*tabindex="0"[^>]*>.*?14:30/i.exec(markup)?.[0]).not.toMatch(/14:15/)
})
