import type { TourUnit, UnitType } from '@tour-ops/contract/units'
import { describe, expect, test } from 'vitest'
import { type Companion, partyOf, type Person, type Quantities, withLine } from './booking-choice.ts'
import {
  ageCheckOf,
  asksAge,
  childSeatsOf,
  guestOf,
  type KnownAge,
  type KnownAges,
  needsChildSeat,
  quantitiesWith,
  seatedParty,
} from './party-ages.ts'

const unit = (unitType: UnitType, priceMinor: number, change: Partial<TourUnit> = {}): TourUnit => ({
  unitType,
  minAge: null,
  maxAge: null,
  paxCount: 1,
  priceMinor,
  currency: 'EUR',
  requiresAdult: false,
  ...change,
})
const byAge = [
  unit('adult', 8900, { minAge: 16 }),
  unit('youth', 6200, { minAge: 12, maxAge: 15 }),
  unit('child', 4500, { minAge: 3, maxAge: 11 }),
  unit('senior', 7900, { minAge: 65 }),
]

let keys = 0
const guest = (unitType: UnitType, age?: number | null, change: Partial<Companion> = {}): Companion => ({
  key: (keys += 1),
  travelerId: null,
  name: 'Zoe',
  unitType,
  diet: null,
  mobility: 'none',
  flags: [],
  note: '',
  age,
  childSeat: null,
  ...change,
})
const amara: Person = { id: 'amara', name: 'Amara', phone: null, email: null, language: null, flags: [] }

/** As the server answers of somebody whose age is known to the year. */
function known(travelerId: string, years: number, isShown = true): KnownAge {
  const fits = byAge.filter(({ minAge, maxAge }) => years >= (minAge ?? 0) && years <= (maxAge ?? 120))
  return {
    travelerId,
    age: isShown ? { from: years, to: years } : null,
    fits: fits.map(({ unitType }) => unitType),
    unfit: byAge.filter((one) => !fits.includes(one)).map(({ unitType }) => unitType),
    needsChildSeat: years < 12,
  }
}
const knownAges = (...ages: KnownAge[]): KnownAges => new Map(ages.map((one) => [one.travelerId, one]))

const seat = (
  quantities: Quantities,
  companions: Companion[],
  ages: KnownAges = new Map(),
  caller: Person | null = null,
) => seatedParty({ caller, companions }, partyOf(quantities, byAge), byAge, ages)

const check = (quantities: Quantities, ...rest: Parameters<typeof seat> extends [unknown, ...infer R] ? R : never) =>
  ageCheckOf(partyOf(quantities, byAge), seat(quantities, ...rest), byAge)

describe('ages that were typed', () => {
  test('are asked where somebody pays less by age, and not of adults', () => {
    expect(byAge.filter(asksAge).map(({ unitType }) => unitType)).toEqual(['youth', 'child', 'senior'])
  })

  test('fit only when each of them is known and within its kind', () => {
    const party = { adult: 2, child: 2 }
    expect(check(party, [])).toMatchObject({ unknown: 2, unfit: [], isFit: false })
    expect(check(party, [guest('child', 9)])).toMatchObject({ unknown: 1, unfit: [], isFit: false })
    expect(check(party, [guest('child', 3), guest('child', 11), guest('adult')])).toMatchObject({
      unknown: 0,
      unfit: [],
      isFit: true,
    })
    expect(check(party, [guest('child', 2), guest('child', 12)])).toMatchObject({
      unknown: 0,
      unfit: [{ years: 2 }, { years: 12, better: 'youth' }],
      isFit: false,
    })
    expect(check({ adult: 2 }, [guest('adult')])).toBeNull()
    expect(check({ adult: 2 }, [guest('adult', 9)])).toMatchObject({ unfit: [{ years: 9, better: 'child' }] })
  })

  test('below twelve ask for a child seat, by the kind where nobody said the age, unless somebody says otherwise', () => {
    const party = { adult: 1, child: 1, youth: 1 }
    const needs = (...given: Parameters<typeof guest>) =>
      seat(party, [guest(...given)]).lines.map((line) => needsChildSeat(line, byAge))[0]
    expect([needs('child', 11), needs('child', 12), needs('youth', 11)]).toEqual([true, false, true])
    expect([needs('child'), needs('youth'), needs('adult')]).toEqual([true, false, false])
    expect([needs('child', 5, { childSeat: false }), needs('youth', 14, { childSeat: true })]).toEqual([false, true])
  })

  test('are counted for child seats by their kind where a child has no line of its own', () => {
    const quantities = { adult: 2, child: 3, youth: 1 }
    const needed = (...companions: Companion[]) =>
      childSeatsOf(partyOf(quantities, byAge), seat(quantities, companions).lines, byAge)
    expect(needed()).toBe(3)
    expect(needed(guest('child', 9), guest('adult'))).toBe(3)
    expect(needed(guest('child', 12), guest('child', 5, { childSeat: false }))).toBe(1)
    expect(needed(guest('youth', 14, { childSeat: true }))).toBe(4)
  })
})

describe('ages that are known', () => {
  const ben = guest('adult', undefined, { travelerId: 'ben', name: 'Ben' })
  const party = { adult: 2, child: 1 }

  test('are filled in, and the seat follows where one for them is left', () => {
    const ages = knownAges(known('ben', 9), known('zoe', 8))
    expect(seat(party, [ben], ages).lines).toMatchObject([{ unitType: 'child', years: 9, fit: 'fits', onFile: null }])
    expect(check(party, [ben], ages)).toMatchObject({ isFit: true, better: [] })
    const zoe = guest('adult', undefined, { travelerId: 'zoe' })
    expect(seat(party, [ben, zoe], ages).lines).toMatchObject([{ unitType: 'child' }, { unitType: 'adult' }])
  })

  test('do not take the seat of somebody who was put there, wherever their line is, and two on one seat do not fit', () => {
    const ages = knownAges(known('ben', 9))
    const zoe = guest('child', 8)
    expect(seat(party, [ben, zoe], ages).lines).toMatchObject([
      { unitType: 'adult', better: 'child' },
      { unitType: 'child' },
    ])
    expect(check({ adult: 2, child: 1 }, [guest('child', 8), guest('child', 9)])).toMatchObject({ isFit: false })
  })

  test('say who needs a child seat also to those who may not see them', () => {
    const hidden = seat(party, [ben], knownAges({ ...known('ben', 5, false), needsChildSeat: true })).lines
    expect(hidden.map((line) => [line.years, needsChildSeat(line, byAge)])).toEqual([[null, true]])
  })

  test('move nobody from a seat that somebody chose, or whose age was typed', () => {
    const ages = knownAges(known('ben', 9))
    expect(seat(party, [{ ...ben, isKindSaid: true }], ages).lines).toMatchObject([
      { unitType: 'adult', fit: 'unfit', better: 'child' },
    ])
    expect(seat(party, [{ ...ben, age: 17 }], ages).lines).toMatchObject([
      { unitType: 'adult', years: 17, fit: 'fits' },
    ])
    expect(seat(party, [{ ...ben, age: null }], ages).lines).toMatchObject([{ years: null, fit: 'unknown' }])
  })

  test('that may not be seen fit all the same, and say no number', () => {
    const ages = knownAges(known('ben', 9, false))
    expect(seat(party, [ben], ages).lines).toMatchObject([
      { unitType: 'child', years: null, fit: 'fits', onFile: { age: null } },
    ])
    expect(check(party, [ben], ages)).toMatchObject({ isFit: true })
  })

  test('to two years fit where both do', () => {
    const age = {
      ...known('ben', 11),
      age: { from: 11, to: 12 },
      fits: [],
      unfit: ['adult' as const, 'senior' as const],
    }
    const child = { ...ben, unitType: 'child' as const }
    expect(seat(party, [child], knownAges(age)).lines).toMatchObject([{ years: null, fit: 'unknown' }])
    expect(check(party, [child], knownAges(age))).toMatchObject({ unknown: 1, isFit: false })
  })

  test('of who calls count as well, and a senior is shown their price', () => {
    const ages = knownAges(known('amara', 67))
    expect(check({ adult: 2 }, [], ages, amara)).toMatchObject({ isFit: false, better: [{ better: 'senior' }] })
    expect(seat({ adult: 1, senior: 1 }, [], ages, amara).caller).toMatchObject({ unitType: 'senior', fit: 'fits' })
    expect(check({ adult: 1, senior: 1 }, [], ages, amara)).toMatchObject({ isFit: true, unknown: 0 })
  })

  test('another kind is bought instead, unless one is left', () => {
    const ages = knownAges(known('ben', 9))
    const chosen = { ...ben, isKindSaid: true }
    const quantitiesFor = (quantities: Quantities) => {
      const seated = seat(quantities, [chosen], ages)
      return quantitiesWith({ unitType: 'adult' }, 'child', seated, quantities, byAge)
    }
    expect(quantitiesFor({ adult: 2 })).toEqual({ adult: 1, child: 1 })
    expect(quantitiesFor({ adult: 2, child: 1 })).toEqual({ adult: 2, child: 1 })
  })
})

describe('the line of who calls', () => {
  const own = { unitType: 'senior' as const, isKindSaid: true, age: 70, diet: 'vegan' as const, note: ' Slow ' }
  const seated = (caller: Person) => {
    const party = partyOf({ adult: 1, senior: 1 }, byAge)
    const { caller: line } = seatedParty({ caller, own, companions: [] }, party, byAge, new Map())
    return line && { line, sent: guestOf(line, party, byAge) }
  }

  test('has a kind of seat, an age, needs and a note as everybody else', () => {
    expect(seated(amara)).toMatchObject({
      line: { key: 0, unitType: 'senior', years: 70, fit: 'fits' },
      sent: {
        travelerId: 'amara',
        unitType: 'senior',
        age: 70,
        tripDietary: 'vegan',
        tripMobility: null,
        note: 'Slow',
      },
    })
  })

  test('of somebody new says what their profile gets', () => {
    const sent = seated({ ...amara, id: null })?.sent
    expect(sent).toMatchObject({ lastName: 'Amara', dietary: ['vegan'], mobility: 'none', note: 'Slow' })
    expect(sent).not.toHaveProperty('tripDietary')
  })

  test('changes by itself, and those of companions by theirs', () => {
    const companions = [guest('child', 9)]
    const [zoe] = companions
    expect(withLine({ own, companions }, 0, { note: 'Fast' })).toEqual({ own: { ...own, note: 'Fast' } })
    expect(withLine({ own, companions }, zoe?.key ?? 0, { age: 8 })).toEqual({ companions: [{ ...zoe, age: 8 }] })
  })
})
