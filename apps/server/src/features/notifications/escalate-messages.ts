import type { EscalationRole } from '@tour-ops/contract/monitoring/alert-limits'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { nameInEmail, oneLine } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectPeopleOf } from '../../platform/people-with.ts'
import { plural } from '../../platform/plural.ts'

/** What failed longer ago is for the log, days: nobody can still call before the tour. */
const freshDays = 3
/** Lines of a notice. */
const maxLines = 10

interface Undelivered {
  readonly role: EscalationRole
  readonly bookingId: string | null
  readonly to: string
  readonly subject: string
}

/** One and more, `#` is the number. */
const titles: Readonly<Record<Locale, [one: string, more: string]>> = {
  en: ['# message to guests was not delivered', '# messages to guests were not delivered'],
  de: ['# Nachricht an Gäste wurde nicht zugestellt', '# Nachrichten an Gäste wurden nicht zugestellt'],
  es: ['No se ha entregado # mensaje a viajeros', 'No se han entregado # mensajes a viajeros'],
}

/**
 * A message of a rule that has failed for good goes to the role that the rule names: one notice for each person and turn, however many there are, and each message
 * once. Two processes wait for each other at its row. See docs/decisions/0177.
 */
export const messageEscalation = (services: Pick<Services, 'live' | 'channels' | 'clock'>): OrganizationSweep => ({
  action: 'messages-escalate',
  run: async (tx, orgId) => {
    const undelivered = await takeUndelivered(tx, orgId)
    for (const [role, messages] of Map.groupBy(undelivered, (message) => message.role)) {
      for (const userId of await selectPeopleOf(tx, orgId, role)) {
        await sendNotice({ ...services, tx, orgId }, userId, {
          event: 'message_undelivered',
          link: linkOf(messages),
          text: (locale) => textOf(messages, locale),
        })
      }
    }
  },
})

async function takeUndelivered(tx: Tx, orgId: string): Promise<Undelivered[]> {
  const { rows } = await sql<Undelivered>`
    with taken as (
      update messages m set escalated_at = app_now() from notification_rules r
      where m.org_id = ${orgId} and m.status in ('failed', 'partly_failed') and m.created_at > app_now() - make_interval(days => ${freshDays})
        and m.escalated_at is null and r.org_id = m.org_id and r.id = m.rule_id and r.escalate_to is not null and m.created_at >= r.escalate_since
      returning m.id, m.created_at, m.subject, r.escalate_to
    )
    select taken.escalate_to as role, d.booking_id as "bookingId", d.recipient as "to", coalesce(d.subject, taken.subject, '') as subject
    from taken join deliveries d on d.org_id = ${orgId} and d.message_id = taken.id and d.status = 'failed'
    order by taken.created_at, d.id`.execute(tx)
  return rows
}

/** Of one message the booking, where somebody finds whom to call. */
function linkOf([first, ...others]: readonly Undelivered[]): string {
  return first?.bookingId && others.length === 0
    ? `/travelers/list?booking=${first.bookingId}`
    : '/tools/notifications?f.status=failed'
}

function textOf(messages: readonly Undelivered[], locale: Locale): NoticeText {
  const lines = messages
    .slice(0, maxLines)
    .map(({ to, subject }) => [nameInEmail(to), oneLine(subject, 120)].filter(Boolean).join(': '))
  const rest = messages.length > maxLines ? ['…'] : []
  return { title: plural(messages.length, ...titles[locale], locale), body: [...lines, ...rest].join('\n') }
}
