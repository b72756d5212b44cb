import { expect, test } from 'vitest'
import { PasskeyOffer } from './passkey-offer.ts'

/** An offer whose questions wait until they are answered or withdrawn; `log` has what happened to each. */
function offerWithQuestions() {
  const log: string[] = []
  const answers: (() => void)[] = []
  const offer = new PasskeyOffer(async (signal) => {
    const number = answers.length + 1
    log.push(`asked ${number}`)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    answers.push(resolve)
    signal.addEventListener('abort', () => setTimeout(() => reject(new Error('taken back')), 5))
    await promise.finally(() => log.push(`ended ${number}`))
  })
  return { offer, log, answers }
}

test('a passkey that is used signs in', async () => {
  const { offer, answers } = offerWithQuestions()
  const outcome = offer.make()
  await Promise.resolve()
  answers[0]?.()
  expect(await outcome).toBe(true)
})

test('a withdrawn offer has ended before the next request', async () => {
  const { offer, log } = offerWithQuestions()
  const first = offer.make()
  await Promise.resolve()
  expect(await offer.withdraw()).toBe(false)
  expect(log).toEqual(['asked 1', 'ended 1'])
  expect(await first).toBe(false)
})

test('a second offer begins when the first has ended', async () => {
  const { offer, log, answers } = offerWithQuestions()
  const first = offer.make()
  await Promise.resolve()
  const second = offer.make()
  expect(await first).toBe(false)
  await expect.poll(() => log).toEqual(['asked 1', 'ended 1', 'asked 2'])
  answers[1]?.()
  expect(await second).toBe(true)
})

test('withdrawing an offer that has already signed in reports that', async () => {
  const { offer, answers } = offerWithQuestions()
  void offer.make()
  await Promise.resolve()
  answers[0]?.()
  expect(await offer.withdraw()).toBe(true)
})
