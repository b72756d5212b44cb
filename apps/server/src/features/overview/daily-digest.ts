import type { Permission } from '@tour-ops/contract/identity/access'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { OrganizationSweep } from '../../platform/jobs/housekeeping.ts'
import {
  eachByItself,
  eachOrganization,
  insideOrganization,
  organizationIds,
} from '../../platform/jobs/housekeeping.ts'
import { lateSince, localDateOf } from '../../platform/local-time.ts'
import { type Notice, sendNotice } from '../../platform/notices.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'
import { selectDigest, selectSchedule } from './digest-facts.ts'
import { digestEmail, type DigestLetter, digestPath, digestSummary } from './digest-text.ts'

type DigestServices = Pick<
  Services,
  'db' | 'clock' | 'log' | 'jobs' | 'live' | 'channels' | 'config' | 'knownDepartures'
>

/** Whoever runs departures gets the digest: administrators, operations managers and dispatchers. */
const digestReaders: Permission = 'departures:dispatch'
/** For so long it is known who was sent what, days. */
const rememberedDays = 30

const action = 'digest-send'

/**
 * Sends the digest of the day to everybody of the office who has not had it, where its time has come. Any number of processes may do it at once.
 *
 * @throws AggregateError with what went wrong in organizations and for members, after all of them.
 * @see docs/decisions/0150
 */
export async function sendDigests(services: DigestServices): Promise<void> {
  await eachOrganization(await organizationIds(services), async (orgId) => {
    const due = await insideOrganization(services, orgId, action, (tx) => selectDue(services, tx, orgId))
    if (!due) return
    const { day, userIds, notice } = due
    await eachByItself(
      userIds.map(
        (userId) => () =>
          insideOrganization(services, orgId, action, async (tx) => {
            if (!(await takeDay(tx, orgId, userId, day))) return
            if (notice) await sendNotice({ ...services, tx, orgId }, userId, notice)
          }),
      ),
    )
  })
}

interface DueDigest {
  readonly day: string
  readonly userIds: readonly string[]
  /** Null where there is nothing to say: that is decided once as well. */
  readonly notice: Notice | null
}

/** Undefined where nobody waits for it now. */
async function selectDue(services: DigestServices, tx: Tx, orgId: string): Promise<DueDigest | undefined> {
  const schedule = await selectSchedule(tx, orgId)
  const now = services.clock.now()
  const { at, timeZone } = schedule
  const day = localDateOf(now, timeZone)
  const dueAt = at === null ? undefined : lateSince(now, day, at, timeZone)
  if (!dueAt) return undefined
  const userIds = await selectWaiting(tx, orgId, day, dueAt)
  if (userIds.length === 0) return undefined
  const facts = await selectDigest({ ...services, tx, orgId, role: 'operations_manager', scope: 'all' }, day, schedule)
  const letter = facts && { facts, schedule, publicUrl: services.config.publicUrl, isAsked: false }
  return { day, userIds, notice: letter && noticeOf(letter) }
}

/** Who gets it and has not had it: members since before it was due. */
async function selectWaiting(tx: Tx, orgId: string, day: string, dueAt: Date): Promise<string[]> {
  const readers = await selectPeopleWith(tx, orgId, digestReaders)
  const { rows } = await sql<{ userId: string }>`
    select m.user_id as "userId" from members m
    where m.org_id = ${orgId} and m.user_id = any (${readers}::text[]) and m.joined_at <= ${dueAt}
      and not exists (select from daily_digests g where g.org_id = m.org_id and g.user_id = m.user_id and g.local_date = ${day}::date)
    order by m.user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}

/** Whether the day was open for the member. Who asks at the same time waits for the end of this transaction, and gets a no. */
async function takeDay(tx: Tx, orgId: string, userId: string, day: string): Promise<boolean> {
  const { rows } = await sql<{ userId: string }>`
    insert into daily_digests (org_id, user_id, local_date) values (${orgId}, ${userId}, ${day}::date)
    on conflict (org_id, user_id, local_date) do nothing returning user_id as "userId"`.execute(tx)
  return rows.length > 0
}

/** The digest as every channel gets it. */
export const noticeOf = (letter: DigestLetter): Notice => ({
  event: 'daily_digest',
  link: digestPath(letter.facts),
  text: (locale) => digestSummary(letter, locale),
  email: (locale) => digestEmail(letter, locale).body,
})

/** Forgets who was sent the digests of a month ago. */
export const oldDigests: OrganizationSweep = {
  action: 'digests-forget',
  run: (tx, orgId) =>
    sql`delete from daily_digests where org_id = ${orgId} and local_date < app_now()::date - ${rememberedDays}::int`.execute(
      tx,
    ),
}
