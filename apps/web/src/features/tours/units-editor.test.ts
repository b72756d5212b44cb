import { expect, test } from 'vitest'
import { closePrices, openPrices } from './units-editor.tsx'

const unit = { unitType: 'adult' as const, minAge: null, maxAge: null, paxCount: 1, requiresAdult: false }

test('prices are typed in whole units and stored in minor ones, in the digits of their currency', () => {
  const euros = openPrices([{ ...unit, priceMinor: 8950, currency: 'EUR' }], 'ISK')
  expect(euros).toMatchObject({ currency: 'EUR', units: [{ price: '89.50' }] })
  expect(closePrices(euros).units[0]?.priceMinor).toBe(8950)
  expect(closePrices({ currency: 'ISK', units: [{ ...unit, currency: 'EUR', price: '12900' }] }).units).toMatchObject([
    { priceMinor: 12900, currency: 'ISK' },
  ])
})

test('what is no amount, or an age range upside down, is named by its place', () => {
  const { units, problems } = closePrices({
    currency: 'EUR',
    units: [
      { ...unit, currency: 'EUR', price: '10' },
      { ...unit, currency: 'EUR', price: 'ten' },
      { ...unit, currency: 'EUR', price: '5', minAge: 12, maxAge: 3 },
    ],
  })
  expect(units).toHaveLength(1)
  expect([...problems.keys()]).toEqual([1, 2])
})
