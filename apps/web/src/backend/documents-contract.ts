import type { DatabaseError } from '@tour-ops/contract/database-codes'
import type { JsonObject } from '@tour-ops/contract/live/documents'
import { livePath } from '@tour-ops/contract/live/live-paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Documents, TargetSnapshot } from './documents-port.ts'

/** A signed-in member with documents of their own connection. */
export interface ContractMember {
  readonly userId: string
  readonly orgId: string
  readonly documents: Documents
}

/** What an adapter brings to be tested: the service behind it, and people in it. */
export interface DocumentsWorld {
  /** A dispatcher of a new organization, or of the one named. */
  member(orgId?: string): Promise<ContractMember>
  /** The server writes a notice into somebody's inbox, or removes it. */
  notify(member: ContractMember, messageId: string, data: JsonObject | null): Promise<void>
  /** A record of the topic `bookings` changed. */
  change(orgId: string, id: string): Promise<void>
  close(): Promise<void>
}

const savedAt = '2026-11-21T10:00:00.000Z'
const draft = (values: JsonObject, baseVersion?: number): JsonObject => ({
  values,
  savedAt,
  ...(baseVersion === undefined ? {} : { baseVersion }),
})
const notice = (title: string): JsonObject => ({ orgId: null, title, body: '', createdAt: savedAt, readAt: null })
const presence = (place: string): JsonObject => ({ name: 'Ada', place, seenAt: new Date().toISOString() })
/** Long, since a machine may do other things as well; nobody waits for it unless something is wrong. */
const within = { timeout: 15_000, interval: 10 }

function follow(documents: Documents, target: string) {
  const heard: TargetSnapshot[] = []
  const errors: DatabaseError['code'][] = []
  const stop = documents.listen(target, {
    next: (snapshot) => heard.push(snapshot),
    error: ({ code }) => errors.push(code),
  })
  return {
    heard,
    errors,
    stop,
    paths: () => heard.at(-1)?.documents.map(({ path }) => path),
    data: () => heard.at(-1)?.documents[0]?.data,
  }
}

/** What every adapter of the documents port promises. */
export function documentsContract(adapter: string, setUp: () => Promise<DocumentsWorld>): void {
  describe(`${adapter} keeps the documents contract`, () => {
    let world: DocumentsWorld
    beforeAll(async () => {
      world = await setUp()
    }, 180_000)
    afterAll(() => world?.close())

    test('what is written is read again; what is not there has no data', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'tour')
      expect(await documents.get(path)).toEqual({ path, data: null, createTime: null, updateTime: null })
      await documents.commit([{ kind: 'set', path, data: draft({ name: 'Douro', list: [1, null, { a: true }] }) }])
      const read = await documents.get(path)
      expect(read.data).toEqual(draft({ name: 'Douro', list: [1, null, { a: true }] }))
      expect(read.updateTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    })

    test('set replaces, merge and update keep the other fields, delete takes away', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'tour')
      await documents.commit([{ kind: 'set', path, data: draft({ a: 1 }, 3) }])
      await documents.commit([{ kind: 'set', path, data: draft({ b: 2 }) }])
      expect((await documents.get(path)).data).toEqual(draft({ b: 2 }))
      await documents.commit([{ kind: 'merge', path, data: { baseVersion: 4 } }])
      await documents.commit([{ kind: 'update', path, data: { values: { c: 3 } } }])
      expect((await documents.get(path)).data).toEqual(draft({ c: 3 }, 4))
      await documents.commit([{ kind: 'delete', path }])
      await documents.commit([{ kind: 'delete', path }])
      expect((await documents.get(path)).data).toBeNull()
    })

    test('a batch is applied as a whole or not at all', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'one')
      const absent = livePath.draft(userId, orgId, 'two')
      await expect(
        documents.commit([
          { kind: 'set', path, data: draft({}) },
          { kind: 'update', path: absent, data: { savedAt } },
        ]),
      ).rejects.toMatchObject({ name: 'DatabaseError', code: 'not-found' })
      expect((await documents.get(path)).data).toBeNull()
    })

    test('a precondition that does not hold refuses the batch', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'tour')
      const first = { kind: 'set', path, data: draft({}), precondition: { exists: false } } as const
      await documents.commit([first])
      await expect(documents.commit([first])).rejects.toMatchObject({ code: 'already-exists' })
      const { updateTime } = await documents.get(path)
      const precondition = { updateTime: updateTime ?? '' }
      await documents.commit([{ kind: 'merge', path, data: { baseVersion: 1 }, precondition }])
      await expect(
        documents.commit([{ kind: 'merge', path, data: { baseVersion: 2 }, precondition }]),
      ).rejects.toMatchObject({ code: 'failed-precondition' })
      expect((await documents.get(path)).data).toEqual(draft({}, 1))
    })

    test('many are read at once, in the order of the question', async () => {
      const { documents, userId, orgId } = await world.member()
      const paths = ['c', 'a', 'b'].map((form) => livePath.draft(userId, orgId, form))
      await documents.commit([{ kind: 'set', path: paths[1] ?? '', data: draft({}) }])
      const read = await documents.batchGet(paths)
      expect(read.map(({ path, data }) => [path, data !== null])).toEqual(paths.map((path, n) => [path, n === 1]))
    })

    test('a query filters, sorts and limits; a count counts', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = (form: string) => livePath.draft(userId, orgId, form)
      await documents.commit([
        { kind: 'set', path: path('a'), data: draft({ kind: 'x' }, 3) },
        { kind: 'set', path: path('b'), data: draft({ kind: 'y' }, 1) },
        { kind: 'set', path: path('c'), data: draft({ kind: 'x' }, 2) },
        { kind: 'set', path: path('d'), data: draft({ kind: 'x' }) },
      ])
      const collection = livePath.drafts(userId)
      const found = async (query: object) =>
        (await documents.query({ collection, ...query })).map((each) => each.path.slice(-1)).join('')
      expect(await found({})).toBe('abcd')
      expect(await found({ orderBy: [{ field: 'baseVersion' }] })).toBe('bca')
      expect(await found({ orderBy: [{ field: 'baseVersion', direction: 'desc' }], limit: 2 })).toBe('ac')
      expect(await found({ where: [{ field: 'values.kind', op: '==', value: 'x' }] })).toBe('acd')
      expect(await found({ where: [{ field: 'baseVersion', op: 'in', value: [1, 2] }] })).toBe('bc')
      expect(await documents.count({ collection, where: [{ field: 'baseVersion', op: '>=', value: 2 }] })).toBe(2)
    })

    test('a document is followed from its present state to its end', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'tour')
      await documents.commit([{ kind: 'set', path, data: draft({ n: 1 }) }])
      const followed = follow(documents, path)
      await expect.poll(followed.data, within).toEqual(draft({ n: 1 }))
      await documents.commit([{ kind: 'set', path, data: draft({ n: 2 }) }])
      await expect.poll(followed.data, within).toEqual(draft({ n: 2 }))
      await documents.commit([{ kind: 'delete', path }])
      await expect.poll(followed.paths, within).toEqual([])
      followed.stop()
    })

    test('a collection is followed as a whole, in the order of the paths, regardless of the writer', async () => {
      const ada = await world.member()
      const ben = await world.member(ada.orgId)
      const collection = livePath.presences(ada.orgId)
      const path = ({ userId }: ContractMember) => livePath.presence(ada.orgId, userId)
      const followed = follow(ada.documents, collection)
      await ben.documents.commit([{ kind: 'set', path: path(ben), data: presence('Map') }])
      await expect.poll(followed.paths, within).toEqual([path(ben)])
      await ada.documents.commit([{ kind: 'set', path: path(ada), data: presence('Overview') }])
      await expect.poll(followed.paths, within).toEqual([path(ada), path(ben)].toSorted())
      await ben.documents.commit([{ kind: 'delete', path: path(ben) }])
      await expect.poll(followed.paths, within).toEqual([path(ada)])
      followed.stop()
    })

    test('a listener that has stopped gets nothing more, the others do', async () => {
      const { documents, userId, orgId } = await world.member()
      const path = livePath.draft(userId, orgId, 'tour')
      await documents.commit([{ kind: 'set', path, data: draft({ n: 1 }) }])
      const [gone, stays] = [follow(documents, path), follow(documents, path)]
      await expect.poll(gone.data, within).toEqual(draft({ n: 1 }))
      await expect.poll(stays.data, within).toEqual(draft({ n: 1 }))
      gone.stop()
      const before = gone.heard.length
      await documents.commit([{ kind: 'set', path, data: draft({ n: 2 }) }])
      await expect.poll(stays.data, within).toEqual(draft({ n: 2 }))
      expect(gone.heard.length).toBe(before)
      stays.stop()
    })

    test('what belongs to others is refused: reading, writing and listening', async () => {
      const ada = await world.member()
      const stranger = await world.member()
      const path = livePath.draft(ada.userId, ada.orgId, 'tour')
      const denied = { name: 'DatabaseError', code: 'permission-denied' }
      await expect(stranger.documents.get(path)).rejects.toMatchObject(denied)
      await expect(stranger.documents.query({ collection: livePath.drafts(ada.userId) })).rejects.toMatchObject(denied)
      await expect(stranger.documents.commit([{ kind: 'set', path, data: draft({}) }])).rejects.toMatchObject(denied)
      const theirs = follow(stranger.documents, livePath.presences(ada.orgId))
      const own = follow(stranger.documents, livePath.inbox(stranger.userId))
      await expect.poll(() => theirs.errors, within).toEqual(['permission-denied'])
      await world.notify(stranger, '1', notice('Hello'))
      await expect.poll(own.data, within).toEqual(notice('Hello'))
      expect(own.errors).toEqual([])
      own.stop()
    })

    test('in a notice only the reading mark can be written', async () => {
      const ada = await world.member()
      const path = livePath.inboxMessage(ada.userId, '1')
      await world.notify(ada, '1', notice('Gate change'))
      await ada.documents.commit([{ kind: 'update', path, data: { readAt: savedAt } }])
      expect((await ada.documents.get(path)).data).toEqual({ ...notice('Gate change'), readAt: savedAt })
      await expect(ada.documents.commit([{ kind: 'update', path, data: { title: 'Forged' } }])).rejects.toMatchObject({
        code: 'permission-denied',
      })
      await world.notify(ada, '1', null)
      expect((await ada.documents.get(path)).data).toBeNull()
    })

    test('a path that stores nothing is an invalid argument', async () => {
      const { documents } = await world.member()
      await expect(documents.get('secrets/all')).rejects.toMatchObject({ code: 'invalid-argument' })
      const followed = follow(documents, 'secrets')
      await expect.poll(() => followed.errors, within).toEqual(['invalid-argument'])
    })

    test('a topic is reported when something changed, with the ids, and not before', async () => {
      const { documents, orgId } = await world.member()
      const followed = follow(documents, livePath.changes(orgId, 'bookings'))
      const calm = follow(documents, livePath.changes(orgId, 'tours'))
      await isLive(documents)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(followed.heard).toEqual([])
      await world.change(orgId, 'one')
      await expect.poll(followed.data, within).toMatchObject({ ids: ['one'], isComplete: true })
      await world.change(orgId, 'two')
      await expect.poll(followed.data, within).toMatchObject({ ids: ['two'], isComplete: true })
      expect(calm.heard).toEqual([])
      followed.stop()
      calm.stop()
    })

    test('the state shows that the server is connected', async () => {
      const { documents, userId } = await world.member()
      const followed = follow(documents, livePath.inbox(userId))
      await isLive(documents)
      followed.stop()
    })
  })
}

async function isLive(documents: Documents): Promise<void> {
  let connection = ''
  const stop = documents.onState((state) => (connection = state.connection))
  await expect.poll(() => connection, within).toBe('live')
  stop()
}
