import { grants, roles, type Role } from '@tour-ops/contract/identity/access'
import { askForAccess, listHelpers } from '@tour-ops/contract/members/access-requests'
import type { Locale } from '@tour-ops/contract/locales'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { accessRequestsPerDay } from '../../platform/person-limits.ts'
import { memberName } from '../../platform/private-fields.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface Helper {
  userId: string
  name: string
  role: Role
}

/** The roles that may change roles. */
const managing = roles.filter((role) => 'members:manage' in grants[role])

async function selectHelpers(call: MemberCall): Promise<Helper[]> {
  const { tx, orgId, caller } = call
  const { rows } = await sql<Helper>`
    select m.user_id as "userId", coalesce(${memberName(call, 'm')}, m.user_id) as name, m.role from members m
    where m.org_id = ${orgId} and m.status = 'active' and m.role = any(${managing}) and m.user_id <> ${caller.userId}
    order by m.name collate "und-x-icu", m.user_id limit 20`.execute(tx)
  return rows
}

const helpers = verb(listHelpers, async (call) => ({ people: await selectHelpers(call) }))

interface Question {
  readonly name: string
  readonly role: string
  readonly permission: string
  readonly path: string
}

const questionTexts: Readonly<Record<Locale, (question: Question) => NoticeText>> = {
  en: ({ name, role, permission, path }) => ({
    title: `${name} requests access: ${permission}`,
    body: `${name} is ${role} and could not open ${path}.`,
  }),
  de: ({ name, role, permission, path }) => ({
    title: `${name} bittet um Zugriff: ${permission}`,
    body: `${name} hat die Rolle ${role} und konnte ${path} nicht öffnen.`,
  }),
  es: ({ name, role, permission, path }) => ({
    title: `${name} solicita acceso: ${permission}`,
    body: `${name} tiene el rol ${role} y no pudo abrir ${path}.`,
  }),
}

/**
 * Notes a request for a permission; false when the same was asked within a day.
 *
 * @throws AppError `resource-exhausted` when the person asked for too much else.
 */
async function countRequest({ tx, orgId, caller }: MemberCall, permission: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`access-request:${orgId}:${caller.userId}`}, 0))`.execute(
    tx,
  )
  const { rows } = await sql<{ permission: string }>`
    select distinct entity_id as permission from audit_entries
    where org_id = ${orgId} and actor_id = ${caller.userId} and action = ${requestEvent} and at > app_now() - interval '24 hours'`.execute(
    tx,
  )
  if (rows.some((earlier) => earlier.permission === permission)) return false
  if (rows.length >= accessRequestsPerDay) {
    throw refuse('access_asked_too_often', { perDay: accessRequestsPerDay })
  }
  await sql`select record_event(${requestEvent}, 'permission', ${permission})`.execute(tx)
  return true
}

const requestEvent = 'access_asked'

const ask = verb(askForAccess, async (call, { permission, path }) => {
  const { caller, role } = call
  const people = await selectHelpers(call)
  // asked already today: they know
  if (!(await countRequest(call, permission))) return { asked: people.length }
  const name = nameInEmail(caller.name ?? caller.email ?? caller.userId)
  for (const { userId } of people) {
    await sendNotice(call, userId, {
      event: 'access_asked',
      link: '/user-management/list',
      text: (locale) => questionTexts[locale]({ name, role: role.replaceAll('_', ' '), permission, path }),
    })
  }
  return { asked: people.length }
})

export const accessVerbs: Verb[] = [helpers, ask]
