import { expect, test } from 'vitest'
import { placeBeside, type PlaceRequest } from './place-beside.ts'

const usual: PlaceRequest = {
  anchor: { left: 400, right: 500, top: 100, bottom: 136 },
  size: { width: 300, height: 200 },
  window: { width: 1440, height: 900 },
  align: 'start',
  isRtl: false,
}

test('it is below, its start at the start of the anchor', () => {
  expect(placeBeside(usual)).toEqual({ left: 400, top: 142, maxHeight: 480 })
})

test('it can end at the end of the anchor, or be centered', () => {
  expect(placeBeside({ ...usual, align: 'end' }).left).toBe(200)
  expect(placeBeside({ ...usual, align: 'center' }).left).toBe(300)
})

test('right to left the start is on the right', () => {
  expect(placeBeside({ ...usual, isRtl: true }).left).toBe(200)
  expect(placeBeside({ ...usual, isRtl: true, align: 'end' }).left).toBe(400)
})

test('near the bottom it is above', () => {
  const placed = placeBeside({ ...usual, anchor: { ...usual.anchor, top: 820, bottom: 856 } })
  expect(placed.top).toBe(820 - 6 - 200)
})

test('a long list shrinks to the room there is and never leaves the window', () => {
  const placed = placeBeside({ ...usual, size: { width: 300, height: 2000 }, window: { width: 390, height: 400 } })
  expect(placed).toEqual({ left: 82, top: 142, maxHeight: 250 })
})
