import { roles, scopeOf } from '@tour-ops/contract/identity/access'
import type { Locale } from '@tour-ops/contract/locales'
import type { Incident, IncidentRow } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { sendNotice } from '../../platform/notices.ts'
import { wholeIncident } from './incident-log.ts'

type Kind = Incident['timeline'][number]['kind']

interface Words {
  readonly status: Readonly<Record<IncidentRow['status'], string>>
  readonly kinds: Readonly<Record<Exclude<Kind, 'status'>, string>>
}

/** What has happened; terms as in the room of the incident. */
const words: Readonly<Record<Locale, Words>> = {
  en: {
    status: {
      reported: 'Reported',
      triaged: 'Triaged',
      active: 'Active',
      stabilised: 'Stabilized',
      resolved: 'Resolved',
      reviewed: 'Reviewed',
      merged: 'Merged',
    },
    kinds: {
      note: 'Note',
      call: 'Call',
      message: 'Message',
      file: 'File added',
      file_removed: 'File removed',
      task_done: 'Task done',
      task_reopened: 'Task open again',
      task_removed: 'Task removed',
      merged: 'Merged',
    },
  },
  de: {
    status: {
      reported: 'Gemeldet',
      triaged: 'Bewertet',
      active: 'Aktiv',
      stabilised: 'Stabilisiert',
      resolved: 'Gelöst',
      reviewed: 'Nachbereitet',
      merged: 'Zusammengeführt',
    },
    kinds: {
      note: 'Notiz',
      call: 'Anruf',
      message: 'Nachricht',
      file: 'Datei hinzugefügt',
      file_removed: 'Datei entfernt',
      task_done: 'Aufgabe erledigt',
      task_reopened: 'Aufgabe wieder offen',
      task_removed: 'Aufgabe entfernt',
      merged: 'Zusammengeführt',
    },
  },
  es: {
    status: {
      reported: 'Notificada',
      triaged: 'Evaluada',
      active: 'Activa',
      stabilised: 'Controlada',
      resolved: 'Resuelta',
      reviewed: 'Revisada',
      merged: 'Fusionada',
    },
    kinds: {
      note: 'Nota',
      call: 'Llamada',
      message: 'Mensaje',
      file: 'Archivo añadido',
      file_removed: 'Archivo eliminado',
      task_done: 'Tarea hecha',
      task_reopened: 'Tarea abierta de nuevo',
      task_removed: 'Tarea eliminada',
      merged: 'Fusionada',
    },
  },
}

/** What was added to the log of an incident: a status, or a line of another kind. */
export type IncidentUpdate = { readonly status: IncidentRow['status'] } | { readonly kind: Exclude<Kind, 'status'> }

interface About {
  readonly number: string
  readonly title: string
  readonly author: string | null
}

/**
 * Tells whoever takes part in an incident that somebody else has changed it. What was written stays in the room: it may be about health,
 * and notices are read on locked screens.
 *
 * @param informed Who has heard of it already.
 * @returns whom it told.
 */
export async function tellOfIncident(
  call: MemberCall,
  incidentId: string,
  update: IncidentUpdate,
  informed: readonly string[] = [],
): Promise<readonly string[]> {
  const participants = (await selectParticipants(call, incidentId)).filter((userId) => !informed.includes(userId))
  if (participants.length === 0) return []
  const { rows } = await sql<About>`
    select i.number, i.title, m.name as author from incidents i
      left join members m on m.org_id = i.org_id and m.user_id = ${call.caller.userId}
    where i.org_id = ${call.orgId} and i.id = ${incidentId}`.execute(call.tx)
  const [about] = rows
  if (!about) return []
  const { number, title, author } = about
  for (const userId of participants) {
    await sendNotice(call, userId, {
      event: 'incident_updated',
      link: `/tools/monitoring?incident=${incidentId}`,
      text: (locale) => ({
        title: `${number}: ${nameInEmail(title)}`,
        body: [labelOf(update, locale), ...(author === null ? [] : [nameInEmail(author)])].join(' · '),
      }),
    })
  }
  return participants
}

const labelOf = (update: IncidentUpdate, locale: Locale): string =>
  'status' in update ? words[locale].status[update.status] : words[locale].kinds[update.kind]

/** Its owner, who reported it, who wrote in its log or that of one that was merged into it, and who has a task; of them those who may open it, without the caller. */
async function selectParticipants({ tx, orgId, caller }: MemberCall, incidentId: string): Promise<string[]> {
  const readers = roles.filter((role) => scopeOf(role, 'monitoring:read') === 'all')
  const { rows } = await sql<{ userId: string }>`
    with parts as (
      select i.id, i.owner_user_id, i.reported_by from incidents i
      where i.org_id = ${orgId} and i.id in (select whole.id from ${wholeIncident(orgId, incidentId)} whole)
    )
    select m.user_id as "userId" from members m
    where m.org_id = ${orgId} and m.status = 'active' and m.role = any (${[...readers]}::text[]) and m.user_id <> ${caller.userId}
      and (exists (select from parts p where m.user_id in (p.owner_user_id, p.reported_by))
        or exists (select from incident_entries e join parts p on p.id = e.incident_id where e.org_id = m.org_id and e.author_id = m.user_id)
        or exists (select from incident_tasks t where t.org_id = m.org_id and t.incident_id = ${incidentId} and t.assignee_id = m.user_id))
    order by m.user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}
