import { expect, test } from 'vitest'
import { Gathered } from './gathered.ts'

/** Work that ends on demand, and records for whom it was done. */
function workshop() {
  const done: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const work = async (askers: readonly string[]) => {
    done.push(askers)
    await new Promise<void>((resolve) => ends.push(resolve))
    return askers.map((asker) => (asker === 'Mallory' ? { refusal: 'no' } : { answer: `${asker}, ${done.length}` }))
  }
  const gathered = new Gathered<string, string>()
  return {
    done,
    end: () => ends.shift()?.(),
    ask: (asker: string, question = 'board') => gathered.ask(question, asker, work),
  }
}

test('the first one is served at once, those who come meanwhile together by work that begins afterwards', async () => {
  const { ask, done, end } = workshop()
  const first = ask('Ada')
  const others = [ask('Berit'), ask('Mallory'), ask('Cem')]
  expect(done).toEqual([['Ada']])
  end()
  expect(await first).toBe('Ada, 1')
  await expect.poll(() => done).toEqual([['Ada'], ['Berit', 'Mallory', 'Cem']])
  end()
  expect(await Promise.allSettled(others)).toMatchObject([{ value: 'Berit, 2' }, { reason: 'no' }, { value: 'Cem, 2' }])
})

test('another question does not wait', () => {
  const { ask, done } = workshop()
  void ask('Ada')
  void ask('Berit', 'list')
  expect(done).toEqual([['Ada'], ['Berit']])
})

test('what fails fails for those it was for, and the next ones are served', async () => {
  const gathered = new Gathered<string, string>()
  const failing = async (): Promise<never> => {
    throw new Error('away')
  }
  await expect(gathered.ask('board', 'Ada', failing)).rejects.toThrow('away')
  expect(await gathered.ask('board', 'Berit', async () => [{ answer: 'here' }])).toBe('here')
})
