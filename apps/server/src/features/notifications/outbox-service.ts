import { listOutbox, retryDelivery } from '@tour-ops/contract/notifications/notifications'
import { type Verb, verb } from '../../platform/verb.ts'
import { requeueDelivery, selectOutbox, selectOutboxFigures, selectOutboxPace } from './outbox-store.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

const list = verb(listOutbox, async (call, input) => ({
  ...(await selectOutbox(call, input)),
  ...(await selectOutboxFigures(call)),
  pace: await selectOutboxPace(call),
  delivery: call.channels.delivery,
}))

const retry = verb(retryDelivery, async (call, { id }) => {
  if (await requeueDelivery(call, id)) return { id }
  throw notFound('delivery')
})

export const notificationVerbs: Verb[] = [list, retry]
