import { expect, test } from 'vitest'
import { apartZoom, isDrawn, neighborsOf, partAround } from './near-people.ts'

const iceland = { west: -25, south: 63, east: -13, north: 67 }
const at = (id: string, lat: number, lng: number) => ({ id, lat, lng })
const idsOf = (people: ReturnType<typeof at>[], zoom: number, sight = iceland) =>
  neighborsOf(people, partAround(sight, zoom)).map((near) => near.people.map(({ id }) => id).join(' '))

const reykjavik = at('ada', 64.1466, -21.9426)
const besideIt = at('ben', 64.1467, -21.9422)
const akureyri = at('eva', 65.6835, -18.0878)

test('those whose marks would touch are one mark in their middle, and others are separate', () => {
  expect(idsOf([reykjavik, akureyri, besideIt], 6)).toEqual(['ada ben', 'eva'])
  const [together] = neighborsOf([reykjavik, besideIt], partAround(iceland, 6))
  expect(together?.position[0]).toBeCloseTo(-21.9424, 6)
  expect(together?.position[1]).toBeCloseTo(64.14665, 6)
})

test('marks touch up to 18 pixels, over the edges of squares as well', () => {
  // at zoom 9 a pixel is 360 / 512 / 2^9 degrees of longitude
  const pixel = 360 / 512 / 2 ** 9
  for (let shift = 0; shift < 20; shift += 1) {
    const first = at('first', 64, -20 + shift * pixel)
    expect(idsOf([first, at('near', 64, first.lng + 17.9 * pixel)], 9.7)).toEqual(['first near'])
    expect(idsOf([first, at('far', 64, first.lng + 18.1 * pixel)], 9.7)).toEqual(['first', 'far'])
  }
})

test('marks of many are larger, and join what their edge touches', () => {
  const pixel = 360 / 512 / 2 ** 9
  const many = Array.from({ length: 12 }, (_, index) => at(`m${index}`, 64, -20))
  const ones = [at('near', 64, -20 + 25.9 * pixel), at('far', 64, -20 - 26.1 * pixel)]
  expect(idsOf([...ones, ...many], 9).map((ids) => ids.split(' ').length)).toEqual([13, 1])
})

test('a mark of several is apart at the zoom that it says, and not before', () => {
  const [together] = neighborsOf([reykjavik, besideIt], partAround(iceland, 6))
  const zoom = together?.apartZoom ?? 0
  expect(idsOf([reykjavik, besideIt], zoom - 1)).toEqual(['ada ben'])
  expect(idsOf([reykjavik, besideIt], zoom)).toEqual(['ada', 'ben'])
})

test('from close by everybody has a mark, in the same place too', () => {
  const same = at('same', reykjavik.lat, reykjavik.lng)
  expect(neighborsOf([reykjavik, same], partAround(iceland, 8))[0]?.apartZoom).toBe(apartZoom)
  expect(idsOf([reykjavik, same], apartZoom)).toEqual(['ada', 'same'])
})

test('nobody is drawn who is far from what is in sight', () => {
  expect(idsOf([reykjavik, at('leo', 38.7, -9.1)], 6)).toEqual(['ada'])
})

test('a window over the 180th meridian has those on both sides, wherever the map was moved around the world', () => {
  const fiji = [at('sam', -17, 179.999), at('tui', -17, -179.999), at('ada', 64, -21)]
  for (const west of [175, -185]) {
    const [near, ...others] = neighborsOf(fiji, partAround({ west, south: -20, east: west + 10, north: -15 }, 7))
    expect(near?.people.map(({ id }) => id)).toEqual(['sam', 'tui'])
    expect(Math.abs(near?.position[0] ?? 0)).toBeCloseTo(180, 6)
    expect(others).toEqual([])
  }
})

test('what is drawn is enough while the window moves by less than itself at the same whole zoom, up to the end of the world', () => {
  const part = partAround(iceland, 6.2)
  const moved = (lng: number, lat: number) => ({
    west: iceland.west + lng,
    east: iceland.east + lng,
    south: iceland.south + lat,
    north: iceland.north + lat,
  })
  expect(isDrawn(moved(11, 3), 6.9, part)).toBe(true)
  expect(isDrawn(moved(13, 0), 6.2, part)).toBe(false)
  expect(isDrawn(moved(0, -5), 6.2, part)).toBe(false)
  expect(isDrawn(iceland, 7, part)).toBe(false)
  const pole = { ...iceland, south: 80, north: 85.06 }
  expect(isDrawn(pole, 6, partAround(pole, 6))).toBe(true)
})
