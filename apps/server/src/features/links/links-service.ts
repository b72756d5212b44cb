import type { Given } from '@tour-ops/contract/callable'
import { fieldError } from '@tour-ops/contract/field-rules'
import { scopeOf } from '@tour-ops/contract/identity/access'
import { refuse } from '@tour-ops/contract/refusals'
import {
  copyLink,
  createLink,
  exportLinks,
  extendLink,
  isLiveLink,
  linkAccesses,
  type LinkRow,
  listLinks,
  maxLinkDays,
  reportLinkDays,
  pauseLink,
  pauseLinks,
  revokeLink,
  rotateLinks,
  scopesOfKind,
  setLinkPasscode,
  type SkippedLink,
  statusShown,
} from '@tour-ops/contract/links/links'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { csvFile } from '../../platform/csv.ts'
import { newId } from '../../platform/ids.ts'
import { iso } from '../../platform/list-query.ts'
import { linkDeparture, usualLinkEnd } from '../../platform/operations/link-end.ts'
import { hashOfPasscode } from '../../platform/operations/link-passcode.ts'
import { issueToken } from '../../platform/operations/link-tokens.ts'
import { notFound, requireVersion } from '../../platform/optimistic-lock.ts'
import { selectPage } from '../../platform/select-page.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { updateVersioned } from '../../platform/version-conflict.ts'
import {
  linkColumns,
  linkOrder,
  type LinkRecord,
  linkRowOf,
  links,
  selectLinkCounts,
  shownStatus,
} from './links-store.ts'
import { servesDeparture } from './supplier-manifest.ts'

const list = verb(listLinks, async (call, input) => {
  const { rows, total } = await selectPage(call.tx, {
    columns: linkColumns(call),
    from: links(call, input),
    order: linkOrder(input.sort),
    page: input,
  })
  return { rows: rows.map(linkRowOf), total, counts: await selectLinkCounts(call) }
})

const exportCsv = verb(exportLinks, async (call, input) => {
  const { rows } = await sql<LinkRecord>`
    select ${linkColumns(call)} ${links(call, input)} order by ${linkOrder(input.sort)}`.execute(call.tx)
  return csvFile<LinkRow>(
    'shared-links',
    {
      label: (row) => row.label,
      kind: (row) => row.kind,
      subject: (row) => row.subject,
      status: statusShown,
      expires_at: (row) => row.expiresAt,
      views: (row) => row.viewCount,
      last_viewed_at: (row) => row.lastViewedAt,
      created_by: (row) => row.createdByName,
      created_at: (row) => row.createdAt,
    },
    rows.map(linkRowOf),
    input.columns,
  )
})

interface Subject {
  /** That of the link itself; null where it follows a traveler. */
  departureId: string | null
  travelerId: string | null
  /** Of a live map: the one tour that it shows. */
  tourId: string | null
  /** When a link ends to which nobody gives an end; null where that is a day from now. */
  endsAt: Date | null
}

/** What a link is about. @throws AppError a field error when there is no such departure, booking or traveler. */
async function requireSubject(
  call: MemberCall,
  { kind, subjectId, report }: Given<typeof createLink>,
): Promise<Subject> {
  if ((report !== null) !== (kind === 'report')) throw fieldError('report', 'subject_missing')
  const subject = await selectSubject(call, kind, subjectId)
  if (!subject) throw fieldError('subjectId', 'subject_missing')
  return subject
}

type Kind = Given<typeof createLink>['kind']

function selectSubject(call: MemberCall, kind: Kind, subjectId: string | null): Promise<Subject | undefined> {
  if (kind === 'live_map') return selectTours(call, subjectId)
  if (kind === 'report') return Promise.resolve(subjectId === null ? ofNobody : undefined)
  if (subjectId === null) return Promise.resolve(undefined)
  return kind === 'traveler' ? selectTraveler(call, subjectId) : selectDeparture(call, kind, subjectId)
}

/** A report is of the whole organization. */
const ofNobody: Subject = { departureId: null, travelerId: null, tourId: null, endsAt: null }

/** All tours, or the one that is chosen. */
async function selectTours(call: MemberCall, tourId: string | null): Promise<Subject | undefined> {
  const subject = { ...ofNobody, tourId }
  if (tourId === null) return subject
  const { rows } = await sql`select from tours where org_id = ${call.orgId} and id = ${tourId}`.execute(call.tx)
  return rows.length > 0 ? subject : undefined
}

async function selectDeparture(call: MemberCall, kind: Kind, subjectId: string): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select d.id as "departureId", null::uuid as "travelerId", null::uuid as "tourId", d.ends_at as "endsAt" from departures d
    where d.org_id = ${call.orgId} and d.status <> 'draft' and ${
      kind === 'booking_guest'
        ? sql`d.id = (select b.departure_id from bookings b where b.org_id = ${call.orgId} and b.id = ${subjectId})`
        : sql`d.id = ${subjectId}`
    }`.execute(call.tx)
  return rows[0]
}

/** A traveler with seats, whose profile is neither erased, merged nor archived; with the end of their last tour. */
async function selectTraveler(call: MemberCall, travelerId: string): Promise<Subject | undefined> {
  const { rows } = await sql<Subject>`
    select null::uuid as "departureId", v.id as "travelerId", null::uuid as "tourId", seats.ends_at as "endsAt" from travelers v
      cross join lateral (select max(d.ends_at) as ends_at from manifest_entries e join departures d on d.org_id = e.org_id and d.id = e.departure_id
        where e.org_id = v.org_id and e.traveler_id = v.id and e.status <> 'cancelled' and d.status not in ('draft', 'cancelled')) seats
    where v.org_id = ${call.orgId} and v.id = ${travelerId} and v.anonymised_at is null and v.merged_into_id is null and v.archived_at is null
      and seats.ends_at is not null`.execute(call.tx)
  return rows[0]
}

/** @throws AppError a field error for a supplier who has no services on the departure, and on links that are for none. */
async function requireSupplier(
  { tx, orgId }: MemberCall,
  { kind, supplierId }: Given<typeof createLink>,
  { departureId }: Subject,
): Promise<void> {
  if (supplierId === null) return
  if (
    kind === 'supplier_manifest' &&
    departureId !== null &&
    (await servesDeparture(tx, orgId, departureId, supplierId))
  )
    return
  throw fieldError('supplierId', 'supplier_not_on_departure')
}

const dayMs = 86_400_000

/** @throws AppError a field error outside the next 400 days. */
function requireEnd(call: MemberCall, wanted: string): Date {
  const now = call.clock.now().getTime()
  const end = Date.parse(wanted)
  if (end <= now) throw fieldError('expiresAt', 'in_past')
  if (end > now + maxLinkDays * dayMs) throw fieldError('expiresAt', 'link_too_long', { days: maxLinkDays })
  return new Date(end)
}

/** What somebody must read to share it. @throws AppError for those who do not read the reports of everybody. */
function requireReports({ role }: MemberCall, { kind }: Given<typeof createLink>): void {
  const permission = 'reports:read'
  if (kind === 'report' && scopeOf(role, permission) !== 'all') throw refuse('missing_permission', { permission })
}

/** When a link ends that follows no tour, and to which nobody gave an end. */
const ownEnd = (kind: Kind, now: Date): Date =>
  new Date(now.getTime() + (kind === 'report' ? reportLinkDays : 1) * dayMs)

const create = verb(createLink, async (call, input) => {
  requireReports(call, input)
  const subject = await requireSubject(call, input)
  await requireSupplier(call, input, subject)
  const passcodeHash = await passcodeHashFor(input.passcode)
  const isUsualEnd = input.expiresAt === undefined && subject.endsAt !== null
  const now = call.clock.now()
  const expiresAt =
    input.expiresAt !== undefined
      ? requireEnd(call, input.expiresAt)
      : subject.endsAt === null
        ? ownEnd(input.kind, now)
        : usualLinkEnd(now, subject.endsAt)
  const id = newId()
  const { report } = input
  const period = report?.period
  await sql`
    insert into shared_links (org_id, id, kind, subject_id, departure_id, traveler_id, tour_id, supplier_id, report, report_days, report_from, report_to, report_compare, label, scopes, location_delay_s, blur_m, locale, expires_at,
      ends_with_departure, passcode_hash, created_by)
    values (${call.orgId}, ${id}, ${input.kind}, ${input.subjectId ?? report?.name ?? 'all'}, ${subject.departureId}, ${subject.travelerId}, ${subject.tourId}, ${input.supplierId},
      ${report?.name ?? null}, ${period?.kind === 'days' ? period.days : null}, ${period?.kind === 'dates' ? period.from : null}, ${period?.kind === 'dates' ? period.to : null}, ${report?.compare ?? null}, ${input.label},
      ${JSON.stringify(scopesOfKind(input.kind, input.scopes))}::jsonb,
      ${input.positionDelayS}, ${input.positionBlurM}, ${input.language}, ${expiresAt}, ${isUsualEnd}, ${passcodeHash}, ${call.caller.userId})`.execute(
    call.tx,
  )
  return { id, version: 1, ...(await issueToken(call.tx, call.orgId, id, call.caller.userId)) }
})

const passcodeHashFor = async (passcode: string | null): Promise<string | null> =>
  passcode === null ? null : hashOfPasscode(passcode)

interface LockedLink {
  version: number
  status: LinkRow['status']
}

async function lockLink(call: MemberCall, id: string): Promise<LockedLink> {
  const { rows } = await sql<LockedLink>`
    select l.version, ${shownStatus} as status from shared_links l ${linkDeparture} where l.org_id = ${call.orgId} and l.id = ${id} for update of l`.execute(
    call.tx,
  )
  if (!rows[0]) throw notFound('link')
  return rows[0]
}

/** @throws AppError `aborted` for a link that is over: it stays over, and a new one is made instead. */
function requireLive({ status }: LockedLink): void {
  if (status !== 'expired' && status !== 'revoked') return
  throw refuse('link_ended')
}

const copy = verb(copyLink, async (call, { id, rotate: isRotated }) => {
  const link = await lockLink(call, id)
  requireLive(link)
  if (isRotated) await endTokens(call, [id])
  return { id, version: link.version, ...(await issueToken(call.tx, call.orgId, id, call.caller.userId)) }
})

/** What has expired by the clock counts as ended, even where the sweep has not been. */
const revoke = verb(revokeLink, async (call, { ids }) => {
  const { chosen, skipped } = sorted(await lockLinks(call, ids))
  await sql`update shared_links set status = 'revoked'
    where org_id = ${call.orgId} and id = any (${chosen.map(({ id }) => id)}::uuid[])`.execute(call.tx)
  return { changed: chosen.length, skipped }
})

const pause = verb(pauseLink, async (call, { id, version, paused }) => {
  const link = await lockLink(call, id)
  requireLive(link)
  requireVersion(link, version, 'link')
  const to = paused ? 'paused' : 'active'
  return updateVersioned(call.tx, 'shared_links', { orgId: call.orgId, id, version }, sql`status = ${to}`)
})

const passcode = verb(setLinkPasscode, async (call, { id, version, passcode: wanted }) => {
  const link = await lockLink(call, id)
  requireLive(link)
  requireVersion(link, version, 'link')
  const hash = await passcodeHashFor(wanted)
  return updateVersioned(call.tx, 'shared_links', { orgId: call.orgId, id, version }, sql`passcode_hash = ${hash}`)
})

interface ChosenLink {
  id: string
  version: number
  label: string
  status: LinkRow['status']
}

/** Links of a choice, locked in one order so that two choices do not wait for each other. */
async function lockLinks(call: MemberCall, ids: readonly string[]): Promise<ChosenLink[]> {
  const { rows } = await sql<ChosenLink>`
    select l.id, l.version, l.label, ${shownStatus} as status from shared_links l ${linkDeparture}
    where l.org_id = ${call.orgId} and l.id = any (${[...ids]}::uuid[]) order by l.id for update of l`.execute(call.tx)
  return rows
}

/** Those that are over are left, and those for which `why` knows a reason. */
function sorted(
  rows: readonly ChosenLink[],
  why: (link: ChosenLink) => SkippedLink['reason'] | null = () => null,
): { chosen: ChosenLink[]; skipped: SkippedLink[] } {
  const skipped = rows.flatMap((link) => {
    const reason = isLiveLink(link) ? why(link) : 'ended'
    return reason === null ? [] : [{ id: link.id, label: link.label, reason }]
  })
  const left = new Set(skipped.map(({ id }) => id))
  return { chosen: rows.filter(({ id }) => !left.has(id)), skipped }
}

const pauseSeveral = verb(pauseLinks, async (call, { ids, paused }) => {
  const { chosen, skipped } = sorted(await lockLinks(call, ids), ({ status }) =>
    status === 'scheduled' ? 'not_started' : (status === 'paused') === paused ? 'unchanged' : null,
  )
  const changed = chosen.map(({ id }) => id)
  await sql`update shared_links set status = ${paused ? 'paused' : 'active'}
    where org_id = ${call.orgId} and id = any (${changed}::uuid[])`.execute(call.tx)
  return { changed, skipped }
})

const rotate = verb(rotateLinks, async (call, { ids }) => {
  const { chosen, skipped } = sorted(await lockLinks(call, ids))
  await endTokens(
    call,
    chosen.map(({ id }) => id),
  )
  const issued = []
  for (const { id, version, label } of chosen) {
    issued.push({ id, version, label, ...(await issueToken(call.tx, call.orgId, id, call.caller.userId)) })
  }
  return { issued, skipped }
})

const endTokens = ({ tx, orgId }: MemberCall, linkIds: readonly string[]) =>
  sql`update shared_link_tokens set revoked_at = app_now()
    where org_id = ${orgId} and link_id = any (${[...linkIds]}::uuid[]) and revoked_at is null`.execute(tx)

const extend = verb(extendLink, async (call, { id, version, expiresAt }) => {
  const link = await lockLink(call, id)
  requireLive(link)
  requireVersion(link, version, 'link')
  const end = requireEnd(call, expiresAt)
  return updateVersioned(
    call.tx,
    'shared_links',
    { orgId: call.orgId, id, version },
    sql`expires_at = ${end}, ends_with_departure = false`,
  )
})

/** Visits of one link that are shown. */
const maxAccesses = 500

const accesses = verb(linkAccesses, async (call, { id }) => {
  await requireLink(call, id)
  const { rows } = await sql<{
    at: Date
    userAgentFamily: string | null
    country: string | null
    isWrongPasscode: boolean
  }>`
    select at, user_agent_family as "userAgentFamily", country, is_wrong_passcode as "isWrongPasscode" from link_accesses
    where org_id = ${call.orgId} and link_id = ${id} order by at desc, id desc limit ${maxAccesses}`.execute(call.tx)
  return { accesses: rows.map((row) => ({ ...row, at: iso(row.at) })) }
})

async function requireLink(call: MemberCall, id: string): Promise<void> {
  const { rows } = await sql`select from shared_links where org_id = ${call.orgId} and id = ${id}`.execute(call.tx)
  if (rows.length === 0) throw notFound('link')
}

export const linkVerbs: Verb[] = [
  list,
  exportCsv,
  create,
  copy,
  revoke,
  pause,
  pauseSeveral,
  rotate,
  passcode,
  extend,
  accesses,
]
