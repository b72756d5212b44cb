import type { Tx } from '../src/platform/db/database.ts'
import { ownRole } from '../src/platform/db/transaction.ts'
import { newId } from '../src/platform/ids.ts'
import type { TestCaller, TestWorld } from './world.ts'

/** Runs statements as the database role of callers with scope `own`, for somebody of the organization. */
export const asOwnRole = <T>(
  { database }: TestWorld,
  { orgId, userId }: Pick<TestCaller, 'orgId' | 'userId'>,
  run: (tx: Tx) => Promise<T>,
): Promise<T> =>
  database.transaction(
    { orgId, actor: { kind: 'user', id: userId }, role: ownRole, action: 'test', requestId: newId() },
    run,
  )
