import { expect, test } from 'vitest'
import type { WatchedSubject } from './watched-subjects.ts'
import type { MapPalette } from './basemap/map-palette.ts'
import { drivenData } from './day-layers.ts'
import { peopleData } from './people-marks.ts'
import { containsEach } from './day-groups.ts'

const now = Date.parse('2030-07-14T12:00:00Z')
const seen = (secondsAgo: number, change: Partial<WatchedSubject> = {}): WatchedSubject => ({
  subjectKind: 'staff',
  subjectId: 'ada',
  name: 'Ada Byron',
  recordedAt: new Date(now - secondsAgo * 1000).toISOString(),
  receivedAt: new Date(now).toISOString(),
  lat: 64,
  lng: -21,
  ...change,
})
const propertiesOf = (...people: WatchedSubject[]) =>
  peopleData([{ position: [-21, 64], people, apartZoom: 12 }], now, { isDark: false } as MapPalette).features[0]
    ?.properties

test('a mark says who it is, how fresh the signal is, and the way only of who moves', () => {
  expect(propertiesOf(seen(5, { speedMps: 12, headingDeg: 90 }))).toMatchObject({
    subjectId: 'ada',
    label: 'Ada Byron',
    signal: 'live',
    heading: 90,
    icon: 'heading-light',
  })
  expect(propertiesOf(seen(300))).toMatchObject({ signal: 'stale', icon: '' })
  expect(propertiesOf(seen(3600, { speedMps: 0.4, headingDeg: 90 }))).toMatchObject({ signal: 'offline', icon: '' })
})

test('a mark looks the same old or lost where no signal is expected, until it is expected again', () => {
  const quiet = (quietUntil: string | null) => ({ quiet: { quietUntil, timeZone: 'Atlantic/Reykjavik' } })
  expect(propertiesOf(seen(300, quiet('2030-07-14T12:01:00Z')))).toMatchObject({ signal: 'quiet' })
  expect(propertiesOf(seen(3600, quiet('2030-07-14T12:01:00Z')))).toMatchObject({ signal: 'quiet' })
  // who is heard all the same is shown so
  expect(propertiesOf(seen(5, quiet('2030-07-14T12:01:00Z')))).toMatchObject({ signal: 'live' })
  expect(propertiesOf(seen(300, quiet('2030-07-14T12:00:00Z')))).toMatchObject({ signal: 'stale' })
  expect(propertiesOf(seen(300, quiet(null)))).toMatchObject({ signal: 'stale' })
})

test('a mark of several says how many they are, and from which zoom on they are apart', () => {
  expect(propertiesOf(seen(5), seen(300))).toMatchObject({ count: 2, label: '2', apartZoom: 12 })
})

test('the driven way is solid where it is known and apart without a signal', () => {
  const ways = [
    {
      subject: { kind: 'staff' as const, id: 'ada', name: 'Ada' },
      points: [
        { at: 0, lat: 64, lng: -21 },
        { at: 1, lat: 64.1, lng: -21 },
        { at: 9, lat: 64.2, lng: -21 },
      ],
      gaps: [{ from: 1, to: 9, reason: 'no_signal' as const }],
    },
  ]
  expect(
    drivenData(ways).features.map(({ properties, geometry }) => [properties['isSilent'], geometry.coordinates.length]),
  ).toEqual([
    [true, 2],
    [false, 2],
  ])
  expect(drivenData([]).features).toEqual([])
})

test('people are found by every word that is typed, accents and capitals aside', () => {
  expect(containsEach('Björn Ólafsson', 'olaf bj')).toBe(true)
  expect(containsEach('Björn Ólafsson', 'olaf anna')).toBe(false)
  expect(containsEach('Björn Ólafsson', '')).toBe(true)
})
