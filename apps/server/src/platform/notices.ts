import { livePath } from '@tour-ops/contract/live/live-paths'
import { isLocale, type Locale } from '@tour-ops/contract/locales'
import {
  type NoticeChannel,
  noticeChannelsFor,
  type NoticeEvent,
  OwnPreferences,
} from '@tour-ops/contract/settings/settings'
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
  /** What an e-mail says, where that is more. */
  readonly email?: (locale: Locale) => string
  /** Left out: those that the person has chosen. */
  readonly channels?: readonly NoticeChannel[]
}

/** Where a notice is sent: inside one organization, in one transaction. */
export type NoticeCall = Pick<Services, 'live' | 'channels' | 'clock'> & { readonly tx: Tx; readonly orgId: string }

/** Whom a notice reaches, and where. */
interface NoticedPerson {
  readonly email: string | null
  /** As the log of messages shows them. */
  readonly name: string | null
  readonly locale: Locale
  readonly events: OwnPreferences['events']
  /** In which they switched notices on, the newest first. */
  readonly browsers: readonly { readonly id: string; readonly name: string }[]
}

/** Undefined for somebody who is no active member. */
export async function noticedPerson({ tx, orgId }: Pick<NoticeCall, 'tx' | 'orgId'>, userId: string) {
  const { rows } = await sql<Omit<NoticedPerson, 'locale' | 'events'> & { locale: string; preferences: unknown }>`
    select m.email::text as email, m.name, s.locale, p.preferences,
      (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name) order by b.created_at desc, b.id desc), '[]')
        from push_subscriptions b where b.org_id = m.org_id and b.user_id = m.user_id) as browsers
    from members m join org_settings s on s.org_id = m.org_id
    left join own_preferences p on p.org_id = m.org_id and p.user_id = m.user_id
    where m.org_id = ${orgId} and m.user_id = ${userId} and m.status = 'active'`.execute(tx)
  const person = rows[0]
  if (!person) return undefined
  const { events, language } = OwnPreferences.parse(person.preferences ?? {})
  const wanted = language ?? person.locale.slice(0, 2)
  return { ...person, events, locale: isLocale(wanted) ? wanted : 'en' } satisfies NoticedPerson
}

/**
 * Notifies a member, where they want to be notified: in the inbox of the app bar and in the browsers in which they switched notices
 * on unless they chose otherwise, by e-mail, or not at all. Members only; others are passed over.
 */
export async function sendNotice(call: NoticeCall, userId: string, notice: Notice): Promise<void> {
  const person = await noticedPerson(call, userId)
  if (!person) return
  const { event, link, text, email } = notice
  const channels = notice.channels ?? noticeChannelsFor(person.events, event)
  const { title, body } = text(person.locale)
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
  if (channels.includes('push')) {
    for (const browser of person.browsers)
      await pushTo(call, userId, { ...person, browser, kind: event, title, body, link })
  }
  if (channels.includes('email') && person.email) {
    await call.channels.send(call.tx, {
      channel: 'email',
      to: person.email,
      subject: title,
      body: email?.(person.locale) ?? (body === '' ? title : body),
      orgId: call.orgId,
      kind: event,
      recipient: { userId },
    })
  }
}

interface PushedNotice extends Pick<NoticedPerson, 'name'>, NoticeText {
  readonly browser: NoticedPerson['browsers'][number]
  readonly kind: string
  readonly link: string
}

/** Sends a notice to one browser of a person. */
export const pushTo = (
  call: Pick<NoticeCall, 'channels' | 'tx' | 'orgId'>,
  userId: string,
  { name, browser, kind, title, body, link }: PushedNotice,
): Promise<void> =>
  call.channels.send(call.tx, {
    channel: 'push',
    to: name ? `${name}, ${browser.name}` : browser.name,
    subject: title,
    body,
    orgId: call.orgId,
    kind,
    push: { subscriptionId: browser.id, link },
    recipient: { userId },
  })
