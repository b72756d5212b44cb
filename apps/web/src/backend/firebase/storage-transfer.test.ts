import { StorageError, storageCodes } from '@tour-ops/contract/files'
import { getApp, initializeApp } from 'firebase/app'
import * as sdk from 'firebase/storage'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Transfer } from '../upload-task.ts'
import { storageErrorOfFirebase } from './firebase-errors.ts'
import { hostedWorld, type HostedWorld } from './firebase-testing.ts'
import { storageTransfer, type OpenStorage } from './storage-transfer.ts'

let world: HostedWorld
beforeAll(async () => {
  world = await hostedWorld()
})
afterEach(() => {
  world.storage.refuseAll(null)
  world.storage.onPiece = () => undefined
})
afterAll(() => world?.close())

const upload = { uploadId: '1', offset: 0, size: 0, object: 'incoming/north/ada/import/1' }
const content = new Blob([new Uint8Array(700_000)])

let apps = 0
/** Storage of a browser where nobody is signed in; `retryMs` as short as a test has patience. */
function strangersStorage(retryMs = 500): OpenStorage {
  const { project, local } = world.settings
  const app = initializeApp({ apiKey: 'demo', projectId: project.projectId }, `stranger ${(apps += 1)}`)
  const storage = sdk.getStorage(app, `gs://${project.storageBucket}`)
  storage.maxUploadRetryTime = retryMs
  storage.maxOperationRetryTime = retryMs
  sdk.connectStorageEmulator(storage, local!.storage.host, local!.storage.port)
  return { sdk, storage }
}
const run = (signal = new AbortController().signal, opened = strangersStorage()) =>
  storageTransfer(content, async () => opened).run(upload, signal, () => undefined)

describe('codes that the SDK really throws', () => {
  test('unauthorized: the rules let only the person of the path in', async () => {
    await expect(run()).rejects.toMatchObject({ name: 'StorageError', code: 'unauthorized' })
  })

  test('quota-exceeded: the bucket takes no more', async () => {
    world.storage.refuseAll(402)
    await expect(run()).rejects.toMatchObject({ name: 'StorageError', code: 'quota-exceeded' })
  })

  test('retry-limit-exceeded: the bucket answers nothing but errors', async () => {
    world.storage.refuseAll(503)
    await expect(run()).rejects.toMatchObject({ name: 'StorageError', code: 'retry-limit-exceeded' })
  })

  test('object-not-found: there is no object', async () => {
    const { storage } = strangersStorage()
    world.storage.refuseAll(404)
    const error = storageErrorOfFirebase(await sdk.getMetadata(sdk.ref(storage, 'nothing')).catch((e: unknown) => e))
    expect(error).toMatchObject({ name: 'StorageError', code: 'object-not-found' })
  })

  test('canceled: the person gave the upload up', async () => {
    let begin: ((content: Blob) => Transfer) | undefined
    const backend = world.backend({
      files: async (_token, transferOf) => {
        begin = transferOf
        return world.noFiles
      },
    })
    await backend.files()
    await backend.signIn(await world.tokenFor('ada', 'north'))
    const transfer = begin!(content)
    world.storage.onPiece = () => transfer.cancel?.()
    const running = transfer.run(upload, new AbortController().signal, () => undefined)
    await expect(running).rejects.toMatchObject({ name: 'StorageError', code: 'canceled' })
  })
})

test('requests to the bucket are repeated for 2 minutes and an upload for 10, as the backend is composed', async () => {
  const appName = 'browser with files'
  let begin: ((content: Blob) => Transfer) | undefined
  const backend = world.backend({
    appName,
    files: async (_token, transferOf) => {
      begin = transferOf
      return world.noFiles
    },
  })
  await backend.files()
  await backend.signIn(await world.tokenFor('ada', 'north'))
  await begin!(content).run(upload, new AbortController().signal, () => undefined)
  const { maxOperationRetryTime, maxUploadRetryTime } = sdk.getStorage(
    getApp(appName),
    `gs://${world.settings.project.storageBucket}`,
  )
  expect({ maxOperationRetryTime, maxUploadRetryTime }).toEqual({
    maxOperationRetryTime: 120_000,
    maxUploadRetryTime: 600_000,
  })
})

describe('the table of codes', () => {
  test.each(storageCodes)('storage/%s keeps its name', (code) => {
    expect(storageErrorOfFirebase(coded(`storage/${code}`))).toMatchObject({ name: 'StorageError', code })
  })

  test.each([
    ['unauthenticated', 'unauthorized'],
    ['unauthorized-app', 'unauthorized'],
    ['bucket-not-found', 'object-not-found'],
    ['project-not-found', 'object-not-found'],
  ])('storage/%s is told as %s', (bare, code) => {
    expect(storageErrorOfFirebase(coded(`storage/${bare}`))).toMatchObject({ name: 'StorageError', code })
  })

  test('anything else is an internal error', () => {
    expect(storageErrorOfFirebase(coded('storage/invalid-checksum'))).toMatchObject({
      name: 'AppError',
      code: 'internal',
    })
    const known = new StorageError('canceled', 'x')
    expect(storageErrorOfFirebase(known)).toBe(known)
  })
})

const coded = (code: string): Error => Object.assign(new Error('No.'), { code })
