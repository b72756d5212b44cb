import { callables } from '@tour-ops/contract/callables'
import { statusesOf } from '@tour-ops/contract/state-machines'
import { expect, test } from 'vitest'
import { tourStatusLabels } from '../tour-labels.ts'
import { actionText, changedText, isNotified } from './activity-text.ts'

test('states of a tour are words, and never what the database calls them', () => {
  const change = { field: 'status', before: 'published', after: 'archived' }
  expect(isNotified(change)).toBe(true)
  expect(changedText(change)).toContain(tourStatusLabels.published())
  expect(changedText(change)).toContain(tourStatusLabels.archived())
  expect(changedText(change)).not.toMatch(/published|archived/)
  for (const status of statusesOf('tours'))
    expect(changedText({ ...change, after: status })).toContain(tourStatusLabels[status]())
})

test('everything that can be done with a tour has words', () => {
  const done = callables.filter(({ name, kind }) => kind === 'write' && name.startsWith('tours-'))
  expect(done.length).toBeGreaterThan(5)
  expect(done.map(({ name }) => name).filter((name) => actionText(name) === name)).toEqual([])
})

test('what a new tour begins with is no change, and columns without a name are left out', () => {
  expect(isNotified({ field: 'name', before: null, after: 'Golden Circle' })).toBe(false)
  expect(isNotified({ field: 'current_revision_id', before: '1', after: '2' })).toBe(false)
})

test('steps of the cancellation rule are read as days and percent', () => {
  const after = '[{"daysBefore": 7, "refundPercent": 50}, {"daysBefore": 1, "refundPercent": 0}]'
  const said = changedText({ field: 'cancellation_steps', before: '[]', after })
  expect(said).toContain('7 days: 50 %, 1 day: 0 %')
  expect(said).not.toMatch(/daysBefore|\[/)
})
