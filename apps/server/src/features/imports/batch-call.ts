import { refuse } from '@tour-ops/contract/refusals'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { getImport } from '@tour-ops/contract/imports/imports'
import type { MemberCall } from '../../context.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { requireVersion } from '../../platform/optimistic-lock.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { type BatchRecord, selectBatch } from './batches-store.ts'
import { batchOf } from './describe-batch.ts'
import { recordFileLook } from './file-looks.ts'
import { selectCorrections } from './corrections-store.ts'
import { selectPlaceNames, selectTours } from './plan-store.ts'
import { ImportSeal } from './import-seal.ts'

/** A batch as its caller may see it. */
export async function describe(call: MemberCall, id: string): Promise<ImportBatch> {
  const batch = await selectBatch(call.tx, call.orgId, id)
  // the first values of a file go when it does
  if (batch.samples !== null) await recordFileLook(call, batch, { action: getImport.name })
  const timeZone = await organizationZone(call)
  const fields = Object.values(batch.mapping.columns)
  const namesTours = fields.includes('tour_code')
  return batchOf(batch, {
    role: call.role,
    seal: new ImportSeal(call.sealed, { orgId: call.orgId, batchId: id }),
    timeZone,
    today: localDateOf(call.clock.now(), timeZone),
    corrections:
      batch.corrections > 0 ? await selectCorrections(call.tx, call.sealed, { orgId: call.orgId, batchId: id }) : [],
    places: fields.includes('pickup_place') ? await selectPlaceNames(call.tx, call.orgId) : [],
    tours: namesTours ? await selectTours(call.tx, call.orgId) : [],
  })
}

/** The batch, if nothing works on it and it is in one of the states. */
export async function idleBatch(
  call: MemberCall,
  id: string,
  version: number,
  statuses: readonly BatchRecord['status'][],
): Promise<BatchRecord> {
  const batch = await selectBatch(call.tx, call.orgId, id)
  requireVersion(batch, version, 'import')
  if (batch.isRunning) {
    throw refuse('already_running')
  }
  if (!statuses.includes(batch.status)) {
    throw refuse('illegal_transition', { machine: 'import_batches', from: batch.status })
  }
  return batch
}
