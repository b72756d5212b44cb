import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { livePath, type LiveChanges } from '@tour-ops/contract/live-paths'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../testing.ts'
import { newId } from '../ids.ts'
import { listenTo, testToken, type HeardFrame } from './listen-testing.ts'

// PGlite serves one process, so there is nothing to try on it.
const several = inject('embeddedPostgres') !== null

let world: TestWorld
const children: ChildProcess[] = []
beforeAll(async () => {
  world = await testDatabase()
}, 60_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await world?.close()
})

async function startProcess(): Promise<{ url: string; child: ChildProcess }> {
  const { host, port, user, password, database } = world.database.ownerPool.options
  const child = fork(path.join(import.meta.dirname, 'listen-testing-process.ts'), {
    env: { ...process.env, LIVE_DATABASE: JSON.stringify({ host, port, user, password, database }) },
  })
  children.push(child)
  const [url] = (await once(child, 'message')) as [string]
  return { url, child }
}

/** A client that is cut off at random and goes on from its last event, at whatever server answers. */
function restlessClient(urls: readonly string[], member: TestCaller, number: number) {
  const heard: HeardFrame[] = []
  const targets = [livePath.changes(member.orgId, 'suppliers')]
  let lastEventId = ''
  let isOver = false
  let cuts = 0
  const run = async () => {
    for (let turn = number; ; turn += 1) {
      if (isOver) return
      try {
        const resume = lastEventId ? { lastEventId, known: targets } : {}
        const listener = await listenTo(urls[turn % urls.length] ?? '', testToken(member.caller), targets, resume)
        await Promise.race([listener.ended, sleep(30 + ((number * 37 + turn * 53) % 200))])
        listener.cut()
        await listener.ended
        heard.push(...listener.frames)
        lastEventId = listener.lastEventId() || lastEventId
        cuts += 1
      } catch {
        await sleep(20) // the server that was asked has been killed: the next turn asks the other one
      }
    }
  }
  const over = run()
  return {
    ids: () =>
      new Set(
        heard.flatMap(({ frame }) =>
          frame.event === 'document' ? ((frame.data.data as LiveChanges | null)?.ids ?? []) : [],
        ),
      ),
    resets: () => heard.filter(({ frame }) => frame.event === 'reset').length,
    cuts: () => cuts,
    async stop() {
      isOver = true
      await over
    },
  }
}

/**
 * A neighbour's transaction that began before this database had its first change would make every place in its log look pruned: snapshots
 * are those of the whole server.
 */
const changesAreOlderThanEveryTransaction = () =>
  expect
    .poll(
      async () => {
        const { rows } = await world.database.pool.query<{ areKept: boolean }>(
          'select changes_are_kept_since(pg_current_snapshot()) as "areKept"',
        )
        return rows[0]?.areKept
      },
      { timeout: 30_000 },
    )
    .toBe(true)

test.runIf(several)(
  'clients that are cut off, and a server that is killed, lose no change',
  async () => {
    const [first, second] = [await startProcess(), await startProcess()]
    const ada = await world.as('dispatcher')
    await changesAreOlderThanEveryTransaction()
    const clients = Array.from({ length: 20 }, (_, number) => restlessClient([first.url, second.url], ada, number))
    await sleep(500)
    const written: string[] = []
    for (let n = 0; n < 150; n += 1) {
      const id = newId()
      await ada.transaction((tx) =>
        sql`insert into suppliers (org_id, id, name, kind) values (${ada.orgId}, ${id}, ${id}, 'other')`.execute(tx),
      )
      written.push(id)
      if (n === 60) first.child.kill('SIGKILL')
      await sleep(10)
    }
    const missing = () => clients.flatMap((client) => written.filter((id) => !client.ids().has(id)))
    await expect.poll(missing, { timeout: 60_000 }).toEqual([])
    await Promise.all(clients.map((client) => client.stop()))
    expect(clients.reduce((sum, client) => sum + client.cuts(), 0)).toBeGreaterThan(100)
    for (const client of clients) expect(client.resets()).toBe(0)
  },
  120_000,
)
