import { linkFile } from '@tour-ops/contract/files'
import { addIncidentFile, maxIncidentFiles, removeIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { mergeIncident } from '@tour-ops/contract/monitoring/incident-merge'
import { noteIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IncidentFiles, incidentVerbOf as verbOf, openIncidentFiles } from '../../../testing/incident-files.ts'
import { newId } from '../../platform/ids.ts'
import { sweepOrganizations } from '../../platform/jobs/housekeeping.ts'
import { unusedIncidentFiles } from './incident-files-service.ts'

let office: IncidentFiles
beforeAll(async () => {
  office = await openIncidentFiles()
})
afterAll(() => office.close())

test('a photo and a table are in the log with name, size, who and when', async () => {
  const { caller, incidentId } = await office.openIncident()
  const picture = await office.added(caller, incidentId)
  const seats = await office.added(caller, incidentId, 'Sitzplan März.csv', office.table)
  expect(await office.lineOf(caller, incidentId, picture.id)).toMatchObject({
    kind: 'file',
    text: 'car-park.jpg',
    authorName: 'Test dispatcher',
    at: expect.any(String),
    file: {
      id: picture.fileId,
      size: office.photo.length,
      contentType: 'image/jpeg',
      mayRemove: true,
    },
  })
  expect(await office.lineOf(caller, incidentId, seats.id)).toMatchObject({
    text: 'Sitzplan März.csv',
    file: { size: office.table.length, contentType: 'text/csv' },
  })
  // the other lines have none
  await caller.call(verbOf(noteIncident), {
    id: incidentId,
    text: 'Ambulance is there',
  })
  expect((await office.roomOf(caller, incidentId)).timeline.filter(({ file }) => file !== null)).toHaveLength(2)
})

test('asked twice, a file is added once', async () => {
  const { caller, incidentId } = await office.openIncident()
  const { id, fileId } = await office.added(caller, incidentId)
  expect(await caller.call(verbOf(addIncidentFile), { incidentId, fileId })).toEqual({ id })
  expect((await office.roomOf(caller, incidentId)).timeline.filter(({ kind }) => kind === 'file')).toHaveLength(1)
})

describe('a file is removed', () => {
  test('by who added it or a manager; the log keeps both lines', async () => {
    const { caller, incidentId } = await office.openIncident()
    const mine = await office.added(caller, incidentId)
    const second = await office.added(caller, incidentId, 'seats.csv', office.table)
    const colleague = await office.world.as('dispatcher', { orgId: caller.orgId })
    expect(await office.lineOf(colleague, incidentId, mine.id)).toMatchObject({
      file: { mayRemove: false },
    })
    await expect(colleague.call(verbOf(removeIncidentFile), { id: mine.id })).rejects.toMatchObject({
      code: 'permission-denied',
      details: { reason: 'incident_file_of_other' },
    })
    const viewer = await office.world.as('viewer', { orgId: caller.orgId })
    expect(await office.lineOf(viewer, incidentId, mine.id)).toMatchObject({
      file: { mayRemove: false },
    })
    await expect(viewer.call(verbOf(removeIncidentFile), { id: mine.id })).rejects.toMatchObject({
      code: 'permission-denied',
    })
    const manager = await office.world.as('operations_manager', {
      orgId: caller.orgId,
    })
    expect(await office.lineOf(manager, incidentId, second.id)).toMatchObject({
      file: { mayRemove: true },
    })
    await manager.call(verbOf(removeIncidentFile), { id: second.id })
    await caller.call(verbOf(removeIncidentFile), { id: mine.id })
    const { timeline } = await office.roomOf(caller, incidentId)
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
    const { caller, incidentId } = await office.openIncident()
    const { id } = await office.added(caller, incidentId)
    const manager = await office.world.as('admin', { orgId: caller.orgId })
    const answers = await Promise.allSettled(
      [caller, manager].map((who) => who.call(verbOf(removeIncidentFile), { id })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'not-found' },
    })
    const { timeline } = await office.roomOf(caller, incidentId)
    expect(timeline.filter(({ kind }) => kind === 'file_removed')).toHaveLength(1)
  })

  test('from no other organization, and no other line is taken for one', async () => {
    const { caller, incidentId } = await office.openIncident()
    const { id, fileId } = await office.added(caller, incidentId)
    const stranger = await office.world.as('admin')
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
  const { caller, incidentId } = await office.openIncident()
  const colleague = await office.world.as('dispatcher', { orgId: caller.orgId })
  const { id: otherIncident } = await caller.call(verbOf(reportIncident), {
    category: 'other',
    severity: 4,
    title: 'Other',
  })
  const { fileId: ofOther } = await office.added(caller, otherIncident)
  for (const fileId of [
    await office.stored(colleague),
    await office.stored(caller, 'guests.csv', office.table, 'import'),
    newId(),
    ofOther,
  ]) {
    await expect(caller.call(verbOf(addIncidentFile), { incidentId, fileId })).rejects.toMatchObject({
      code: 'not-found',
    })
  }
})

test('a merged incident keeps its files, and they are read in the log of the other', async () => {
  const { caller, incidentId, version } = await office.openIncident()
  const { id, fileId } = await office.added(caller, incidentId)
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
    expect(await office.lineOf(caller, room, id)).toMatchObject({ file: { id: fileId, mayRemove: false } })
  }
  expect(await office.lineOf(caller, other.id, id)).toMatchObject({
    incident: { id: incidentId },
    file: { mayRemove: false },
  })
  expect((await caller.call(verbOf(linkFile), { id: fileId, size: 'small' })).url).toBeTruthy()
  const refused = { code: 'aborted', details: { reason: 'incident_merged' } }
  await expect(caller.call(verbOf(removeIncidentFile), { id })).rejects.toMatchObject(refused)
  const late = await office.stored(caller)
  await expect(caller.call(verbOf(addIncidentFile), { incidentId, fileId: late })).rejects.toMatchObject(refused)
  await expect(
    caller.transaction((tx) => sql`update incident_entries set file_id = null where id = ${id}`.execute(tx)),
  ).rejects.toMatchObject(refused)
})

test('an incident has a limit of files, also when two add the last one at the same moment', async () => {
  const { caller, incidentId } = await office.openIncident()
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
  const last = [await office.stored(caller, 'a.csv', office.table), await office.stored(caller, 'b.csv', office.table)]
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
  const { caller, incidentId } = await office.openIncident()
  const { id, fileId } = await office.added(caller, incidentId)
  const spare = await office.stored(caller)
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
  const { caller, incidentId } = await office.openIncident()
  const { fileId } = await office.added(caller, incidentId)
  const left = await office.stored(caller, 'left.jpg')
  const has = async (id: string) => {
    const { rows } = await caller.transaction((tx) => sql`select from files where id = ${id}`.execute(tx))
    return rows.length === 1
  }
  const sweep = () => sweepOrganizations({ ...office.world.services, clock: office.clock }, [unusedIncidentFiles])
  await sweep()
  expect(await has(left)).toBe(true)
  office.clock.set(new Date(Date.now() + 2 * 86_400_000))
  await sweep()
  expect([await has(left), await has(fileId)]).toEqual([false, true])
})
