import { getOutboxPace, listOutbox, paceMinutes, retryDelivery } from '@tour-ops/contract/notifications/notifications'
import { type Verb, verb } from '../../platform/verb.ts'
import { requeueDelivery, selectOutbox, selectOutboxFigures, selectOutboxPace } from './outbox-store.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

const list = verb(listOutbox, async (call, input) => ({
  ...(await selectOutbox(call, input)),
  ...(await selectOutboxFigures(call)),
  delivery: call.channels.delivery,
}))

/** One answer for everybody who sees everything; whoever sees a part has their own. */
const pace = verb(getOutboxPace, (call) => {
  const now = call.clock.now()
  const reader = call.scope === 'all' ? null : call.caller.userId
  const sees = [call.orgId, 'outbox-pace', reader, call.channels.delivery]
  return call.answersForAWhile.answer(sees, now.getTime(), paceMinutes * 60_000, async () => ({
    asOf: now.toISOString(),
    ...(await selectOutboxPace(call)),
  }))
})

const retry = verb(retryDelivery, async (call, { id }) => {
  if (await requeueDelivery(call, id)) return { id }
  throw notFound('delivery')
})

export const notificationVerbs: Verb[] = [list, pace, retry]
