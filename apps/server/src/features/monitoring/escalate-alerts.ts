import type { Role } from '@tour-ops/contract/identity/access'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectAlertRules } from '../../platform/operations/alert-limits.ts'
import { selectPeopleOf } from '../../platform/people-with.ts'
import { plural } from '../../platform/plural.ts'

interface Escalated {
  id: string
  title: string
  tour: string | null
  minutes: number
}

/** Alerts that a notice names; of the others it has the number. */
const maxNamed = 5

const textOfOne: Readonly<Record<Locale, (alert: { what: string; minutes: number }) => NoticeText>> = {
  en: ({ what, minutes }) => ({ title: `Nobody has acknowledged a critical alert for ${minutes} min`, body: what }),
  de: ({ what, minutes }) => ({
    title: `Seit ${minutes} min hat niemand einen kritischen Alarm übernommen`,
    body: what,
  }),
  es: ({ what, minutes }) => ({ title: `Nadie ha asumido una alerta crítica desde hace ${minutes} min`, body: what }),
}

/** Beginning and end of the title and the end of the body, with the forms for one and for more; `#` is the number. */
const textsOfSeveral: Readonly<
  Record<Locale, { waiting: [one: string, more: string]; oldest: (minutes: number) => string; more: [string, string] }>
> = {
  en: {
    waiting: ['# critical alert waits', '# critical alerts wait'],
    oldest: (minutes) => `the oldest for ${minutes} min`,
    more: ['and # more', 'and # more'],
  },
  de: {
    waiting: ['# kritischer Alarm wartet', '# kritische Alarme warten'],
    oldest: (minutes) => `der älteste seit ${minutes} min`,
    more: ['und # weiterer', 'und # weitere'],
  },
  es: {
    waiting: ['# alerta crítica espera', '# alertas críticas esperan'],
    oldest: (minutes) => `la más antigua desde hace ${minutes} min`,
    more: ['y # más', 'y # más'],
  },
}

function textOfSeveral(alerts: readonly Escalated[], locale: Locale): NoticeText {
  const { waiting, oldest, more } = textsOfSeveral[locale]
  const named = alerts.slice(0, maxNamed).map(whatOf)
  const rest = alerts.length - named.length
  return {
    title: `${plural(alerts.length, ...waiting, locale)}, ${oldest(Math.max(...alerts.map(({ minutes }) => minutes)))}`,
    body: [...named, ...(rest > 0 ? [plural(rest, ...more, locale)] : [])].join('; '),
  }
}

const whatOf = ({ tour, title }: Escalated): string => nameInEmail([tour, title].filter(Boolean).join(': '))

/**
 * A critical alert that nobody has acknowledged goes to the next level, and the people of that level are notified: twice at most, after the times and to
 * the roles of the settings. Whoever is notified of several gets one notice. See docs/domain.md, "Alerts".
 */
export const alertEscalation = (services: Pick<Services, 'live' | 'channels' | 'clock'>): OrganizationSweep => ({
  action: 'alerts-escalate',
  run: async (tx, orgId) => {
    const { escalateAfterMin, escalateTo, escalateAgainMin, escalateAgainTo } = await selectAlertRules(tx, orgId)
    const levels = [
      { level: 1, minutes: escalateAfterMin, role: escalateTo },
      { level: 2, minutes: escalateAgainMin, role: escalateAgainTo },
    ]
    // by role and alert: one that waited long rises two levels at once, and both may be those of one role
    const escalated = new Map<Role, Map<string, Escalated>>()
    for (const { level, minutes, role } of levels) {
      // 0 is never
      if (minutes === 0) continue
      const ofRole = escalated.get(role) ?? new Map<string, Escalated>()
      for (const alert of await raiseLevel(tx, orgId, level, minutes)) ofRole.set(alert.id, alert)
      escalated.set(role, ofRole)
    }
    for (const [role, alerts] of escalated) await notify({ ...services, tx, orgId }, role, [...alerts.values()])
  },
})

async function raiseLevel(tx: Tx, orgId: string, level: number, minutes: number): Promise<Escalated[]> {
  const { rows } = await sql<Escalated>`
    update alerts a set escalation_level = ${level}
    where a.org_id = ${orgId} and a.status = 'open' and a.severity = 'critical' and a.escalation_level = ${level - 1}
      and a.opened_at <= app_now() - make_interval(mins => ${minutes}::int)
    returning a.id, a.title, (select t.name from departures d join tours t on t.org_id = d.org_id and t.id = d.tour_id
      where d.org_id = a.org_id and d.id = a.departure_id) as tour, floor(extract(epoch from app_now() - a.opened_at) / 60)::int as minutes`.execute(
    tx,
  )
  return rows
}

/** One notice for each person of a role, however many alerts there are. */
async function notify(
  call: Parameters<typeof sendNotice>[0],
  role: Role,
  escalated: readonly Escalated[],
): Promise<void> {
  const [first, ...others] = escalated.toSorted((a, b) => b.minutes - a.minutes || a.id.localeCompare(b.id))
  if (!first) return
  for (const userId of await selectPeopleOf(call.tx, call.orgId, role)) {
    await sendNotice(call, userId, {
      event: 'alert_escalated',
      link: others.length > 0 ? '/tools/monitoring' : `/tools/monitoring?alert=${first.id}`,
      text: (locale) =>
        others.length > 0
          ? textOfSeveral([first, ...others], locale)
          : textOfOne[locale]({ what: whatOf(first), minutes: first.minutes }),
    })
  }
}
