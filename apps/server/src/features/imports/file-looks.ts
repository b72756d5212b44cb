import type { MemberCall } from '../../context.ts'
import { recordAccess } from '../../platform/private-fields.ts'
import type { BatchRecord } from './batches-store.ts'
import { FileSight, sensitiveColumnsOf } from './file-sight.ts'

/**
 * Writes into the audit log that the caller sees values of sensitive columns of a file; nothing for those who do not see them.
 *
 * @param action Callable by whose name the access is found.
 * @param headers Columns whose values are shown; without it, all.
 */
export async function recordFileLook(
  call: MemberCall,
  batch: Pick<BatchRecord, 'id' | 'analysis' | 'mapping'>,
  { action, headers = batch.analysis.headers }: { action: string; headers?: readonly string[] },
): Promise<void> {
  const sight = new FileSight(call, batch)
  const sensitive = sensitiveColumnsOf(batch)
  const columns = headers.filter((header) => sensitive.has(header) && !sight.hidesColumn(header))
  if (columns.length === 0) return
  await recordAccess(call, action, { entity: 'import_batches', ids: [batch.id], about: { columns } })
}
