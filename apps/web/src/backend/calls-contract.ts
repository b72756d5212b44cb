import { errorCodes } from '@tour-ops/contract/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { echoes, forDispatchers, refusesWith, takesLong } from '../../../server/testing/calls.ts'
import type { Backend } from './port.ts'

type Calls = Pick<Backend, 'call'>

/** What an adapter brings to be tested: the callables of `calls-testing.ts` behind it, and people. */
export interface CallsWorld {
  member(role: 'dispatcher' | 'viewer', timeoutMs?: number): Promise<Calls & { readonly userId: string }>
  nobody(): Calls
  /** Behind a line that is dead. */
  unreachable(): Calls
  close(): Promise<void>
}

/** What every adapter promises of calls. */
export function callsContract(adapter: string, setUp: () => Promise<CallsWorld>): void {
  describe(`${adapter} keeps the calls contract`, () => {
    let world: CallsWorld
    beforeAll(async () => {
      world = await setUp()
    }, 120_000)
    afterAll(() => world?.close())

    test('the answer arrives, and a field that is absent stays absent both ways', async () => {
      const answer = await world.nobody().call(echoes, { text: 'Zoë', note: undefined })
      expect(answer).toStrictEqual({ text: 'Zoë' })
    })

    test('the database says what a person may do', async () => {
      const dispatcher = await world.member('dispatcher')
      expect(await dispatcher.call(forDispatchers, {})).toEqual({ userId: dispatcher.userId })
      const viewer = await world.member('viewer')
      await expect(viewer.call(forDispatchers, {})).rejects.toMatchObject({
        name: 'AppError',
        code: 'permission-denied',
        details: { reason: 'missing_permission', permission: 'departures:dispatch' },
      })
    })

    test('nobody is unauthenticated', async () => {
      await expect(world.nobody().call(forDispatchers, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    })

    test.each(errorCodes.filter((code) => code !== 'internal' && code !== 'unauthenticated'))(
      '%s keeps code, words and details, and has a request id',
      async (code) => {
        await expect(world.nobody().call(refusesWith, { code })).rejects.toMatchObject({
          name: 'AppError',
          code,
          message: 'Not now.',
          details: { reason: 'test', requestId: expect.stringMatching(/^[\w-]{8,}$/) as string },
        })
      },
    )

    test('bad input is refused by field', async () => {
      await expect(world.nobody().call(echoes, { text: 'too long' })).rejects.toMatchObject({
        code: 'invalid-argument',
        details: { fieldIssues: { text: [{ code: 'too_long', params: { max: 5 } }] } },
      })
    })

    test('who aborts gets cancelled, who waits too long deadline-exceeded', async () => {
      const impatient = await world.member('viewer', 300)
      await expect(impatient.call(takesLong, {})).rejects.toMatchObject({ code: 'deadline-exceeded' })
      const controller = new AbortController()
      const waiting = world.nobody().call(takesLong, {}, { signal: controller.signal })
      controller.abort()
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    })

    test('a server that nobody reaches is unavailable, which a read may be repeated after', async () => {
      await expect(world.unreachable().call(echoes, { text: 'x' })).rejects.toMatchObject({
        code: 'unavailable',
        details: { reason: 'network' },
      })
    })
  })
}
