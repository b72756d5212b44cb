import {
  addPushSubscription,
  browsersPerPerson,
  listPushSubscriptions,
  removePushSubscription,
  testPushSubscription,
} from '@tour-ops/contract/notifications/push-subscriptions'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { vapidKeysOf } from '../../platform/channels/vapid-keys.ts'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { noticedPerson, pushTo } from '../../platform/notices.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface BrowserRow {
  id: string
  name: string
  endpoint: string
  since: Date
}

/** Of the caller, who is the only one to see them; the newest first. */
async function ownBrowsers({ tx, orgId, caller }: MemberCall): Promise<BrowserRow[]> {
  const { rows } = await sql<BrowserRow>`
    select id, name, endpoint, created_at as since from push_subscriptions
    where org_id = ${orgId} and user_id = ${caller.userId} order by created_at desc, id desc`.execute(tx)
  return rows
}

const list = verb(listPushSubscriptions, async (call) => ({
  publicKey: vapidKeysOf(call.config.secret).publicKey,
  browsers: (await ownBrowsers(call)).map((row) => ({ ...row, since: iso(row.since) })),
}))

const add = verb(addPushSubscription, async (call, { subscription }) => {
  const { tx, orgId, caller } = call
  const { endpoint, p256dh, auth, name } = subscription
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions (org_id, id, user_id, name, endpoint, p256dh, auth)
    values (${orgId}, ${newId()}, ${caller.userId}, ${name}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (org_id, user_id, endpoint) do update set name = excluded.name, p256dh = excluded.p256dh, auth = excluded.auth
    returning id`.execute(tx)
  const over = (await ownBrowsers(call)).slice(browsersPerPerson).map((row) => row.id)
  if (over.length > 0)
    await sql`delete from push_subscriptions where org_id = ${orgId} and id = any (${over}::uuid[])`.execute(tx)
  return { id: rows[0]?.id ?? '' }
})

const remove = verb(removePushSubscription, async ({ tx, orgId, caller }, { endpoint }) => {
  const { rows } = await sql<{ id: string }>`
    delete from push_subscriptions where org_id = ${orgId} and user_id = ${caller.userId} and endpoint = ${endpoint} returning id`.execute(
    tx,
  )
  return { removed: rows.length > 0 }
})

const preferencesLink = '/settings/notifications'

const testTexts: Readonly<Record<Locale, { readonly title: string; readonly body: string }>> = {
  en: { title: 'Notices arrive here', body: 'This is a test that you asked for.' },
  de: { title: 'Hinweise kommen hier an', body: 'Das ist ein Test, den Sie verlangt haben.' },
  es: { title: 'Los avisos llegan aquí', body: 'Esta es una prueba que ha pedido.' },
}

/** The way that every notice takes. */
const test = verb(testPushSubscription, async (call, { id }) => {
  const person = await noticedPerson(call, call.caller.userId)
  const browser = person?.browsers.find((one) => one.id === id)
  if (!person || !browser) throw notFound('browser')
  const { name, locale } = person
  await pushTo(call, call.caller.userId, {
    name,
    browser,
    kind: 'push_test',
    link: preferencesLink,
    ...testTexts[locale],
  })
  return { id }
})

export const pushSubscriptionVerbs: Verb[] = [list, add, remove, test]
