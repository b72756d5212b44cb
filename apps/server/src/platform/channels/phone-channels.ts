import { type PhoneAdapter, type PhoneChannel, phoneChannels } from '@tour-ops/contract/notifications/phone-channels'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { SealedText } from '../sealed-text.ts'
import type { PhoneTarget } from './phone-adapters.ts'

/** A channel as it is stored. */
export interface PhoneChannelRow {
  readonly id: string
  readonly channel: PhoneChannel
  readonly adapter: PhoneAdapter
  readonly address: string | null
  readonly account: string | null
  readonly sender: string | null
  readonly secret: Buffer
  readonly isPreferred: boolean
  readonly version: number
}

/** The channels that an organization has set up; the one by which guests are reached is the first. */
export async function selectPhoneChannels(tx: Tx, orgId: string): Promise<PhoneChannelRow[]> {
  const { rows } = await sql<PhoneChannelRow>`
    select id, channel, adapter, address, account, sender, secret, is_preferred as "isPreferred", version
    from phone_channels where org_id = ${orgId} order by is_preferred desc, ${inOrder(sql.ref('channel'))}`.execute(tx)
  return rows
}

/** Place of a channel where none is preferred. */
const inOrder = (channel: RawBuilder<unknown>) => sql`array_position(${[...phoneChannels]}::text[], ${channel})`

/** With its secret in clear, to send by it. @throws AppError where it cannot be opened. */
export function targetOf(sealed: SealedText, orgId: string, row: PhoneChannelRow): PhoneTarget {
  const { channel, adapter, address, account, sender } = row
  const secret = sealed.open(row.secret, placeOf(orgId, row.id))
  return { channel, adapter, address, account, sender, secret, answersPath: answersPathOf(orgId, row.id) }
}

/** The channel with this id, for what comes from outside; undefined where there is none. */
export async function selectPhoneChannel(tx: Tx, orgId: string, id: string): Promise<PhoneChannelRow | undefined> {
  return (await selectPhoneChannels(tx, orgId)).find((row) => row.id === id)
}

/** Path at which a provider says what became of texts, and what guests answer. The signature of a request proves who asks, not the path. */
export const answersPathOf = (orgId: string, id: string): string => `/phone/${orgId}/${id}`

/** Where a secret belongs. */
export const placeOf = (orgId: string, id: string) => ({ orgId, column: 'phone_channels.secret' as const, id })

const isPhone = (number: RawBuilder<unknown>) => sql<boolean>`${number} ~ '^\\+[1-9][0-9]{6,14}$'`

/** By which channel somebody is reached: by e-mail where there is an address, else by phone where that is set up; null: not at all. @param alias Of a table with `org_id`. */
export const channelTo = (
  alias: string,
  email: string,
  phone: string,
): RawBuilder<'email' | PhoneChannel | null> => sql<'email' | PhoneChannel | null>`
  (case when ${sql.ref(`${alias}.${email}`)} is not null then 'email' when ${isPhone(sql.ref(`${alias}.${phone}`))} then (
    select p.channel from phone_channels p where p.org_id = ${sql.ref(`${alias}.org_id`)} order by p.is_preferred desc, ${inOrder(sql.ref('p.channel'))} limit 1) end)`

/** By which channel the contact of a booking `b` is reached. */
export const reachedBy = channelTo('b', 'contact_email', 'contact_phone')

/** The address of the contact on that channel. */
export const reachedAt = sql<
  string | null
>`(case when b.contact_email is not null then b.contact_email else b.contact_phone end)`
