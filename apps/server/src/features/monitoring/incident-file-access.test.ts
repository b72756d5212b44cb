import { linkFile } from '@tour-ops/contract/files'
import { addIncidentFile, removeIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IncidentFiles, incidentVerbOf as verbOf, openIncidentFiles } from '../../../testing/incident-files.ts'
import type { TestCaller } from '../../../testing/world.ts'

let office: IncidentFiles
beforeAll(async () => {
  office = await openIncidentFiles()
})
afterAll(() => office.close())

describe('what is uploaded over the wire', () => {
  test('opens as a picture, small and large, and saves as a document', async () => {
    const { caller, incidentId } = await office.openIncident()
    const { result: picture } = await office.upload(caller, 'incident_file', office.photo, 'car-park.jpg')
    const { result: seats } = await office.upload(caller, 'incident_file', office.table, 'seats.csv')
    for (const file of [picture, seats]) {
      await caller.call(verbOf(addIncidentFile), {
        incidentId,
        fileId: file?.id ?? '',
      })
    }
    const small = await office.server.fetch(await office.urlOf(caller, picture?.id ?? '', 'small'))
    expect(small.headers.get('content-type')).toBe('image/webp')
    const { width } = await sharp(Buffer.from(await small.arrayBuffer())).metadata()
    expect(width).toBe(192)
    const whole = await office.server.fetch(await office.urlOf(caller, picture?.id ?? '', null))
    expect(Buffer.from(await whole.arrayBuffer()).equals(office.photo)).toBe(true)
    const saved = await office.server.fetch(await office.urlOf(caller, seats?.id ?? '', null))
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;.*seats\.csv$/)
    await expect(caller.call(verbOf(linkFile), { id: seats?.id ?? '', size: 'small' })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('is refused by what it is: a program, a picture that is none, one that is too large, one of a viewer', async () => {
    const { caller } = await office.openIncident()
    const program = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0])
    expect(await office.upload(caller, 'incident_file', program, 'photo.png')).toMatchObject({
      status: 400,
      error: {
        details: {
          reason: 'file_type',
          types: ['png', 'jpeg', 'webp', 'pdf', 'csv', 'xlsx'],
        },
      },
    })
    const broken = Buffer.concat([office.photo.subarray(0, 60), Buffer.alloc(200, 7)])
    expect(await office.upload(caller, 'incident_file', broken, 'broken.jpg')).toMatchObject({
      status: 400,
      error: {
        details: { fieldIssues: { file: [{ code: 'image_unreadable' }] } },
      },
    })
    expect(
      await office.upload(caller, 'incident_file', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), 'large.csv'),
    ).toMatchObject({
      status: 400,
      error: { details: { reason: 'file_too_large' } },
    })
    const viewer = await office.world.as('viewer', { orgId: caller.orgId })
    expect(await office.upload(viewer, 'incident_file', office.photo, 'car-park.jpg')).toMatchObject({
      status: 403,
    })
  })

  test('is saved as what it is, whatever it is called', async () => {
    const { caller } = await office.openIncident()
    for (const [name, content, saved] of [
      ['invoice.bat', office.table, 'invoice.bat.csv'],
      ['page.html', Buffer.from('<script>alert(1)</script>'), 'page.html.csv'],
      ['Bericht.PDF', Buffer.from('%PDF-1.7\n'), 'Bericht.PDF'],
      ['car-park.exe', office.photo, 'car-park.exe.jpg'],
    ] as const) {
      const { result } = await office.upload(caller, 'incident_file', content, name)
      const response = await office.server.fetch(await office.urlOf(caller, result.id))
      expect(response.headers.get('content-disposition')).toMatch(new RegExp(`''${saved}$`))
    }
  })

  test('is gone for who has an address of it, once it is removed', async () => {
    const { caller, incidentId } = await office.openIncident()
    const { id, fileId } = await office.added(caller, incidentId)
    const address = await office.urlOf(caller, fileId, 'large')
    expect((await office.server.fetch(address)).status).toBe(200)
    await caller.call(verbOf(removeIncidentFile), { id })
    expect((await office.server.fetch(address)).status).toBe(404)
  })
})

describe('a file is read', () => {
  test('by who may read the incident and by nobody else', async () => {
    const { caller, incidentId } = await office.openIncident()
    const { fileId } = await office.added(caller, incidentId)
    const read = async (who: TestCaller) => (await who.call(verbOf(linkFile), { id: fileId, size: 'small' })).url
    const { orgId } = caller
    expect(await read(await office.world.as('viewer', { orgId }))).toMatch(/^\/api\/files\/links\//)
    expect(await read(await office.world.as('operations_manager', { orgId }))).toMatch(/^\/api\/files\/links\//)
    // a role without incidents, and a guide, whose own departure it may be about
    for (const role of ['tour_designer', 'guide'] as const) {
      const reader = await office.world.as(role, { orgId })
      await expect(office.roomOf(reader, incidentId)).rejects.toMatchObject({
        code: 'permission-denied',
      })
      await expect(read(reader)).rejects.toMatchObject({
        code: expect.stringMatching(/permission-denied|not-found/),
      })
    }
    await expect(read(await office.world.as('admin'))).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  test('by no link that was made for somebody else', async () => {
    const { caller, incidentId } = await office.openIncident()
    const { fileId } = await office.added(caller, incidentId)
    const viewer = await office.world.as('viewer', { orgId: caller.orgId })
    const url = await office.urlOf(viewer, fileId)
    expect((await office.server.fetch(url)).status).toBe(200)
    const [payload = '', signature = ''] = url.slice('/api/files/links/'.length).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]
    claims[2] = caller.userId
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
    expect((await office.server.fetch(`/api/files/links/${forged}.${signature}`)).status).toBe(403)
    // it works as long as its reader is a member
    await caller.transaction((tx) =>
      sql`update members set status = 'suspended' where org_id = ${caller.orgId} and user_id = ${viewer.userId}`.execute(
        tx,
      ),
    )
    expect((await office.server.fetch(url)).status).toBe(403)
  })
})
