import { retryDelivery } from '@tour-ops/contract/notifications/notifications'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Courier } from '../../platform/channels/courier.ts'
import { guestEnclosures } from '../../platform/operations/guest-enclosures.ts'
import type { MailTransport } from '../../platform/channels/mail-transport.ts'
import type { Database } from '../../platform/db/database.ts'
import { execute } from '../../platform/verb.ts'
import { addMessage } from '../../../testing/messages.ts'
import { phonesOf } from '../../../testing/phone-provider.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { requestMeta, type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { notificationVerbs } from './outbox-service.ts'

// The status of a message with several deliveries.

const retry = verbsOf(notificationVerbs)(retryDelivery)
const log = pino({ level: 'silent' })
const accepting: MailTransport = { send: async () => ({ id: 'taken' }), close: () => undefined }

// PGlite has one connection: nothing happens at the same moment there
describe.runIf(process.env['TEST_DATABASE'] === 'embedded')('at the same moment (runs on PostgreSQL)', () => {
  let world: TestWorld
  let manager: TestCaller
  let owner: pg.Pool
  beforeAll(async () => {
    world = await testDatabase()
    manager = await world.as('operations_manager')
    owner = world.database.ownerPool
  })
  afterAll(() => world.close())

  /** The database, with transactions of `action` that wait before they commit the `nth` time. */
  function pausing(action: string, nth: number): { db: Database; reached: Promise<void>; goOn: () => void } {
    const reached = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    let seen = 0
    const transaction: Database['transaction'] = (scope, run) =>
      world.database.transaction(scope, async (tx) => {
        const result = await run(tx)
        seen += scope.action === action ? 1 : 0
        if (scope.action !== action || seen !== nth) return result
        reached.resolve()
        await mayEnd.promise
        return result
      })
    const db = new Proxy(world.database, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
    })
    return { db, reached: reached.promise, goOn: mayEnd.resolve }
  }

  const statusOf = async (id: string): Promise<unknown> =>
    (await owner.query('select status from messages where id = $1', [id])).rows[0]?.status
  const courier = (db: Database = world.database) =>
    new Courier({
      db,
      log,
      mail: accepting,
      phones: phonesOf(world.services),
      enclose: guestEnclosures('https://ops.example'),
    })
  /** Until the work has ended, or waits for a row that somebody else has locked. */
  async function endedOrWaiting(work: Promise<unknown>): Promise<void> {
    let ended = false
    const watched = work.finally(() => (ended = true))
    watched.catch(() => undefined)
    const waits = async () =>
      ended ||
      (
        await owner.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%messages%'`,
        )
      ).rowCount === 1
    await expect.poll(waits).toBe(true)
  }

  test('a delivery that is sent again while the last other one ends counts as waiting', async () => {
    const message = await addMessage(owner, manager.orgId, 'sending', ['failed', 'queued'])
    const { db, reached, goOn } = pausing(retry.callable.name, 1)
    const id = message.deliveries[0] ?? ''
    const sentAgain = execute({ ...world.services, db }, requestMeta(), manager.caller, retry, { id })
    await reached
    const other = courier().deliverDue()
    await endedOrWaiting(other)
    goOn()
    await Promise.all([sentAgain, other])
    await courier().deliverDue()
    expect(await statusOf(message.id)).toBe('sent')
  })

  test('two last deliveries that end at once are not both treated as waiting', async () => {
    const message = await addMessage(owner, manager.orgId, 'sending', ['queued', 'queued'])
    const later = (at: string) =>
      owner.query(`update deliveries set next_attempt_at = now() + $2 where id = $1`, [message.deliveries[1], at])
    await later('1 hour')
    // the first transaction takes what is due, the second writes what became of it
    const { db, reached, goOn } = pausing('outbox-deliver', 2)
    const one = courier(db).deliverDue()
    await reached
    await later('0')
    const two = courier().deliverDue()
    await endedOrWaiting(two)
    goOn()
    await Promise.all([one, two])
    expect(await statusOf(message.id)).toBe('sent')
  })
})
