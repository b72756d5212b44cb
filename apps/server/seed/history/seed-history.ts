import { sql } from 'kysely'
import type { MemberCall, Services } from '../../src/context.ts'
import { movableClock } from '../../src/platform/clock.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { newId } from '../../src/platform/ids.ts'
import { addDays, localDateOf } from '../../src/platform/local-time.ts'
import { pastDays } from '../calendar.ts'
import type { Catalogue } from '../catalogue.ts'
import { seededRandom } from '../random.ts'
import { type PastWrites, writeAsEnded } from './as-they-ended.ts'
import { Roster } from './crews.ts'
import { PastGuests } from './guests.ts'
import { writeIncidents } from './incidents.ts'
import { BookingRefs, isCarried, lifeOf, type PastLife } from './lives.ts'
import { type Days, schedulePast, selectBusy, selectPast } from './past-departures.ts'
import { writeCrews } from './write-crews.ts'
import { writeCounts, writeDays, writeFeedback } from './write-days.ts'
import { writeDuties } from './write-duties.ts'
import { writeBookings, writeGuests, writeManifests } from './write-sales.ts'
import { dayMs } from '../spans.ts'

/** How far the history goes back: twelve weeks, which reports offer, and the twelve before them, which they are compared with. */
const historyDays = 175
/** How far it goes back from this day of the year before. */
const yearBeforeDays = 90
const yearDays = 365
/** Private data goes so long after the last tour. */
const personalDataMs = 30 * dayMs

/** A part of the past to be seeded. */
export interface Chapter extends Days {
  /** How much of the usual demand came. */
  readonly demand: number
}

/** The last 25 weeks up to the days that are seeded through verbs, and 90 days of the year before, when fewer came. */
export function chaptersUpTo(now: Date): Chapter[] {
  const today = localDateOf(now, 'UTC')
  const lastYear = addDays(today, -yearDays)
  return [
    { from: addDays(lastYear, -yearBeforeDays), to: lastYear, demand: 0.8 },
    { from: addDays(today, -historyDays), to: addDays(today, -pastDays - 1), demand: 1 },
  ]
}

/** Who takes the office's part. */
interface Office {
  readonly orgId: string
  readonly userId: string
}

/**
 * Seeds past days of the demo organization: who went, with whom, how late, and their feedback. Everything is
 * written at once, as it was in the end.
 *
 * @see docs/domain.md, "Demo organization"
 */
export async function seedHistory(
  services: Services,
  office: Office,
  catalogue: Catalogue,
  chapters: readonly Chapter[],
): Promise<void> {
  const now = services.clock.now().getTime()
  await writeAsEnded(services, office.orgId, async (past) => {
    const random = seededRandom(Math.floor(now / dayMs))
    const { timeZone, prefix, refs } = await selectOffice(past.tx, office.orgId)
    const sources = { guests: new PastGuests(random.fork()), refs: new BookingRefs(prefix, refs), random, now }
    const roster = new Roster(catalogue, await selectBusy(past.tx, office.orgId), random.fork())
    const lives: PastLife[] = []
    for (const { demand, ...days } of chapters) {
      const plannedAt = Date.parse(days.from) - 40 * dayMs
      await past.at(plannedAt)
      const ids = await schedulePast(callOf(services, past.tx, office, new Date(plannedAt)), catalogue.tours, days)
      await past.count('departures')
      for (const departure of await selectPast(past.tx, office.orgId, ids)) {
        const tour = catalogue.tours.find(({ id }) => id === departure.tourId)
        if (tour) lives.push(lifeOf(departure, tour, roster.crewFor(departure, tour), { ...sources, demand }))
      }
    }
    rememberTours(lives)
    // where a table does not say when something was written
    await past.at(now - pastDays * dayMs)
    await writeGuests(past, sources.guests.all, now - personalDataMs)
    await past.count('travelers')
    await writeLives(past, lives, office)
    await writeIncidents(past, lives, random.fork(), { userId: office.userId, timeZone })
  })
}

async function writeLives(past: PastWrites, lives: readonly PastLife[], { userId }: Office): Promise<void> {
  await writeDays(past, lives)
  await past.count('departure_stops')
  await writeBookings(past, lives, userId)
  await writeManifests(past, lives, userId)
  await past.count('manifest_entries')
  await writeCounts(past, lives, userId)
  await writeCrews(past, lives)
  await writeDuties(past, lives)
  await writeFeedback(past, lives, userId)
}

/** What guests have seen of us in the end is known from the first: it is written with them. */
function rememberTours(lives: readonly PastLife[]): void {
  for (const { cancelReason, parties, endedAt } of lives) {
    if (cancelReason !== null) continue
    for (const { guest } of parties.flatMap(({ cancelledAt, entries }) =>
      cancelledAt === null ? entries.filter(isCarried) : [],
    )) {
      guest.tours += 1
      guest.lastAt = Math.max(guest.lastAt, endedAt)
    }
  }
}

/** As the verb of planning is called, inside of the history's transaction. */
function callOf(services: Services, tx: Tx, { orgId, userId }: Office, moment: Date): MemberCall {
  return {
    ...services,
    tx,
    orgId,
    clock: movableClock(moment),
    caller: { userId, orgId, sessionId: null, name: '', email: '' },
    actor: { kind: 'system', id: null },
    request: { requestId: newId(), ip: null, signal: new AbortController().signal },
    role: 'operations_manager',
    permission: 'departures:manage',
    scope: 'all',
    staffId: null,
  }
}

async function selectOffice(tx: Tx, orgId: string): Promise<{ timeZone: string; prefix: string; refs: string[] }> {
  const { rows } = await sql<{ timeZone: string; prefix: string; refs: string[] }>`
    select s.time_zone as "timeZone", s.booking_ref_prefix as prefix,
      array(select b.booking_ref from bookings b where b.org_id = s.org_id) as refs
    from org_settings s where s.org_id = ${orgId}`.execute(tx)
  const office = rows[0]
  if (!office) throw new Error(`No organization ${orgId}`)
  return office
}
