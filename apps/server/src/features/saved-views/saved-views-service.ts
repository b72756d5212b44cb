import type { AppError } from '@tour-ops/contract/errors'
import {
  deleteView,
  importMappings,
  listSavedViews,
  type SavedView,
  saveView,
} from '@tour-ops/contract/saved-views/saved-views'
import { sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { notFound } from '../../platform/optimistic-lock.ts'

const list = verb(listSavedViews, async (call, { screen }) => {
  const { rows } = await sql<SavedView>`
    select id, version, screen, name, filters as search, columns, shared as "isShared",
      user_id = ${call.caller.userId} as "isOwn"
    from saved_views
    where org_id = ${call.orgId} and screen = ${screen} and screen <> ${importMappings} and (user_id = ${call.caller.userId} or shared)
    order by user_id <> ${call.caller.userId}, name collate "und-x-icu"`.execute(call.tx)
  return { views: rows }
})

const notOwn = (): AppError => notFound('view')

const save = verb(saveView, async (call, view) => {
  if (view.screen === importMappings) throw notOwn()
  const search = JSON.stringify(view.search)
  const columns = JSON.stringify(view.columns)
  const statement = view.id
    ? sql<{ id: string; version: number }>`
        update saved_views set name = ${view.name}, filters = ${search}, columns = ${columns}, shared = ${view.isShared}
         where org_id = ${call.orgId} and id = ${view.id} and user_id = ${call.caller.userId} and screen <> ${importMappings}
        returning id, version`
    : sql<{ id: string; version: number }>`
        insert into saved_views (org_id, id, user_id, screen, name, filters, columns, shared)
        values (${call.orgId}, ${newId()}, ${call.caller.userId}, ${view.screen}, ${view.name}, ${search}, ${columns},
          ${view.isShared})
        returning id, version`
  const { rows } = await statement.execute(call.tx)
  if (!rows[0]) throw notOwn()
  return rows[0]
})

const remove = verb(deleteView, async (call, { id }) => {
  const { rows } = await sql<{ id: string }>`
    delete from saved_views where org_id = ${call.orgId} and id = ${id} and user_id = ${call.caller.userId} and screen <> ${importMappings} returning id`.execute(
    call.tx,
  )
  if (!rows[0]) throw notOwn()
  return { id }
})

export const savedViewsVerbs: Verb[] = [list, save, remove]
