import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import {
  getPhoneChannels,
  type PhoneChannel,
  phoneChannels,
  type PhoneSetup,
  setPhoneChannel,
  testPhoneChannel,
} from '@tour-ops/contract/notifications/phone-channels'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { PhoneError, phoneNetworkOf, sendToPhone } from '../../platform/channels/phone-adapters.ts'
import { newWebhookSecret } from '../../platform/http/webhook-signature.ts'
import {
  answersPathOf,
  type PhoneChannelRow,
  placeOf,
  selectPhoneChannels,
  targetOf,
} from '../../platform/channels/phone-channels.ts'
import { newId } from '../../platform/ids.ts'
import { publicOriginOf } from '../../platform/loopback.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { slowVerb, type Verb, verb } from '../../platform/verb.ts'

const find = (rows: readonly PhoneChannelRow[], channel: PhoneChannel) => rows.find((row) => row.channel === channel)

const off = {
  adapter: 'off',
  address: null,
  account: null,
  sender: null,
  answersAt: null,
  isPreferred: false,
  version: 0,
} as const

function setupOf(
  { orgId, config }: Pick<MemberCall, 'orgId' | 'config'>,
  channel: PhoneChannel,
  row: PhoneChannelRow | undefined,
): PhoneSetup {
  if (!row) return { channel, ...off }
  const { id, adapter, address, account, sender, isPreferred, version } = row
  const origin = publicOriginOf(config.publicUrl)
  const answersAt = origin === null ? null : origin + answersPathOf(orgId, id)
  return { channel, adapter, address, account, sender, answersAt, isPreferred, version }
}

const get = verb(getPhoneChannels, async (call) => {
  const rows = await selectPhoneChannels(call.tx, call.orgId)
  return { channels: phoneChannels.map((channel) => setupOf(call, channel, find(rows, channel))) }
})

type Entries = Given<typeof setPhoneChannel>

/** One administrator after another: which channel is preferred is said in two rows. */
const set = verb(setPhoneChannel, async (call, entries) => {
  const { tx, orgId } = call
  const { channel, adapter, isPreferred } = entries
  await sql`select from org_settings where org_id = ${orgId} for no key update`.execute(tx)
  const rows = await selectPhoneChannels(tx, orgId)
  const before = find(rows, channel)
  requireVersion({ version: before?.version ?? 0 }, entries.version, 'settings')
  if (adapter === 'off') {
    await sql`delete from phone_channels where org_id = ${orgId} and channel = ${channel}`.execute(tx)
    return { setup: setupOf(call, channel, undefined), secret: null }
  }
  if (isPreferred) {
    await sql`update phone_channels set is_preferred = false where org_id = ${orgId} and channel <> ${channel} and is_preferred`.execute(
      tx,
    )
  }
  const made = adapter === 'webhook' ? webhookSecret(entries, before) : null
  const secret = made ?? (adapter === 'twilio' ? providerToken(entries, before) : undefined)
  await store(call, entries, before, secret)
  return { setup: setupOf(call, channel, find(await selectPhoneChannels(tx, orgId), channel)), secret: made }
})

/** Null where the one that is stored goes on signing. */
const webhookSecret = ({ newSecret }: Entries, before: PhoneChannelRow | undefined): string | null =>
  before?.adapter === 'webhook' && !newSecret ? null : newWebhookSecret()

/** Undefined where the one that is stored stays. A token belongs to one account. */
function providerToken({ token, account }: Entries, before: PhoneChannelRow | undefined): string | undefined {
  if (token !== undefined) return token
  if (before?.adapter === 'twilio' && before.account === account) return undefined
  throw fieldError('token', 'required')
}

/** @param secret The stored one without it. */
async function store(
  { tx, orgId, sealed }: MemberCall,
  { channel, adapter, address, account, sender, isPreferred }: Entries,
  before: PhoneChannelRow | undefined,
  secret: string | undefined,
): Promise<void> {
  const id = before?.id ?? newId()
  const kept = secret === undefined ? before?.secret : sealed.seal(secret, placeOf(orgId, id))
  const target = adapter === 'webhook' ? { address, account: null, sender: null } : { address: null, account, sender }
  await sql`
    insert into phone_channels as p (org_id, id, channel, adapter, address, account, sender, secret, is_preferred)
    values (${orgId}, ${id}, ${channel}, ${adapter}, ${target.address}, ${target.account}, ${target.sender}, ${kept}, ${isPreferred})
    on conflict (org_id, channel) do update set adapter = excluded.adapter, address = excluded.address, account = excluded.account,
      sender = excluded.sender, secret = excluded.secret, is_preferred = excluded.is_preferred`.execute(tx)
}

const testTexts = {
  en: 'This is a test of your tour operations dashboard.',
  de: 'Das ist ein Test Ihrer Tour-Verwaltung.',
  es: 'Esta es una prueba de su panel de operaciones.',
} as const

/** Asked between two transactions: the other side may take its time. */
const test = slowVerb(testPhoneChannel, {
  look: async (call, { channel, version, to }) => {
    const { tx, orgId, sealed, config, clock } = call
    const row = find(await selectPhoneChannels(tx, orgId), channel)
    if (!row) throw notFound('settings')
    requireVersion(row, version, 'settings')
    const { rows } = await sql<{ locale: keyof typeof testTexts }>`
      select locale from org_settings where org_id = ${orgId}`.execute(tx)
    const text = testTexts[rows[0]?.locale ?? 'en']
    const target = targetOf(sealed, orgId, row)
    return { target, message: { id: newId(), to, text }, network: phoneNetworkOf(config), at: clock.now() }
  },
  work: async ({ target, message, network, at }, signal) => {
    try {
      await sendToPhone(target, message, network, at, signal)
      return { fault: null, answer: null }
    } catch (error) {
      if (!(error instanceof PhoneError)) throw error
      return { fault: error.fault, answer: error.message }
    }
  },
  run: async (_call, _input, made) => made,
})

export const phoneChannelVerbs: Verb[] = [get, set, test]
