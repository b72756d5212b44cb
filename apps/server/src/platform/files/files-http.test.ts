import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { linkFile, type FileUseName } from '@tour-ops/contract/files'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireSecondFactor, testDatabase, type TestCaller, type TestWorld } from '../../../testing/world.ts'
import { movableClock } from '../clock.ts'
import { uploadsTo } from '../../../testing/files-world.ts'
import { testServer, type TestServer } from '../../../testing/http-server.ts'
import { filesVerbs } from './files-verbs.ts'
import type { MadeFile } from './files.ts'
import { imageSizes } from './image-sizes.ts'
import { diskPlaces, workFolder } from './stored-files.ts'
import { sweepFiles } from './sweep.ts'
import type { Incoming } from './uploads.ts'

let world: TestWorld
let server: TestServer
let admin: TestCaller
let logo: Buffer
const clock = movableClock(new Date())
beforeAll(async () => {
  world = await testDatabase()
  server = await testServer({
    services: { ...world.services, clock },
    verbs: filesVerbs,
    env: { FILES_QUOTA_MB: '10' },
  })
  logo = await sharp({ create: { width: 900, height: 300, channels: 4, background: '#FF4B00' } })
    .png()
    .toBuffer()
})
beforeEach(async () => {
  clock.set(new Date())
  admin = await world.as('admin')
})
afterAll(async () => {
  await server.close()
  await world.close()
})

const { ask, announce, sendPiece, finish, upload } = uploadsTo(() => server)
const link = (as: TestCaller, id: string, size: string | null = null) =>
  server.call(linkFile, { id, size }, { as: as.caller })
const urlIn = ({ body }: Awaited<ReturnType<typeof link>>): string => (body.result as { url: string }).url

test('an upload whose bucket does not answer holds no connection', async () => {
  const { result: state } = await announce(admin, 'import', 10)
  const places = diskPlaces(world.services.config)
  const { promise: answered, resolve: answer } = Promise.withResolvers<number>()
  let asked = 0
  const incoming = Object.assign(Object.create(places.incoming) as Incoming, {
    offset: () => {
      asked += 1
      return answered
    },
  })
  const slow = await testServer({
    services: world.services,
    verbs: filesVerbs,
    filePlaces: () => ({ ...places, incoming }),
  })
  const asking = Array.from({ length: 12 }, () =>
    slow.fetch(`/api/files/uploads/${state.uploadId}`, { as: admin.caller }),
  )
  await expect.poll(() => asked).toBe(12)
  expect(await admin.transaction(async () => 'answered')).toBe('answered')
  answer(0)
  for (const each of asking) expect((await each).status).toBe(200)
  await slow.close()
})

const csv = Buffer.from(`first_name;last_name\n${'Ana;Núñez\n'.repeat(150_000)}`)

describe('an upload', () => {
  test('in pieces becomes a file with the same content, private until somebody asks for a link', async () => {
    const { status, result: file } = await upload(admin, 'import', csv, 'Manifest März.csv')
    expect(status).toBe(200)
    expect(file).toMatchObject({
      use: 'import',
      name: 'Manifest März.csv',
      contentType: 'text/csv',
      size: csv.length,
      publicUrls: null,
    })
    const response = await server.fetch(urlIn(await link(admin, file.id)))
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Manifest%20M%C3%A4rz.csv")
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const digest = createHash('sha256')
      .update(Buffer.from(await response.arrayBuffer()))
      .digest('hex')
    expect(digest).toBe(createHash('sha256').update(csv).digest('hex'))
    expect((await server.fetch(`/api/files/public/${admin.orgId}/${file.id}/original`)).status).toBe(404)
  })

  test('is encrypted on the disk while it arrives, also where it is broken off, and nothing is left of it in clear', async () => {
    const folder = workFolder(server.config)
    const onDisk = () =>
      fs.readdirSync(folder).map((name) => ({ name, bytes: fs.readFileSync(path.join(folder, name)) }))
    const { result: state } = await announce(admin, 'import', csv.length)
    await sendPiece(admin, state, csv, 0, 500_001)
    const arriving = onDisk().find(({ name }) => name.startsWith(state.uploadId))
    expect(arriving?.bytes.length).toBe(500_001)
    expect(arriving?.bytes.includes('Ana;')).toBe(false)
    await sendPiece(admin, state, csv, 500_001, 1_000_000)
    expect((await sendPiece(admin, state, csv, 1_000_000, csv.length)).result.offset).toBe(csv.length)
    expect((await finish(admin, state)).result).toMatchObject({ size: csv.length })
    expect(onDisk().filter(({ name, bytes }) => name.startsWith(state.uploadId) || bytes.includes('Ana;'))).toEqual([])
  })

  test('continues where it stopped, and a piece may come twice', async () => {
    const { result: state } = await announce(admin, 'import', csv.length)
    expect(state.offset).toBe(0)
    expect((await sendPiece(admin, state, csv, 0, 700_000)).result.offset).toBe(700_000)
    const head = await server.fetch(`/api/files/uploads/${state.uploadId}`, { method: 'HEAD', as: admin.caller })
    expect(head.headers.get('upload-offset')).toBe('700000')
    expect((await sendPiece(admin, state, csv, 500_000, 1_200_000)).result.offset).toBe(1_200_000)
    expect(await sendPiece(admin, state, csv, 1_300_000, 1_400_000)).toMatchObject({
      status: 400,
      error: { details: { reason: 'upload_gap' } },
    })
    expect(await finish(admin, state)).toMatchObject({
      status: 400,
      error: { details: { reason: 'upload_incomplete' } },
    })
    await sendPiece(admin, state, csv, 1_200_000, csv.length)
    const first = await finish(admin, state)
    const second = await finish(admin, state)
    expect(first.result.size).toBe(csv.length)
    expect(second.result).toEqual(first.result)
  })

  test('belongs to the person who began it', async () => {
    const colleague = await world.as('admin', { orgId: admin.orgId })
    const stranger = await world.as('admin')
    const { result: state } = await announce(admin, 'import', csv.length)
    for (const other of [colleague, stranger]) {
      const gone = { status: 404, error: { status: 'NOT_FOUND', details: { storageCode: 'object-not-found' } } }
      expect(await sendPiece(other, state, csv, 0, 1000)).toMatchObject(gone)
      expect(await finish(other, state)).toMatchObject(gone)
    }
  })

  test('needs a sign-in and the permission of its use', async () => {
    const guide = await world.as('guide', { orgId: admin.orgId })
    expect(await announce(guide, 'organization_logo', 100)).toMatchObject({
      status: 403,
      error: { status: 'PERMISSION_DENIED', details: { storageCode: 'unauthorized', permission: 'settings:manage' } },
    })
    expect(await announce(undefined, 'import', 100)).toMatchObject({
      status: 401,
      error: { status: 'UNAUTHENTICATED', details: { storageCode: 'unauthorized' } },
    })
  })

  test('larger than its use allows, or than what is left, is refused before its content', async () => {
    expect(await announce(admin, 'organization_logo', 6 * 1024 * 1024)).toMatchObject({
      status: 400,
      error: { details: { fieldErrors: { file: ['The file is too large: at most 5 MB.'] } } },
    })
    await announce(admin, 'import', 8 * 1024 * 1024)
    expect(await announce(admin, 'import', 3 * 1024 * 1024)).toMatchObject({
      status: 429,
      error: { status: 'RESOURCE_EXHAUSTED', details: { storageCode: 'quota-exceeded' } },
    })
  })

  test('with more content than announced is refused', async () => {
    const { result: state } = await announce(admin, 'import', 10)
    expect(await sendPiece(admin, { ...state, size: 20 }, csv, 0, 20)).toMatchObject({ status: 400 })
    const lying = await ask('PUT', `/api/files/uploads/${state.uploadId}`, admin, {
      body: new Uint8Array(csv.subarray(0, 50)),
      headers: { 'content-range': 'bytes 0-9/10' },
    })
    expect(lying).toMatchObject({ status: 400, error: { details: { reason: 'upload_too_long' } } })
  })

  test('whose finish was given up may be finished later', async () => {
    const { result: state } = await announce(admin, 'organization_logo', logo.length)
    await sendPiece(admin, state, logo, 0, logo.length)
    const edge = 4_000
    const raw = { width: edge, height: edge, channels: 3 } as const
    const slow = path.join(workFolder(world.services.config), 'slow.png')
    fs.mkdirSync(path.dirname(slow), { recursive: true })
    await sharp(randomBytes(edge * edge * 3), { raw })
      .png({ compressionLevel: 1 })
      .toFile(slow)
    const before = imageSizes({ file: slow, orgId: admin.orgId, signal: new AbortController().signal }, { small: 64 })
    const away = new AbortController()
    const left = server.fetch(`/api/files/uploads/${state.uploadId}/finish`, {
      method: 'POST',
      as: admin.caller,
      signal: away.signal,
    })
    setTimeout(() => away.abort(), 100)
    await expect(left).rejects.toThrow('aborted')
    await before
    await expect.poll(() => server.lines.filter(({ status }) => status === 499)).toHaveLength(1)
    expect(await finish(admin, state)).toMatchObject({ status: 200 })
  })

  test('that is given up leaves nothing', async () => {
    const { result: state } = await announce(admin, 'import', csv.length)
    await sendPiece(admin, state, csv, 0, 1000)
    expect(await ask('DELETE', `/api/files/uploads/${state.uploadId}`, admin)).toMatchObject({ status: 200 })
    expect(await sendPiece(admin, state, csv, 1000, 2000)).toMatchObject({ status: 404 })
    expect(fs.readdirSync(workFolder(server.config)).join(' ')).not.toContain(state.uploadId)
  })
})

describe('content', () => {
  const workbook = Buffer.from(
    zipSync({ '[Content_Types].xml': new Uint8Array(3), 'xl/workbook.xml': new Uint8Array(9) }),
  )
  // all of its bytes are letters as well
  const report = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n')
  const program = Buffer.concat([Buffer.from('7f454c46', 'hex'), randomBytes(500)])

  test.each<[string, FileUseName, Buffer, string | null]>([
    ['a workbook called .csv', 'import', workbook, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a text in Windows-1252', 'import', Buffer.from('Name;Ort\nJos\xe9;M\xfcnchen\n', 'latin1'), 'text/csv'],
    ['a program called .csv', 'import', program, null],
    ['four bytes of a program', 'import', Buffer.from('7f454c46', 'hex'), null],
    ['a police report', 'incident_file', report, 'application/pdf'],
    ['a report instead of a table', 'import', report, null],
    ['an archive without a workbook', 'import', Buffer.from(zipSync({ 'a.txt': new Uint8Array(3) })), null],
    ['a page called .png', 'organization_logo', Buffer.from('<svg onload="alert(1)"/>'), null],
    ['half a picture', 'organization_logo', Buffer.from('89504e470d0a1a0a0000', 'hex'), null],
  ])('%s is what it is by its bytes', async (_what, use, content, contentType) => {
    const { status, result, error } = await upload(admin, use, content, 'innocent.csv')
    if (contentType) expect({ status, contentType: result.contentType }).toEqual({ status: 200, contentType })
    else
      expect({ status, fields: Object.keys(error.details['fieldErrors'] as object) }).toEqual({
        status: 400,
        fields: ['file'],
      })
  })
})

describe('a logo', () => {
  test('has sizes with lasting addresses that anybody may load', async () => {
    const { result } = await upload(admin, 'organization_logo', logo, 'logo.png')
    expect(Object.keys(result.publicUrls ?? {}).toSorted()).toEqual(['large', 'medium', 'small'])
    const response = await fetch(server.base + (result.publicUrls?.['medium'] ?? ''))
    expect(response.headers.get('cache-control')).toContain('immutable')
    const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    expect({ width, height, format }).toEqual({ width: 256, height: 85, format: 'webp' })
  })
})

describe('a link', () => {
  test('is over after some minutes, and cannot be changed', async () => {
    const { result } = await upload(admin, 'import', csv)
    const url = urlIn(await link(admin, result.id))
    expect((await server.fetch(url, { method: 'HEAD' })).status).toBe(200)
    expect((await server.fetch(`${url.slice(0, -3)}AAA`)).status).toBe(403)
    const longer = [admin.orgId, result.id, admin.userId, null, Date.now() + 1e9]
    const other = Buffer.from(JSON.stringify(longer)).toString('base64url')
    expect((await server.fetch(url.replace(/links\/[^.]+/, `links/${other}`))).status).toBe(403)
    clock.set(new Date(Date.now() + 7 * 60_000))
    const over = await ask('GET', url, undefined)
    expect(over).toMatchObject({ status: 403, error: { details: { storageCode: 'unauthorized' } } })
  })

  test('works while the person who asked for it is a member', async () => {
    const { result } = await upload(admin, 'staff_photo', logo)
    const viewer = await world.as('viewer', { orgId: admin.orgId })
    const url = urlIn(await link(viewer, result.id))
    expect((await server.fetch(url)).status).toBe(200)
    const setStatus = (status: string) =>
      world.database.ownerPool.query(`
        begin; select set_config('app.org_id', '${viewer.orgId}', true);
        update members set status = '${status}' where user_id = '${viewer.userId}'; commit`)
    await setStatus('suspended')
    expect((await server.fetch(url)).status).toBe(403)
    expect(await link(viewer, result.id)).toMatchObject({ status: 403 })
    await setStatus('active')
    expect((await server.fetch(url)).status).toBe(200)
  })

  test('is closed from the moment on that the organization asks for a second factor which the session has not', async () => {
    const { result } = await upload(admin, 'staff_photo', logo)
    const url = urlIn(await link(admin, result.id))
    await requireSecondFactor(admin, ['admin'], '2031-01-01')
    expect((await server.fetch(url)).status).toBe(200)
    await requireSecondFactor(admin, ['admin'], '2026-01-01')
    expect(await ask('GET', url, undefined)).toMatchObject({
      status: 403,
      error: { details: { reason: 'second_factor_required' } },
    })
    expect(await announce(admin, 'staff_photo', logo.length)).toMatchObject({
      status: 403,
      error: { details: { reason: 'second_factor_required' } },
    })
  })

  test('is given to members of the organization with the permission of the use', async () => {
    const { result } = await upload(admin, 'import', csv)
    const viewer = await world.as('viewer', { orgId: admin.orgId })
    expect(await link(viewer, result.id)).toMatchObject({ status: 403 })
    expect(await link(await world.as('admin'), result.id)).toMatchObject({ status: 404 })
    const photo = await upload(admin, 'staff_photo', logo)
    expect(urlIn(await link(viewer, photo.result.id, 'small'))).toContain('/api/files/links/')
    expect(await link(viewer, photo.result.id, 'enormous')).toMatchObject({ status: 404 })
  })
})

describe('files made by the server', () => {
  const csvOfServer = { use: 'import', name: 'a.csv', content: Buffer.from('a;b\n1;2\n') } as const
  const made = (file: Pick<MadeFile, 'use' | 'name' | 'content'> = csvOfServer) =>
    admin.transaction((tx) => server.files.put(tx, admin.orgId, { ...file, createdBy: null }))
  const folder = () => path.join(server.config.dataDir, 'files')
  const contents = () =>
    fs
      .readdirSync(folder(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))

  test('are read as they were put', async () => {
    const file = await made()
    const chunks: Buffer[] = []
    for await (const chunk of await server.files.open(admin.orgId, file)) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe('a;b\n1;2\n')
  })

  test('that nobody refers to are cleared after a day, and shared content stays as long as one file has it', async () => {
    const services = { ...world.services, clock, files: server.files }
    const picture = { use: 'organization_logo', name: 'logo.png', content: logo } as const
    const [first, second] = [await made(picture), await made(picture)]
    expect(first.sha256).toBe(second.sha256)
    const kept = () => contents().filter((entry) => entry.name === first.sha256)
    const before = kept().length
    await admin.transaction((tx) => server.files.remove(tx, admin.orgId, first.id))
    clock.set(new Date(Date.now() + 2 * 86_400_000))
    await sweepFiles(services, server.files)
    expect(kept()).toHaveLength(before)
    await admin.transaction((tx) => server.files.remove(tx, admin.orgId, second.id))
    await sweepFiles(services, server.files)
    expect(kept()).toHaveLength(before - 1)
  })

  test('whose content is gone from the disk are reported as missing', async () => {
    const file = await made()
    for (const entry of contents().filter((found) => found.name === file.sealed?.blob.sha256))
      fs.rmSync(path.join(entry.parentPath, entry.name))
    const answer = await ask('GET', urlIn(await link(admin, file.id)), undefined)
    expect(answer).toMatchObject({ status: 404, error: { details: { storageCode: 'object-not-found' } } })
  })
})

test('unknown addresses of files are not found', async () => {
  for (const address of [
    '/api/files',
    '/api/files/uploads/nonsense',
    '/api/files/links/',
    '/api/files/public/%ZZ/1/small',
  ]) {
    expect((await ask('GET', address, admin)).status).toBeGreaterThanOrEqual(403)
  }
})
