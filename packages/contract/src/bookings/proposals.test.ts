import { expect, test } from 'vitest'
import { answerProposal, usualProposals } from './proposals.ts'

const near = { departureId: 'the next day', seatsLeft: 4 }
const far = { departureId: 'two days later', seatsLeft: 3 }

test('each party is proposed the first departure that still has seats for it, and who fits nowhere the refund', () => {
  const parties = [
    { id: 'a', pax: 2 },
    { id: 'b', pax: 3 },
    { id: 'c', pax: 2 },
    { id: 'd', pax: 1 },
  ]
  expect([...usualProposals(parties, [near, far])]).toEqual([
    ['a', 'the next day'],
    ['b', 'two days later'],
    ['c', 'the next day'],
    ['d', null],
  ])
})

test('never more seats are proposed than there are, whatever the parties are', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = (max: number, at: number) => ((seed * 7919 + at * 104_729) % max) + 1
    const parties = Array.from({ length: random(12, 0) }, (_, at) => ({ id: String(at), pax: random(6, at + 1) }))
    const alternatives = [near, far, { departureId: 'another tour', seatsLeft: random(10, 99) }]
    const proposed = usualProposals(parties, alternatives)
    expect([...proposed.keys()]).toEqual(parties.map(({ id }) => id))
    for (const { departureId, seatsLeft } of alternatives) {
      const taken = parties.filter(({ id }) => proposed.get(id) === departureId)
      expect(taken.reduce((sum, { pax }) => sum + pax, 0)).toBeLessThanOrEqual(seatsLeft)
    }
  }
})

test('who chooses another departure names it', () => {
  const parse = (input: object) =>
    answerProposal.input.safeParse({ id: '01900000-0000-7000-8000-000000000000', ...input })
  expect(parse({ answer: 'refund' }).success).toBe(true)
  expect(parse({ answer: 'other' }).error?.issues[0]).toMatchObject({
    path: ['toDepartureId'],
    message: 'departure_missing',
  })
})
