import { linkFile, type FileUseName, type StoredFile, type UploadState } from '@tour-ops/contract/files'
import { addIncidentFile, maxIncidentFiles, removeIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { getIncident, noteIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { verbsOf } from '../../../testing/verbs.ts'
import { type TestCaller, testDatabase, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../../platform/clock.ts'
import { filesVerbs } from '../../platform/files/files-verbs.ts'
import { sweepFiles } from '../../platform/files/sweep.ts'
import { newId } from '../../platform/ids.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
let server: TestServer
let photo: Buffer
const clock = movableClock(new Date())
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({
    services: { ...world.services, clock },
    verbs: filesVerbs,
  })
  photo = await sharp({
    create: { width: 400, height: 300, channels: 3, background: '#0B6E4F' },
  })
    .jpeg()
    .toBuffer()
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const verbOf = verbsOf([...monitoringVerbs, ...filesVerbs])
const roomOf = (caller: TestCaller, id: string) => caller.call(verbOf(getIncident), { id })
const table = Buffer.from('name;seat\nAna;4\n')

async function openIncident(title = 'Guest unwell') {
  const caller = await world.as('dispatcher')
  const { id, version } = await caller.call(verbOf(reportIncident), {
    category: 'medical',
    severity: 2,
    title,
  })
  return { caller, incidentId: id, version }
}

/** An address of a file, as the server that has the contents makes it. */
async function urlOf(who: TestCaller, id: string, size: string | null = null): Promise<string> {
  const { body } = await server.call(linkFile, { id, size }, { as: who.caller })
  return (body.result as { url: string }).url
}

/** A content that somebody has uploaded, which no incident has yet. */
async function stored(who: TestCaller, name = 'car-park.jpg', content = photo, use: FileUseName = 'incident_file') {
  const { id } = await who.transaction((tx) =>
    server.files.put(tx, who.orgId, {
      use,
      name,
      content,
      createdBy: who.userId,
    }),
  )
  return id
}

async function added(who: TestCaller, incidentId: string, name?: string, content?: Buffer) {
  const fileId = await stored(who, name, content)
  const { id } = await who.call(verbOf(addIncidentFile), {
    incidentId,
    fileId,
  })
  return { id, fileId }
}

const lineOf = async (who: TestCaller, incidentId: string, id: string) =>
  (await roomOf(who, incidentId)).timeline.find((entry) => entry.id === id)

test('a photo and a table are in the log with name, size, who and when', async () => {
  const { caller, incidentId } = await openIncident()
  const picture = await added(caller, incidentId)
  const seats = await added(caller, incidentId, 'Sitzplan März.csv', table)
  expect(await lineOf(caller, incidentId, picture.id)).toMatchObject({
    kind: 'file',
    text: 'car-park.jpg',
    authorName: 'Test dispatcher',
    at: expect.any(String),
    file: {
      id: picture.fileId,
      size: photo.length,
      contentType: 'image/jpeg',
      mayRemove: true,
    },
  })
  expect(await lineOf(caller, incidentId, seats.id)).toMatchObject({
    text: 'Sitzplan März.csv',
    file: { size: table.length, contentType: 'text/csv' },
  })
  // the other lines have none
  await caller.call(verbOf(noteIncident), {
    id: incidentId,
    text: 'Ambulance is there',
  })
  expect((await roomOf(caller, incidentId)).timeline.filter(({ file }) => file !== null)).toHaveLength(2)
})

test('asked twice, a file is added once', async () => {
  const { caller, incidentId } = await openIncident()
  const { id, fileId } = await added(caller, incidentId)
  expect(await caller.call(verbOf(addIncidentFile), { incidentId, fileId })).toEqual({ id })
  expect((await roomOf(caller, incidentId)).timeline.filter(({ kind }) => kind === 'file')).toHaveLength(1)
})

describe('what is uploaded over the wire', () => {
  const upload = async (who: TestCaller, name: string, content: Buffer) => {
    const asked = {
      data: { use: 'incident_file', name, size: content.length },
    }
    const send = async <T>(method: string, address: string, init: RequestInit = {}) => {
      const response = await server.fetch(address, {
        method,
        as: who.caller,
        ...init,
      })
      return {
        status: response.status,
        ...((await response.json()) as {
          result: T
          error?: { details: object }
        }),
      }
    }
    const begun = await send<UploadState>('POST', '/api/files/uploads', {
      body: JSON.stringify(asked),
    })
    if (begun.status !== 201) return { ...begun, result: undefined }
    const address = `/api/files/uploads/${begun.result.uploadId}`
    await send('PUT', address, {
      body: new Uint8Array(content),
      headers: {
        'content-range': `bytes 0-${content.length - 1}/${content.length}`,
      },
    })
    return send<StoredFile>('POST', `${address}/finish`)
  }

  test('opens as a picture, small and large, and saves as a document', async () => {
    const { caller, incidentId } = await openIncident()
    const { result: picture } = await upload(caller, 'car-park.jpg', photo)
    const { result: seats } = await upload(caller, 'seats.csv', table)
    for (const file of [picture, seats]) {
      await caller.call(verbOf(addIncidentFile), {
        incidentId,
        fileId: file?.id ?? '',
      })
    }
    const small = await server.fetch(await urlOf(caller, picture?.id ?? '', 'small'))
    expect(small.headers.get('content-type')).toBe('image/webp')
    const { width } = await sharp(Buffer.from(await small.arrayBuffer())).metadata()
    expect(width).toBe(192)
    const whole = await server.fetch(await urlOf(caller, picture?.id ?? '', null))
    expect(Buffer.from(await whole.arrayBuffer()).equals(photo)).toBe(true)
    const saved = await server.fetch(await urlOf(caller, seats?.id ?? '', null))
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;.*seats\.csv$/)
    await expect(caller.call(verbOf(linkFile), { id: seats?.id ?? '', size: 'small' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('is refused by what it is: a program, a picture that is none, one that is too large, one of a viewer', async () => {
    const { caller } = await openIncident()
    const program = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0])
    expect(await upload(caller, 'photo.png', program)).toMatchObject({
      status: 400,
      error: {
        details: {
          reason: 'file_type',
          types: ['png', 'jpeg', 'webp', 'pdf', 'csv', 'xlsx'],
        },
      },
    })
    const broken = Buffer.concat([photo.subarray(0, 60), Buffer.alloc(200, 7)])
    expect(await upload(caller, 'broken.jpg', broken)).toMatchObject({
      status: 400,
      error: {
        details: { fieldIssues: { file: [{ code: 'image_unreadable' }] } },
      },
    })
    expect(await upload(caller, 'large.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).toMatchObject({
      status: 400,
      error: { details: { reason: 'file_too_large' } },
    })
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    expect(await upload(viewer, 'car-park.jpg', photo)).toMatchObject({
      status: 403,
    })
  })

  test('is gone for who has an address of it, once it is removed', async () => {
    const { caller, incidentId } = await openIncident()
    const { id, fileId } = await added(caller, incidentId)
    const address = await urlOf(caller, fileId, 'large')
    expect((await server.fetch(address)).status).toBe(200)
    await caller.call(verbOf(removeIncidentFile), { id })
    expect((await server.fetch(address)).status).toBe(404)
  })
})

describe('a file is read', () => {
  test('by who may read the incident and by nobody else', async () => {
    const { caller, incidentId } = await openIncident()
    const { fileId } = await added(caller, incidentId)
    const read = async (who: TestCaller) => (await who.call(verbOf(linkFile), { id: fileId, size: 'small' })).url
    const { orgId } = caller
    expect(await read(await world.as('viewer', { orgId }))).toMatch(/^\/api\/files\/links\//)
    expect(await read(await world.as('operations_manager', { orgId }))).toMatch(/^\/api\/files\/links\//)
    // a role without incidents, and a guide, whose own departure it may be about
    for (const role of ['tour_designer', 'guide'] as const) {
      const reader = await world.as(role, { orgId })
      await expect(roomOf(reader, incidentId)).rejects.toMatchObject({
        code: 'permission-denied',
      })
      await expect(read(reader)).rejects.toMatchObject({
        code: expect.stringMatching(/permission-denied|not-found/),
      })
    }
    await expect(read(await world.as('admin'))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('by no link that was made for somebody else', async () => {
    const { caller, incidentId } = await openIncident()
    const { fileId } = await added(caller, incidentId)
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    const url = await urlOf(viewer, fileId)
    expect((await server.fetch(url)).status).toBe(200)
    const [payload = '', signature = ''] = url.slice('/api/files/links/'.length).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]
    claims[2] = caller.userId
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
    expect((await server.fetch(`/api/files/links/${forged}.${signature}`)).status).toBe(403)
    // it works as long as its reader is a member
    await caller.transaction((tx) =>
      sql`update members set status = 'suspended' where org_id = ${caller.orgId} and user_id = ${viewer.userId}`.execute(
        tx,
      ),
    )
    expect((await server.fetch(url)).status).toBe(403)
  })
})

describe('a file is removed', () => {
  test('by who added it or a manager; the log keeps both lines', async () => {
    const { caller, incidentId } = await openIncident()
    const mine = await added(caller, incidentId)
    const second = await added(caller, incidentId, 'seats.csv', table)
    const colleague = await world.as('dispatcher', { orgId: caller.orgId })
    expect(await lineOf(colleague, incidentId, mine.id)).toMatchObject({
      file: { mayRemove: false },
    })
    await expect(colleague.call(verbOf(removeIncidentFile), { id: mine.id })).rejects.toMatchObject({
      code: 'permission-denied',
      details: { reason: 'incident_file_of_other' },
    })
    const viewer = await world.as('viewer', { orgId: caller.orgId })
    expect(await lineOf(viewer, incidentId, mine.id)).toMatchObject({
      file: { mayRemove: false },
    })
    await expect(viewer.call(verbOf(removeIncidentFile), { id: mine.id })).rejects.toMatchObject({
      code: 'permission-denied',
    })
    const manager = await world.as('operations_manager', {
      orgId: caller.orgId,
    })
    expect(await lineOf(manager, incidentId, second.id)).toMatchObject({
      file: { mayRemove: true },
    })
    await manager.call(verbOf(removeIncidentFile), { id: second.id })
    await caller.call(verbOf(removeIncidentFile), { id: mine.id })
    const { timeline } = await roomOf(caller, incidentId)
    expect(
      timeline
        .filter(({ kind }) => kind.startsWith('file'))
        .map(({ kind, text, authorName, file }) => [kind, text, authorName, file]),
    ).toEqual(
      expect.arrayContaining([
        ['file', 'car-park.jpg', 'Test dispatcher', null],
        ['file', 'seats.csv', 'Test dispatcher', null],
        ['file_removed', 'car-park.jpg', 'Test dispatcher', null],
        ['file_removed', 'seats.csv', 'Test operations_manager', null],
      ]),
    )
    for (const { id, fileId } of [mine, second]) {
      await expect(caller.call(verbOf(linkFile), { id: fileId, size: null })).rejects.toMatchObject({
        code: 'not-found',
      })
      await expect(caller.call(verbOf(removeIncidentFile), { id })).rejects.toMatchObject({ code: 'not-found' })
    }
  })

  test('once, when two remove it at the same moment', async () => {
    const { caller, incidentId } = await openIncident()
    const { id } = await added(caller, incidentId)
    const manager = await world.as('admin', { orgId: caller.orgId })
    const answers = await Promise.allSettled(
      [caller, manager].map((who) => who.call(verbOf(removeIncidentFile), { id })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'not-found' },
    })
    const { timeline } = await roomOf(caller, incidentId)
    expect(timeline.filter(({ kind }) => kind === 'file_removed')).toHaveLength(1)
  })

  test('from no other organization, and no other line is taken for one', async () => {
    const { caller, incidentId } = await openIncident()
    const { id, fileId } = await added(caller, incidentId)
    const stranger = await world.as('admin')
    await expect(stranger.call(verbOf(removeIncidentFile), { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(stranger.call(verbOf(addIncidentFile), { incidentId, fileId })).rejects.toMatchObject({
      code: 'not-found',
    })
    const note = await caller.call(verbOf(noteIncident), {
      id: incidentId,
      text: 'No file',
    })
    await expect(caller.call(verbOf(removeIncidentFile), note)).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('only what the caller has uploaded for an incident is added, and to one incident', async () => {
  const { caller, incidentId } = await openIncident()
  const colleague = await world.as('dispatcher', { orgId: caller.orgId })
  const { id: otherIncident } = await caller.call(verbOf(reportIncident), {
    category: 'other',
    severity: 4,
    title: 'Other',
  })
  const { fileId: ofOther } = await added(caller, otherIncident)
  for (const fileId of [
    await stored(colleague),
    await stored(caller, 'guests.csv', table, 'import'),
    newId(),
    ofOther,
  ]) {
    await expect(caller.call(verbOf(addIncidentFile), { incidentId, fileId })).rejects.toMatchObject({
      code: 'not-found',
    })
  }
})

test('a merged incident keeps its files, and they are read in the log of the other', async () => {
  const { caller, incidentId, version } = await openIncident()
  const { id, fileId } = await added(caller, incidentId)
  const other = await caller.call(verbOf(reportIncident), {
    category: 'medical',
    severity: 2,
    title: 'Guest collapsed',
  })
  await caller.call(verbOf(mergeIncident), {
    id: incidentId,
    version,
    intoId: other.id,
  })
  for (const room of [incidentId, other.id]) {
    expect(await lineOf(caller, room, id)).toMatchObject({ file: { id: fileId, mayRemove: false } })
  }
  expect(await lineOf(caller, other.id, id)).toMatchObject({
    incident: { id: incidentId },
    file: { mayRemove: false },
  })
  expect((await caller.call(verbOf(linkFile), { id: fileId, size: 'small' })).url).toBeTruthy()
  const refused = { code: 'aborted', details: { reason: 'incident_merged' } }
  await expect(caller.call(verbOf(removeIncidentFile), { id })).rejects.toMatchObject(refused)
  const late = await stored(caller)
  await expect(caller.call(verbOf(addIncidentFile), { incidentId, fileId: late })).rejects.toMatchObject(refused)
  await expect(
    caller.transaction((tx) => sql`update incident_entries set file_id = null where id = ${id}`.execute(tx)),
  ).rejects.toMatchObject(refused)
})

test('an incident has a limit of files, also when two add the last one at the same moment', async () => {
  const { caller, incidentId } = await openIncident()
  await caller.transaction(async (tx) => {
    for (let count = 1; count < maxIncidentFiles; count += 1) {
      const id = newId()
      await sql`insert into files (org_id, id, path, purpose, file_name, content_type, size_bytes, status, created_by)
        values (${caller.orgId}, ${id}, ${id}, 'incident_file', 'a.csv', 'text/csv', 1, 'stored', ${caller.userId})`.execute(
        tx,
      )
      await sql`insert into incident_entries (org_id, id, incident_id, author_id, kind, text, file_id)
        values (${caller.orgId}, ${newId()}, ${incidentId}, ${caller.userId}, 'file', 'a.csv', ${id})`.execute(tx)
    }
  })
  const last = [await stored(caller, 'a.csv', table), await stored(caller, 'b.csv', table)]
  const answers = await Promise.allSettled(
    last.map((fileId) => caller.call(verbOf(addIncidentFile), { incidentId, fileId })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: {
      code: 'aborted',
      details: { reason: 'incident_files_full', max: maxIncidentFiles },
    },
  })
})

test('the schema keeps lines as they were written, and a file that a line has', async () => {
  const { caller, incidentId } = await openIncident()
  const { id, fileId } = await added(caller, incidentId)
  const spare = await stored(caller)
  const run = (statement: ReturnType<typeof sql>) => caller.transaction((tx) => statement.execute(tx))
  await expect(run(sql`update incident_entries set text = 'other' where id = ${id}`)).rejects.toThrow(
    /permission denied/,
  )
  await expect(run(sql`update incident_entries set file_id = ${spare} where id = ${id}`)).rejects.toThrow(
    /only the file is removed/,
  )
  await expect(run(sql`delete from files where id = ${fileId}`)).rejects.toMatchObject({
    details: { reason: 'in_use' },
  })
  await expect(
    run(sql`insert into incident_entries (org_id, id, incident_id, kind, file_id)
      values (${caller.orgId}, ${newId()}, ${incidentId}, 'note', ${spare})`),
  ).rejects.toThrow(/incident_entries_file_has_line/)
})

test('what was uploaded and came into no log is cleared after a day; what a log has stays', async () => {
  const { caller, incidentId } = await openIncident()
  const { fileId } = await added(caller, incidentId)
  const left = await stored(caller, 'left.jpg')
  const has = async (id: string) => {
    const { rows } = await caller.transaction((tx) => sql`select from files where id = ${id}`.execute(tx))
    return rows.length === 1
  }
  await sweepFiles({ ...world.services, clock }, server.files)
  expect(await has(left)).toBe(true)
  clock.set(new Date(Date.now() + 2 * 86_400_000))
  await sweepFiles({ ...world.services, clock }, server.files)
  expect([await has(left), await has(fileId)]).toEqual([false, true])
})
