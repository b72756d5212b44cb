import type { Role } from '@tour-ops/contract/identity/access'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { selectAlertRules } from '../../platform/operations/alert-limits.ts'

interface Escalated {
  id: string
  title: string
  tour: string | null
  minutes: number
}

const words: Readonly<Record<Locale, (alert: { what: string; minutes: number }) => NoticeText>> = {
  en: ({ what, minutes }) => ({ title: `Nobody has taken a critical alert for ${minutes} min`, body: what }),
  de: ({ what, minutes }) => ({
    title: `Seit ${minutes} min hat niemand einen kritischen Alarm übernommen`,
    body: what,
  }),
  es: ({ what, minutes }) => ({ title: `Nadie ha asumido una alerta crítica desde hace ${minutes} min`, body: what }),
}

/**
 * A critical alert that nobody has acknowledged goes to the next level, and the people of that level are notified: twice at most, after the times and to
 * the roles of the settings. See docs/domain.md, "Alerts".
 */
export const alertEscalation = (services: Pick<Services, 'live' | 'channels' | 'clock'>): OrganizationSweep => ({
  action: 'alerts-escalate',
  run: async (tx, orgId) => {
    const { escalateAfterMin, escalateTo, escalateAgainMin, escalateAgainTo } = await selectAlertRules(tx, orgId)
    const levels = [
      { level: 1, minutes: escalateAfterMin, role: escalateTo },
      { level: 2, minutes: escalateAgainMin, role: escalateAgainTo },
    ]
    for (const { level, minutes, role } of levels) {
      // 0 is never
      if (minutes === 0) continue
      const escalated = await raiseLevel(tx, orgId, level, minutes)
      if (escalated.length > 0) await tell({ ...services, tx, orgId }, role, escalated)
    }
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

async function tell(
  call: Parameters<typeof sendNotice>[0],
  role: Role,
  escalated: readonly Escalated[],
): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from members where org_id = ${call.orgId} and role = ${role} and status = 'active' order by user_id`.execute(
    call.tx,
  )
  for (const { userId } of rows) {
    for (const { id, title, tour, minutes } of escalated) {
      const what = nameInEmail([tour, title].filter(Boolean).join(': '))
      await sendNotice(call, userId, {
        event: 'alert_escalated',
        link: `/tools/monitoring?alert=${id}`,
        text: (locale) => words[locale]({ what, minutes }),
      })
    }
  }
}
