import type { FieldIssue } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import {
  changeWebhook,
  createWebhook,
  listWebhookDeliveries,
  listWebhooks,
  maxWebhooks,
  removeWebhook,
  resendWebhook,
  rotateWebhookSecret,
  testWebhook,
  webhookTest,
} from '@tour-ops/contract/webhooks/webhooks'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { isInside, isTrusted } from '../../platform/http/outside-request.ts'
import { newWebhookSecret } from '../../platform/http/webhook-signature.ts'
import { newId } from '../../platform/ids.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { slowVerb, type Verb, verb } from '../../platform/verb.ts'
import { openSecrets, rotated, sealSecrets } from './webhook-secrets.ts'
import { selectDeliveries, selectWebhooks } from './webhooks-store.ts'

const list = verb(listWebhooks, selectWebhooks)
const deliveries = verb(listWebhookDeliveries, selectDeliveries)

interface Address {
  readonly url: string
  readonly hosts: readonly string[]
}

const addressOf = async (call: MemberCall, { url }: { readonly url: string }): Promise<Address> => ({
  url,
  hosts: call.config.webhookHosts,
})

/** Between two transactions, since a name is looked up. @throws AppError `invalid-argument` at the field of the address. */
async function requireOutside({ url: typed, hosts }: Address): Promise<void> {
  if (!URL.canParse(typed)) throw refusedAddress({ code: 'webhook_address_form' })
  const url = new URL(typed)
  if (url.protocol !== 'https:' && !isTrusted(url, hosts)) throw refusedAddress({ code: 'webhook_address_form' })
  if (await isInside(url, hosts)) throw refusedAddress({ code: 'webhook_private', params: { host: url.host } })
}

const refusedAddress = (issue: FieldIssue) => refuse('entries_refused', undefined, { fields: { url: [issue] } })

const hintOf = (secret: string): string => secret.slice(-4)

const create = slowVerb(createWebhook, {
  look: addressOf,
  work: requireOutside,
  run: async (call, { url, description, events, isOn }) => {
    await requireRoom(call)
    const [id, secret] = [newId(), newWebhookSecret()]
    await sql`
      insert into webhook_endpoints (org_id, id, url, description, event_kinds, is_on, secret_hint)
      values (${call.orgId}, ${id}, ${url}, ${description}, ${events}::text[], ${isOn}, ${hintOf(secret)})`.execute(
      call.tx,
    )
    await sql`insert into webhook_queues (org_id, endpoint_id, secrets_sealed)
      values (${call.orgId}, ${id}, ${sealSecrets(call.sealed, call.orgId, id, { current: secret })})`.execute(call.tx)
    return { id, version: 1, secret }
  },
})

/** Two who add the last one at the same moment wait for each other. */
async function requireRoom({ tx, orgId }: MemberCall): Promise<void> {
  await sql`select from org_settings where org_id = ${orgId} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoints where org_id = ${orgId}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maxWebhooks) throw refuse('too_many_webhooks', { max: maxWebhooks })
}

const change = slowVerb(changeWebhook, {
  look: addressOf,
  work: requireOutside,
  run: async (call, { id, version, url, description, events, isOn }) => {
    await lockEndpoint(call, id, version)
    const { rows } = await sql<{ version: number }>`
      update webhook_endpoints set url = ${url}, description = ${description}, event_kinds = ${events}::text[], is_on = ${isOn},
        off_reason = case when not ${isOn}::boolean then off_reason end
      where org_id = ${call.orgId} and id = ${id} returning version`.execute(call.tx)
    // another address, or one that was repaired: it is tried at once
    if (isOn) await beginAfresh(call, id)
    return { id, version: rows[0]?.version ?? version }
  },
})

const rotate = verb(rotateWebhookSecret, async (call, { id, version }) => {
  await lockEndpoint(call, id, version)
  const { rows: queues } = await sql<{ secrets: Buffer }>`
    select secrets_sealed as secrets from webhook_queues where org_id = ${call.orgId} and endpoint_id = ${id} for update`.execute(
    call.tx,
  )
  const secret = newWebhookSecret()
  const present = queues[0] && openSecrets(call.sealed, call.orgId, id, queues[0].secrets)
  const next = present ? rotated(present, secret, call.clock.now()) : { current: secret }
  await sql`update webhook_queues set secrets_sealed = ${sealSecrets(call.sealed, call.orgId, id, next)}
    where org_id = ${call.orgId} and endpoint_id = ${id}`.execute(call.tx)
  const { rows } = await sql<{ version: number }>`
    update webhook_endpoints set secret_hint = ${hintOf(secret)}, secret_made_at = app_now()
    where org_id = ${call.orgId} and id = ${id} returning version`.execute(call.tx)
  return { id, version: rows[0]?.version ?? version, secret }
})

const remove = verb(removeWebhook, async (call, { id, version }) => {
  await lockEndpoint(call, id, version)
  await sql`delete from webhook_endpoints where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return { id }
})

/** Locks an endpoint until the transaction ends. @throws AppError `not-found`; `aborted` when somebody else has changed it since `seen`. */
async function lockEndpoint(call: MemberCall, id: string, seen: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select version from webhook_endpoints where org_id = ${call.orgId} and id = ${id} for update`.execute(call.tx)
  if (!rows[0]) throw notFound('webhook')
  requireVersion(rows[0], seen, 'webhook')
}

/** The next attempt is made now, and days of failures before it no longer count. */
async function beginAfresh({ tx, orgId }: MemberCall, id: string): Promise<void> {
  await sql`update webhook_queues set failing_since = null, paused_until = null
    where org_id = ${orgId} and endpoint_id = ${id}`.execute(tx)
  await sql`select pg_notify('webhooks', '')`.execute(tx)
}

/** A person looks at it now: whatever pause there is does not count. */
async function sendNow(call: MemberCall, id: string): Promise<void> {
  await sql`update webhook_queues set paused_until = null where org_id = ${call.orgId} and endpoint_id = ${id}`.execute(
    call.tx,
  )
  await sql`select pg_notify('webhooks', '')`.execute(call.tx)
  await call.live.announce(call.tx, 'webhook_endpoints', [id])
}

const test = verb(testWebhook, async (call, { id }) => {
  const { rows } = await sql<{ isOn: boolean }>`
    select is_on as "isOn" from webhook_endpoints where org_id = ${call.orgId} and id = ${id} for key share`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('webhook')
  if (!rows[0].isOn) throw refuse('webhook_off')
  const eventId = newId()
  const body = { id: eventId, type: webhookTest, version: 1, timestamp: call.clock.now().toISOString(), data: {} }
  await sql`insert into webhook_deliveries (org_id, endpoint_id, event_id, kind, body)
    values (${call.orgId}, ${id}, ${eventId}, ${webhookTest}, ${JSON.stringify(body)}::jsonb)`.execute(call.tx)
  await sendNow(call, id)
  return { id }
})

const resend = verb(resendWebhook, async (call, { id }) => {
  const { rows } = await sql<{ endpointId: string; isOn: boolean }>`
    select w.id as "endpointId", w.is_on as "isOn" from webhook_deliveries d join webhook_endpoints w on w.org_id = d.org_id and w.id = d.endpoint_id
    where d.org_id = ${call.orgId} and d.id = ${id} for no key update of d`.execute(call.tx)
  const [found] = rows
  if (!found) throw notFound('delivery')
  if (!found.isOn) throw refuse('webhook_off')
  await sql`update webhook_deliveries set status = 'queued', attempts = 0, next_attempt_at = app_now()
    where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  await sendNow(call, found.endpointId)
  return { id }
})

export const webhookVerbs: Verb[] = [list, create, change, rotate, remove, test, deliveries, resend]
