import { setTimeout as sleep } from 'node:timers/promises'
import { previewImport } from '@tour-ops/contract/imports/imports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amara, file, importDesk, jonas, verbOf } from '../../../testing/imports.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ImportJobData } from './import-run.ts'
import { runImportJob } from './imports-jobs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

test('whichever look into the database fails after a check was stopped, the error ends nothing but the check', async () => {
  const { who, importer } = await importDesk(world)
  const { services, enqueued } = world
  const unheard: unknown[] = []
  const hear = (reason: unknown): void => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  try {
    for (let failing = 1; failing <= 8; failing += 1) {
      const batch = await importer.upload(file(amara, jonas))
      await who.call(verbOf(previewImport), { id: batch.id, version: batch.version })
      let looks = 0
      const transaction: Database['transaction'] = async (scope, run) => {
        const isProgress = scope.action === 'imports-progress'
        if (scope.action === 'imports-preview') looks += 1
        const isFailing = looks === failing && scope.action === 'imports-preview'
        const answer = await services.db.transaction(scope, run)
        if (isFailing) {
          await sleep(30)
          throw new Error('the connection is gone')
        }
        const { rows } = await world.database.ownerPool.query<{ phase: string }>(
          `select phase from import_work where batch_id = $1`,
          [batch.id],
        )
        return isProgress && rows[0]?.phase === 'checking' ? (false as typeof answer) : answer
      }
      await runImportJob(
        { ...services, db: { ...services.db, transaction } },
        'preview',
        enqueued.at(-1)?.data as ImportJobData,
        // the look with which the run ends itself: the job is tried again
      ).catch(() => undefined)
      await sleep(60)
    }
  } finally {
    process.off('unhandledRejection', hear)
  }
  expect(unheard).toEqual([])
})
