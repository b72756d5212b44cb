import type { Callable, In, Out } from '@tour-ops/contract/callable'
import {
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
} from '@tour-ops/contract/webhooks/webhooks'
import { WebhookSender } from '../src/features/webhooks/webhook-sender.ts'
import { webhookVerbs } from '../src/features/webhooks/webhooks-service.ts'
import { newId } from '../src/platform/ids.ts'
import { execute } from '../src/platform/verb.ts'
import { officeWithTour } from './operations.ts'
import { verbsOf } from './verbs.ts'
import { type Received, servicesBeside, type WebhookReceiver } from './webhook-receiver.ts'
import { requestMeta, type TestCaller, type TestWorld } from './world.ts'

const verbOf = verbsOf(webhookVerbs)

const officeOpens = new Date('2030-07-01T10:00:00Z')

/** An office that sells a tour and may send webhooks to a receiver. */
export async function webhookOffice(world: TestWorld, receiver: WebhookReceiver) {
  const office = await officeWithTour(world, officeOpens)
  const { caller, clock } = office
  const services = { ...servicesBeside(world.services, receiver), clock }
  const call = <C extends Callable>(callable: C, input: In<C>, as: TestCaller = caller): Promise<Out<C>> =>
    execute(services, requestMeta(), as.caller, verbOf(callable), input)
  /** Adds an endpoint at a path of its own. */
  const endpoint = async (events: readonly WebhookEvent[] = webhookEvents, path = `/${newId()}`) => {
    const made = await call(createWebhook, { url: `http://${receiver.host}${path}`, events: [...events] })
    return { ...made, path, of: () => endpointState(made.id) }
  }
  const endpointState = async (id: string) => (await call(listWebhooks, {})).rows.find((row) => row.id === id)
  const log = async (endpointId: string): Promise<WebhookDelivery[]> =>
    (await call(listWebhookDeliveries, { filters: { endpointId: [endpointId] }, size: 500 })).rows.toReversed()
  /** One process sends what is due. */
  const send = () => new WebhookSender(services).sendDue()
  const later = (seconds: number) => clock.set(new Date(clock.now().getTime() + seconds * 1000))
  return { ...office, services, call, endpoint, log, send, later }
}

export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly version: number
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What a request tells. */
export const eventIn = ({ text }: Received): SentEvent => JSON.parse(text) as SentEvent
