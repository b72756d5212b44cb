import { expect, test } from 'vitest'
import { departureCommandFor } from './commands.ts'

const all = () => true
const found = (words: string, can = all as (permission: string) => boolean) => {
  const answer = departureCommandFor(words, can)
  return answer && [answer.command.key, answer.rest]
}

test('a command of a departure is found while it is typed, and what follows names the departure', () => {
  expect(found('ass')).toEqual(['assign-guide', ''])
  expect(found('Assign guide to')).toEqual(['assign-guide', ''])
  expect(found('assign guide to Golden 9')).toEqual(['assign-guide', 'Golden 9'])
  expect(found('assign vehicle to south')).toEqual(['assign-vehicle', 'south'])
})

test('a name is not read as a command, and nobody is offered what they may not do', () => {
  expect(found('as')).toBeNull()
  expect(found('assad')).toBeNull()
  expect(found('assign guide to gold', (permission) => permission === 'checkin:write')).toBeNull()
})
