import type { Out } from '@tour-ops/contract/callable'
import { getManifest, listCheckIns, markNoShow, setEntryStatus } from '@tour-ops/contract/bookings/manifest'
import { canBecome, type StatusOf, isRunning } from '@tour-ops/contract/state-machines'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { addMinutes } from '../../platform/local-time.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { memberName } from '../../platform/private-fields.ts'
import { verb } from '../../platform/verb.ts'
import { selectManifest, selectManifestHead, type ManifestHead } from './manifest-store.ts'

export const manifest = verb(getManifest, (call, { departureId }) => selectManifest(call, departureId))

interface Waiting {
  id: string
  status: StatusOf<'manifest_entries'>
  plannedAt: Date
}

/**
 * Marks people as not come: never before the time that settings give around their own pickup, and never by itself.
 * See docs/domain.md, "States".
 */
export const noShow = verb(markNoShow, async (call, { departureId, entryIds }) => {
  const head = await selectManifestHead(call, departureId)
  if (!isRunning(head)) {
    throw refuse('check_in_closed')
  }
  const waiting = await lockWaiting(call, head, entryIds)
  if (waiting.length !== new Set(entryIds).size) throw notFound('guest')
  requireDue(call, head, waiting)
  const open = waiting.filter((entry) => entry.status !== 'no_show')
  const here = open.find((entry) => !canBecome('manifest_entries', entry.status, 'no_show'))
  if (here) {
    throw refuse('guests_aboard', {
      aboard: open.filter((entry) => !canBecome('manifest_entries', entry.status, 'no_show')).length,
    })
  }
  const { rows } = await sql<{ id: string }>`update manifest_entries set status = 'no_show'
    where org_id = ${call.orgId} and id = any (${open.map((entry) => entry.id)}::uuid[]) returning id`.execute(call.tx)
  return { changed: rows.length }
})

async function lockWaiting(call: MemberCall, head: ManifestHead, ids: readonly string[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select m.id, m.status, coalesce((select s.planned_arrive_at from departure_stops s where s.org_id = m.org_id and s.id = m.pickup_stop_id),
      ${head.startsAt}::timestamptz) as "plannedAt"
    from manifest_entries m where m.org_id = ${call.orgId} and m.departure_id = ${head.id} and m.id = any (${[...ids]}::uuid[])
    order by m.id for no key update of m`.execute(call.tx)
  return rows
}

function requireDue(call: MemberCall, head: ManifestHead, waiting: readonly Waiting[]): void {
  const now = call.clock.now()
  const early = waiting.find((entry) => now < addMinutes(entry.plannedAt, head.noShowAfterMinutes))
  if (!early) return
  throw refuse('too_early', { from: iso(addMinutes(early.plannedAt, head.noShowAfterMinutes)) })
}

interface EntryRecord {
  id: string
  version: number
  status: StatusOf<'manifest_entries'>
}

export const setEntry = verb(setEntryStatus, async (call, { entryId, version, to }) => {
  const entry = await lockEntry(call, entryId)
  requireVersion(entry, version, 'guest')
  if (!canBecome('manifest_entries', entry.status, to)) {
    throw refuse('illegal_transition', { machine: 'manifest_entries', from: entry.status, to })
  }
  await sql`update manifest_entries set status = ${to} where org_id = ${call.orgId} and id = ${entryId}`.execute(
    call.tx,
  )
  const after = await lockEntry(call, entryId)
  return { id: entryId, version: after.version }
})

async function lockEntry(call: MemberCall, id: string): Promise<EntryRecord> {
  const { rows } = await sql<EntryRecord>`select m.id, m.version, m.status from manifest_entries m
    where m.org_id = ${call.orgId} and m.id = ${id} for no key update of m`.execute(call.tx)
  if (!rows[0]) throw notFound('guest')
  return rows[0]
}

type EventRow = Omit<Out<typeof listCheckIns>['events'][number], 'at'> & { at: Date }

export const events = verb(listCheckIns, async (call, { departureId }) => {
  await selectManifestHead(call, departureId)
  const { rows } = await sql<EventRow>`
    select c.id, c.manifest_entry_id as "entryId", concat_ws(' ', nullif(p.first_name, ''), nullif(p.last_name, '')) as name, c.kind, c.method,
      c.at, ${memberName(call, 'b')} as "byName", place.name as "stopName"
    from check_ins c
    join manifest_entries m on m.org_id = c.org_id and m.id = c.manifest_entry_id
    join travelers p on p.org_id = m.org_id and p.id = m.traveler_id
    left join members b on b.org_id = c.org_id and b.user_id = c.by_user_id
    left join departure_stops s on s.org_id = c.org_id and s.id = c.departure_stop_id
    left join places place on place.org_id = s.org_id and place.id = s.place_id
    where m.org_id = ${call.orgId} and m.departure_id = ${departureId} order by c.at desc, c.id desc limit 1000`.execute(
    call.tx,
  )
  return { events: rows.map((row) => ({ ...row, at: iso(row.at) })) }
})
