import { AppError } from '@tour-ops/contract/errors'
import { listOutbox, retryDelivery } from '@tour-ops/contract/notifications/notifications'
import { type Verb, verb } from '../../platform/verb.ts'
import { requeueDelivery, selectOutbox, selectOutboxFigures } from './outbox-store.ts'

const list = verb(listOutbox, async (call, input) => ({
  ...(await selectOutbox(call, input)),
  figures: await selectOutboxFigures(call),
  delivery: call.channels.delivery,
}))

const retry = verb(retryDelivery, async (call, { id }) => {
  if (await requeueDelivery(call, id)) return { id }
  throw new AppError('not-found', 'There is no failed delivery under this id.')
})

export const notificationVerbs: Verb[] = [list, retry]
