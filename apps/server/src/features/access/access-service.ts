import { grants, roles, type Role } from '@tour-ops/contract/access'
import { askForAccess, listHelpers } from '@tour-ops/contract/access-requests'
import type { Locale } from '@tour-ops/contract/page-config'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface Helper {
  userId: string
  name: string
  role: Role
}

/** The roles that may change roles. */
const managing = roles.filter((role) => 'members:manage' in grants[role])

async function selectHelpers({ tx, orgId, caller }: MemberCall): Promise<Helper[]> {
  const { rows } = await sql<Helper>`
    select user_id as "userId", coalesce(name, email::text, user_id) as name, role from members
    where org_id = ${orgId} and status = 'active' and role = any(${managing}) and user_id <> ${caller.userId}
    order by name collate "und-x-icu", user_id limit 20`.execute(tx)
  return rows
}

const helpers = verb(listHelpers, async (call) => ({ people: await selectHelpers(call) }))

interface Question {
  readonly name: string
  readonly role: string
  readonly permission: string
  readonly path: string
}

const questionWords: Readonly<Record<Locale, (question: Question) => NoticeText>> = {
  en: ({ name, role, permission, path }) => ({
    title: `${name} asks for ${permission}`,
    body: `${name} is ${role} and could not open ${path}.`,
  }),
  de: ({ name, role, permission, path }) => ({
    title: `${name} bittet um ${permission}`,
    body: `${name} hat die Rolle ${role} und konnte ${path} nicht öffnen.`,
  }),
  es: ({ name, role, permission, path }) => ({
    title: `${name} pide ${permission}`,
    body: `${name} tiene el rol ${role} y no pudo abrir ${path}.`,
  }),
}

const ask = verb(askForAccess, async (call, { permission, path }) => {
  const { caller, role } = call
  const people = await selectHelpers(call)
  const name = caller.name ?? caller.email ?? caller.userId
  for (const { userId } of people) {
    await sendNotice(call, userId, {
      event: 'access_asked',
      link: '/user-management/list',
      text: (locale) => questionWords[locale]({ name, role: role.replaceAll('_', ' '), permission, path }),
    })
  }
  return { asked: people.length }
})

export const accessVerbs: Verb[] = [helpers, ask]
