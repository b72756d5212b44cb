import { createHash } from 'node:crypto'
import { isLocale, type Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import { choiceOf, maySayMore } from '../../platform/channels/opt-out-words.ts'
import { optAddress } from '../../platform/channels/opt-outs.ts'
import type { PhoneAnswer, PhoneMessage } from '../../platform/channels/phone-answers.ts'
import type { PhoneChannelRow } from '../../platform/channels/phone-channels.ts'
import { writeReceipt } from '../../platform/channels/phone-receipts.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { NoticeCall } from '../../platform/notices.ts'
import { writeAsGuest } from '../../platform/operations/guest-writes.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/** What became of an answer. `unknown`: no text, or no guest, that it belongs to. */
export type AnswerOutcome = 'taken' | 'repeated' | 'unknown' | 'too_many'

/**
 * Writes what a provider says: what became of a text, that somebody wants fewer of them or all again, or what a guest answers, which goes into the
 * thread of their booking. The same answer is written once; its key is stored with it for two days.
 */
export async function takePhoneAnswer(
  call: NoticeCall,
  channel: Pick<PhoneChannelRow, 'id' | 'channel'>,
  answer: PhoneAnswer,
): Promise<AnswerOutcome> {
  const { tx, orgId } = call
  if (!(await claim(tx, orgId, channel.id, answer))) return 'repeated'
  if (answer.kind === 'message') return takeMessage(call, answer)
  return (await writeReceipt(tx, orgId, channel.channel, answer)) ? 'taken' : 'unknown'
}

/** True for the first of two that come at once, too: the second waits here for the end of the first. */
async function claim(tx: Tx, orgId: string, channelId: string, { kind, key }: PhoneAnswer): Promise<boolean> {
  const digest = createHash('sha256').update(`phone-answer\n${channelId}\n${kind}\n${key}`).digest('hex')
  const { rows } = await sql`
    insert into idempotency_keys (org_id, key, callable, request_hash) values (${orgId}, ${digest}, 'phone-answer', ${digest})
    on conflict (org_id, key) do nothing returning key`.execute(tx)
  return rows.length === 1
}

const isNumber = /^\+[1-9]\d{6,14}$/

async function takeMessage(call: NoticeCall, message: PhoneMessage): Promise<AnswerOutcome> {
  const { tx, orgId } = call
  const { channel, from, text } = message
  if (!isNumber.test(from)) return 'unknown'
  const bookingId = await bookingOfNumber(tx, orgId, from)
  const choice = message.choice ?? choiceOf(text)
  if (choice !== null) {
    // also of a number that no booking has yet: its owner has said it
    const said = { channel, address: from, bookingId, isByText: true }
    await optAddress(tx, orgId, said, choice === 'stop')
    if (bookingId === null || !maySayMore(text)) return 'taken'
  }
  if (bookingId === null) return 'unknown'
  const body = await bodyOf(tx, orgId, message)
  if (body === '') return 'taken'
  return (await writeAsGuest(call, bookingId, { body, channel })) ? 'taken' : 'too_many'
}

/** So long after the end of a tour an answer still belongs to it: a lost jacket, the question how it was. */
const daysAfter = 30

/**
 * The booking that the owner of a number most likely means: as its contact or one of its guests, of the tour that runs, else of the next one, else of
 * the last one. Ended bookings come after the others: a guest answers a cancellation too.
 */
async function bookingOfNumber(tx: Tx, orgId: string, number: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select b.id from (
        select id from bookings where org_id = ${orgId} and contact_phone = ${number}
        union select e.booking_id from travelers t join manifest_entries e on e.org_id = t.org_id and e.traveler_id = t.id
          where t.org_id = ${orgId} and t.phone = ${number}) known
      join bookings b on b.org_id = ${orgId} and b.id = known.id
      join departures d on d.org_id = b.org_id and d.id = b.departure_id
    where d.ends_at > app_now() - make_interval(days => ${daysAfter})
    order by d.ends_at < app_now(), b.status in ${statuses.ended},
      case when d.ends_at < app_now() then - extract(epoch from d.ends_at) else extract(epoch from d.starts_at) end, b.created_at desc, b.id
    limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** Longest text of a thread; see migration 0479. Characters. */
const maxBody = 4096

const filesNotes: Readonly<Record<Locale, string>> = {
  en: '[With a picture or file, which is at the provider only.]',
  de: '[Mit Bild oder Datei, nur beim Anbieter abrufbar.]',
  es: '[Con una imagen o un archivo, que solo está en el proveedor.]',
}

/** As it is stored: without what PostgreSQL cannot store, and with a note about files in the language of the office. */
async function bodyOf(tx: Tx, orgId: string, { text, hasFiles }: PhoneMessage): Promise<string> {
  const typed = text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  const note = hasFiles ? filesNotes[await localeOf(tx, orgId)] : ''
  return Array.from([typed, note].filter((part) => part !== '').join('\n'))
    .slice(0, maxBody)
    .join('')
}

async function localeOf(tx: Tx, orgId: string): Promise<Locale> {
  const { rows } = await sql<{ locale: string }>`select locale from org_settings where org_id = ${orgId}`.execute(tx)
  const locale = rows[0]?.locale.slice(0, 2) ?? ''
  return isLocale(locale) ? locale : 'en'
}
