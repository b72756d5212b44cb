import { expect, test } from 'vitest'
import { TopicListener } from './topic-listener.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const state = (count: number, ids: string[], secondsAgo = 60) => ({
  version: `1.${count}`,
  ids,
  isComplete: true,
  at: new Date(now - secondsAgo * 1_000).toISOString(),
  count,
})
const listener = () => new TopicListener('orgs/north/changes/tours', () => now)
const told = (topic: TopicListener, data: ReturnType<typeof state> | undefined) => topic.take(data)?.data

test('an old state is no news, a fresh one is', () => {
  expect(told(listener(), state(7, ['a']))).toBeUndefined()
  expect(told(listener(), state(7, ['a'], 9))).toEqual({ version: '1.7', ids: ['a'], isComplete: true })
  expect(told(listener(), undefined)).toBeUndefined()
})

test('the next change is reported with its ids; the same state twice is reported once', () => {
  const topic = listener()
  told(topic, state(7, ['a']))
  expect(told(topic, state(8, ['b']))).toEqual({ version: '1.8', ids: ['b'], isComplete: true })
  expect(told(topic, state(8, ['b']))).toBeUndefined()
})

test('the first change of a topic that was never written is reported', () => {
  const topic = listener()
  told(topic, undefined)
  expect(told(topic, state(1, ['a']))).toMatchObject({ ids: ['a'], isComplete: true })
})

test('after a gap anything may have changed', () => {
  const topic = listener()
  told(topic, state(7, ['a']))
  expect(told(topic, state(9, ['c']))).toEqual({ version: '1.9', ids: [], isComplete: false })
  // the counter starts again when somebody empties the database
  expect(told(topic, state(1, ['d']))).toEqual({ version: '1.1', ids: [], isComplete: false })
})

test('a change that says it is not complete, or says nothing of it, names nothing', () => {
  const topic = listener()
  told(topic, state(7, ['a']))
  const some = { ...state(8, ['b']), isComplete: false }
  expect(told(topic, some)).toEqual({ version: '1.8', ids: [], isComplete: false })
  expect(topic.take({ count: 9, ids: ['c'] })?.data).toEqual({ version: '', ids: [], isComplete: false })
  expect(topic.take({ count: 10, isComplete: true, version: '1.10' })?.data).toEqual({
    version: '1.10',
    ids: [],
    isComplete: true,
  })
})
