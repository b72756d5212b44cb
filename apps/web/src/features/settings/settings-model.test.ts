import type { HistoryEntry } from '@tour-ops/contract/departures/departures'
import { expect, test } from 'vitest'
import { secondFactorFields } from './second-factor-fields.ts'
import { wordsOf } from './setting-control.tsx'
import { contested, pastChanges, realChanges, type SettingField, valueAt, withChanges } from './settings-model.ts'

const saved = { name: 'Aurora', map: { lat: 64, lng: -21 }, phone: null }

test('values are read and written by path, and the saved settings stay untouched', () => {
  expect(valueAt(saved, 'map.lat')).toBe(64)
  expect(valueAt(saved, 'map.zoom')).toBeNull()
  expect(valueAt(saved, 'map')).toBeNull()
  expect(withChanges(saved, { 'map.lat': 65, name: 'Atlas' })).toEqual({
    name: 'Atlas',
    map: { lat: 65, lng: -21 },
    phone: null,
  })
  expect(saved.map.lat).toBe(64)
})

test('typing a value back is no change', () => {
  expect(realChanges(saved, { name: 'Aurora', 'map.lat': 65, phone: null })).toEqual({ 'map.lat': 65 })
})

test('only what both changed to different things is contested', () => {
  const theirs = { ...saved, name: 'Theirs', map: { lat: 66, lng: -20 } }
  expect(contested(saved, theirs, { name: 'Mine', 'map.lat': 66, phone: '1' })).toEqual(['name'])
})

const numberField = (path: string, column: string): SettingField => ({
  path,
  column,
  kind: 'number',
  label: () => path,
})

const saveOf = (changes: HistoryEntry['changes']): HistoryEntry => ({
  id: '7',
  at: '2030-07-14T08:00:00Z',
  actorName: 'Íris',
  actorKind: 'user',
  action: 'settings-tour-update',
  entityType: 'org_settings',
  entityId: 'org',
  changes,
})

const rules = [
  numberField('atRiskMin', 'tour_rules.atRiskMin'),
  numberField('runningLateMin', 'tour_rules.runningLateMin'),
]

test('the history names the fields of the page, also inside a JSON column', () => {
  const entry = saveOf([
    { field: 'hold_minutes', before: '1440', after: '720' },
    {
      field: 'tour_rules',
      before: '{"atRiskMin":45,"runningLateMin":15}',
      after: '{"atRiskMin":30,"runningLateMin":15}',
    },
    { field: 'version', before: '1', after: '2' },
  ])
  const told = pastChanges([entry], [numberField('holdMinutes', 'hold_minutes'), ...rules])
  expect(told.map(({ field: { path }, before, after }) => [path, before, after])).toEqual([
    ['holdMinutes', '1440', '720'],
    ['atRiskMin', '45', '30'],
  ])
})

test('the first change of a rule is one from its default, and the rules saved with it are none', () => {
  const entry = saveOf([{ field: 'tour_rules', before: '{}', after: '{"atRiskMin":40,"runningLateMin":15}' }])
  const told = pastChanges([entry], rules, { atRiskMin: 45, runningLateMin: 15 })
  expect(told.map(({ field: { path }, before, after }) => [path, before, after])).toEqual([['atRiskMin', '45', '40']])
})

test('the rule about second factors is shown with the names of its roles, also when it is set for the first time', () => {
  const entry = saveOf([
    { field: 'second_factor_roles', before: '[]', after: '["admin","guide"]' },
    { field: 'second_factor_from', before: null, after: '2026-12-01' },
  ])
  const told = pastChanges([entry], secondFactorFields.fields)
  expect(told.map(({ field, before, after }) => [wordsOf(field, before), wordsOf(field, after)])).toEqual([
    ['empty', 'Admin and Guide'],
    ['empty', '1 Dec 2026'],
  ])
})
