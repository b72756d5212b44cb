import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveFrame } from '@tour-ops/contract/live/documents'
import { changedIdsLimit, livePath, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { newId } from '../ids.ts'
import { listenTo, testToken, type TestListener } from '../../../testing/listen.ts'
import { beginLongAgo } from '../../../testing/live.ts'

// PGlite serves one process, so there is nothing to try on it.
const several = inject('embeddedPostgres') !== null

let world: TestWorld
const children: ChildProcess[] = []
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await world?.close()
})

async function startProcess(): Promise<{ url: string; child: ChildProcess }> {
  const { host, port, user, password, database } = world.database.ownerPool.options
  const child = fork(path.join(import.meta.dirname, '../../../testing/listen-process.ts'), {
    env: { ...process.env, LIVE_DATABASE: JSON.stringify({ host, port, user, password, database }) },
  })
  children.push(child)
  const [url] = (await once(child, 'message')) as [string]
  return { url, child }
}

/** @param isPatient Longer, where the stream has not become current in the time. */
async function heardFor(listener: TestListener, ms: number, isPatient: boolean): Promise<void> {
  let hasEnded = false
  const ended = listener.ended.then(() => {
    hasEnded = true
  })
  await Promise.race([ended, sleep(ms)])
  const isOver = () => hasEnded || listener.frames.some(({ frame }) => frame.event === 'current')
  if (isPatient) while (!isOver()) await sleep(10)
}

/** A client that is cut off at random and resumes from its last event, at whatever server answers. */
function restlessClient(urls: readonly string[], member: TestCaller, number: number) {
  const ids = new Set<string>()
  let resets = 0
  const targets = [livePath.changes(member.orgId, 'suppliers')]
  let lastEventId = ''
  let isOver = false
  let cuts = 0
  const hear = (frame: LiveFrame): void => {
    if (frame.event === 'reset') resets += 1
    if (frame.event !== 'document') return
    for (const id of (frame.data.data as LiveChanges | null)?.ids ?? []) ids.add(id)
  }
  const run = async () => {
    for (let turn = number; ; turn += 1) {
      if (isOver) return
      try {
        const resume = lastEventId ? { lastEventId, known: targets } : {}
        const askedAt = performance.now()
        const listener = await listenTo(urls[turn % urls.length] ?? '', testToken(member.caller), targets, resume)
        if (listener.status !== 200) throw new Error('The server has not seen the end of former streams yet.')
        // some wherever they are; the others when they have received what they missed, so that a slow machine gets on as well
        const isPatient = turn % 4 >= 2
        // twice as long as it took to get there: on a slow machine the clients would keep the servers from anything but opening streams
        const ms = Math.max(30 + ((number * 37 + turn * 53) % 200), 2 * (performance.now() - askedAt))
        await heardFor(listener, ms, isPatient)
        listener.cut()
        await listener.ended
        for (const { frame } of listener.frames) hear(frame)
        lastEventId = listener.lastEventId() || lastEventId
        cuts += 1
      } catch {
        await sleep(20) // or the server that was asked has been killed: the next turn asks the other one
      }
    }
  }
  const over = run()
  return {
    ids,
    /** Knows where to resume from; what was written before is no change that it can miss. */
    hasPlace: () => lastEventId !== '',
    resets: () => resets,
    cuts: () => cuts,
    async stop() {
      isOver = true
      await over
    },
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

test.runIf(several)(
  'clients that are cut off, and a server that is killed, lose no change',
  async () => {
    await beginLongAgo(world)
    const [first, second] = [await startProcess(), await startProcess()]
    const ada = await world.as('dispatcher')
    const clients = Array.from({ length: 20 }, (_, number) => restlessClient([first.url, second.url], ada, number))
    await expect.poll(() => clients.every((client) => client.hasPlace()), { timeout: 60_000 }).toBe(true)
    const written: string[] = []
    const missing = () => clients.flatMap(({ ids }) => written.filter((id) => !ids.has(id)))
    const cuts = () => sumOf(clients.map((client) => client.cuts()))
    for (let n = 0; n < 150 || cuts() <= 100; n += 1) {
      // more changes at once than are listed by their ids would cause everything to be read again
      while (clients.some(({ ids }) => written.length - ids.size > changedIdsLimit / 2)) await sleep(10)
      const id = newId()
      await ada.transaction((tx) =>
        sql`insert into suppliers (org_id, id, name, kind) values (${ada.orgId}, ${id}, ${id}, 'other')`.execute(tx),
      )
      written.push(id)
      if (n === 60) first.child.kill('SIGKILL')
      await sleep(10)
    }
    await expect.poll(missing, { timeout: 60_000 }).toEqual([])
    await Promise.all(clients.map((client) => client.stop()))
    expect(cuts()).toBeGreaterThan(100)
    for (const client of clients) expect(client.resets()).toBe(0)
  },
  120_000,
)
