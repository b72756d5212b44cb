import { expect, test } from 'vitest'
import { WorkSlots } from './work-slots.ts'

const never = new AbortController().signal

/** Work that ends on demand. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const state = { hasBegun: false }
  return {
    state,
    end: resolve,
    run: () => {
      state.hasBegun = true
      return promise
    },
  }
}

test('an organization that reads all it may does not keep others waiting, nor is anybody forgotten', async () => {
  const slots = new WorkSlots({ perOrganization: 1, inAll: 2, waiting: 1 })
  const [first, second, other, last] = [work(), work(), work(), work()]
  const runs = [
    slots.run('a', never, first.run),
    slots.run('a', never, second.run),
    slots.run('b', never, other.run),
    slots.run('c', never, last.run),
  ]
  const begun = () => [first, second, other, last].map((each) => each.state.hasBegun)
  await expect.poll(begun).toEqual([true, false, true, false])
  other.end()
  await expect.poll(begun).toEqual([true, false, true, true])
  first.end()
  await expect.poll(begun).toEqual([true, true, true, true])
  second.end()
  last.end()
  await Promise.all(runs)
})

test('a caller who goes away while waiting never starts, and failed work frees its slot', async () => {
  const slots = new WorkSlots({ perOrganization: 1, inAll: 1, waiting: 1 })
  const [first, gone, next] = [work(), work(), work()]
  const abort = new AbortController()
  const failing = slots.run('a', never, async () => {
    await first.run()
    throw new Error('broken')
  })
  const left = slots.run('b', abort.signal, gone.run)
  const served = slots.run('c', never, next.run)
  abort.abort(new Error('went away'))
  await expect(left).rejects.toThrow('went away')
  first.end()
  await expect(failing).rejects.toThrow('broken')
  next.end()
  await served
  expect(gone.state.hasBegun).toBe(false)
})

test('a call is refused once enough of its organization wait; those of others and jobs wait all the same', async () => {
  const slots = new WorkSlots({ perOrganization: 1, inAll: 1, waiting: 1 })
  const [first, second, other, job] = [work(), work(), work(), work()]
  const runs = [slots.run('a', never, first.run), slots.run('a', never, second.run), slots.run('b', never, other.run)]
  await expect(slots.run('a', never, work().run)).rejects.toMatchObject({
    code: 'resource-exhausted',
    message: expect.stringContaining('Try again in a minute'),
  })
  runs.push(slots.run('a', never, job.run, 'job'))
  for (const each of [first, second, other, job]) each.end()
  await Promise.all(runs)
  expect(job.state.hasBegun).toBe(true)
})
