import { expect, test } from 'vitest'
import { nearestFirst } from './nearest-incidents.ts'

const incident = (id: string, departure: string | null, category: 'medical' | 'weather', minute: number) => ({
  id,
  category,
  departure: departure === null ? null : { id: departure },
  reportedAt: new Date(Date.UTC(2030, 6, 14, 8, minute)).toISOString(),
})

test('what is most likely the same comes first: departure, then category, then time; the incident itself is not offered', () => {
  const own = incident('own', 'd1', 'medical', 30)
  const rows = [
    own,
    incident('far', 'd2', 'medical', 55),
    incident('other kind', null, 'weather', 30),
    incident('near', 'd2', 'medical', 25),
    incident('same departure', 'd1', 'weather', 0),
  ]
  expect(nearestFirst(own, rows).map(({ id }) => id)).toEqual(['same departure', 'near', 'far', 'other kind'])
})

test('two incidents without a departure are not of the same one', () => {
  const own = incident('own', null, 'medical', 30)
  const rows = [incident('none', null, 'medical', 0), incident('soon', 'd1', 'medical', 31)]
  expect(nearestFirst(own, rows).map(({ id }) => id)).toEqual(['soon', 'none'])
})
