import { expect, test } from 'vitest'
import { askedOf, keysIn, keysText } from './chosen-tracks.ts'

const [ada, bus] = ['0198c0de-0000-7000-8000-000000000001', '0198c0de-0000-7000-8000-000000000002']

test('tracks of an address are people and vehicles, each once, in their order', () => {
  expect(keysIn(`vehicle.${bus},staff.${ada},staff.${ada},staff.nobody,ship.${bus},`)).toEqual([
    `vehicle.${bus}`,
    `staff.${ada}`,
  ])
  expect(keysIn(undefined)).toEqual([])
  expect(keysText([])).toBeUndefined()
  expect(keysText([`staff.${ada}`, `vehicle.${bus}`])).toBe(`staff.${ada},vehicle.${bus}`)
})

test('no address asks for more tracks than one screen may have', () => {
  const many = Array.from({ length: 12 }, (_, at) => `staff.0198c0de-0000-7000-8000-${String(at).padStart(12, '0')}`)
  expect(keysIn(many.join(','))).toHaveLength(8)
})

test('a day goes from midnight to midnight of the reader, also when the clocks are changed', () => {
  expect(askedOf([`staff.${ada}`, `vehicle.${bus}`], '2026-10-25', 'Europe/Berlin')).toEqual({
    staffId: [ada],
    vehicleId: [bus],
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  })
})
