import { fieldError } from '@tour-ops/contract/field-rules'
import type { GuestText } from '@tour-ops/contract/notifications/guest-messages'
import {
  deleteMessageTemplate,
  listMessageTemplates,
  maxTemplates,
  saveMessageTemplate,
} from '@tour-ops/contract/notifications/message-templates'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { shippedTexts } from './shipped-templates.ts'

interface TemplateRow {
  id: string
  version: number
  name: string
  texts: GuestText[]
}

const list = verb(listMessageTemplates, async (call) => ({
  shipped: shippedTexts.map(({ key, texts }) => ({ key, texts })),
  // those of the office are for the office
  own: call.scope === 'own' ? [] : await selectOwn(call),
}))

async function selectOwn({ tx, orgId }: MemberCall): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select id, version, name, texts from message_templates where org_id = ${orgId} and channel = 'email'
    order by name collate "und-x-icu" limit ${maxTemplates}`.execute(tx)
  return rows
}

const save = verb(saveMessageTemplate, async (call, { id, version, name, texts }) => {
  const saved = JSON.stringify(texts)
  if (id === undefined) return insert(call, name, saved)
  await lock(call, id, version ?? 0)
  const { rows } = await sql<{ id: string; version: number }>`
    update message_templates set name = ${name}, texts = ${saved}::jsonb where org_id = ${call.orgId} and id = ${id} returning id, version`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('template')
  return rows[0]
})

async function insert(call: MemberCall, name: string, texts: string): Promise<{ id: string; version: number }> {
  const { rows } = await sql<{ id: string; version: number }>`
    insert into message_templates (org_id, id, name, texts)
    select ${call.orgId}, ${newId()}, ${name}, ${texts}::jsonb
    where (select count(*) from message_templates where org_id = ${call.orgId}) < ${maxTemplates}
    returning id, version`.execute(call.tx)
  if (!rows[0]) throw fieldError('name', 'too_many', { max: maxTemplates })
  return rows[0]
}

const remove = verb(deleteMessageTemplate, async (call, { id, version }) => {
  await lock(call, id, version)
  await sql`delete from message_templates where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  return { id }
})

/** @throws AppError `not-found`, or `aborted` with reason `version_conflict`. */
async function lock({ tx, orgId }: MemberCall, id: string, version: number): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select version from message_templates where org_id = ${orgId} and id = ${id} for update`.execute(tx)
  if (!rows[0]) throw notFound('template')
  requireVersion(rows[0], version, 'template')
}

export const messageTemplateVerbs: Verb[] = [list, save, remove]
