import { livePath } from '@tour-ops/contract/live/live-paths'
import { isLocale, type Locale } from '@tour-ops/contract/locales'
import { defaultNoticeChannels, type NoticeEvent, OwnPreferences } from '@tour-ops/contract/settings/settings'
import { sql } from 'kysely'
import type { Services } from '../context.ts'
import type { Tx } from './db/database.ts'
import { newId } from './ids.ts'

/** A notice in one language. */
export interface NoticeText {
  readonly title: string
  readonly body: string
}

export interface Notice {
  readonly event: NoticeEvent
  /** Path of our own that shows more. */
  readonly link: string
  /** Stored as text, so it is written when it is sent, in the language of the person. */
  readonly text: (locale: Locale) => NoticeText
}

/** Where a notice is sent: inside one organization, in one transaction. */
export type NoticeCall = Pick<Services, 'live' | 'channels' | 'clock'> & { readonly tx: Tx; readonly orgId: string }

interface PersonRow {
  email: string | null
  locale: string
  preferences: unknown
}

/**
 * Notifies a member, where they want to be notified: in the inbox of the app bar unless they chose otherwise, by e-mail, or
 * not at all. Members only; others are passed over.
 */
export async function sendNotice(call: NoticeCall, userId: string, { event, link, text }: Notice): Promise<void> {
  const { rows } = await sql<PersonRow>`
    select m.email::text as email, s.locale, p.preferences
    from members m join org_settings s on s.org_id = m.org_id
    left join own_preferences p on p.org_id = m.org_id and p.user_id = m.user_id
    where m.org_id = ${call.orgId} and m.user_id = ${userId} and m.status = 'active'`.execute(call.tx)
  const person = rows[0]
  if (!person) return
  const { events, language } = OwnPreferences.parse(person.preferences ?? {})
  const channels = events[event] ?? defaultNoticeChannels
  const wanted = language ?? person.locale.slice(0, 2)
  const { title, body } = text(isLocale(wanted) ? wanted : 'en')
  if (channels.includes('in_app')) {
    await call.live.setDocument(call.tx, livePath.inboxMessage(userId, newId()), {
      orgId: call.orgId,
      title: title.slice(0, 200),
      body,
      link,
      createdAt: call.clock.now().toISOString(),
      readAt: null,
    })
  }
  if (channels.includes('email') && person.email) {
    await call.channels.send(call.tx, {
      channel: 'email',
      to: person.email,
      subject: title,
      body: body === '' ? title : body,
      orgId: call.orgId,
      kind: event,
      recipient: { userId },
    })
  }
}
