import { expect, test } from 'vitest'
import { placeLabels } from './label-places.ts'

test('a lone name is next to its mark, at the right edge on the other side', () => {
  expect(placeLabels([{ x: 100, y: 100, name: 'Geysir' }], 560)[0]).toMatchObject({ anchor: 'start' })
  expect(placeLabels([{ x: 540, y: 100, name: 'Gullfoss' }], 560)[0]).toMatchObject({ anchor: 'end' })
})

test('two places close together do not write over each other', () => {
  const [first, second] = placeLabels(
    [
      { x: 300, y: 100, name: 'Geysir and Strokkur' },
      { x: 330, y: 92, name: 'Gullfoss' },
    ],
    560,
  )
  expect(first?.anchor).toBe('end')
  expect(second?.anchor).toBe('start')
})
