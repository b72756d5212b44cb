import {
  getGeneralSettings,
  getTourSettings,
  updateGeneralSettings,
  updateTourSettings,
} from '@tour-ops/contract/settings/settings'
import type { Role } from '@tour-ops/contract/identity/access'
import { linkMemberStaff, listMembers } from '@tour-ops/contract/members/members'
import type { Services } from '../src/context.ts'
import { inTransaction, longWork, withoutLimits } from '../src/platform/db/pool.ts'
import { withoutGuards } from '../src/platform/db/unguarded.ts'
import { writeFact } from '../src/platform/installation.ts'
import { sweepOrganizations } from '../src/platform/jobs/housekeeping.ts'
import { crewsKnow } from '../src/features/field-staff/crew-news.ts'
import { overdueDepartures } from '../src/features/departures/overdue-departures.ts'
import { alertEvaluation } from '../src/features/monitoring/evaluate-alerts.ts'
import { EmbeddedAccounts } from '../src/platform/identity/embedded-accounts.ts'
import { seedCrew, seedDepartures, selectDepartures } from './calendar.ts'
import { seedBilling } from './billing.ts'
import { countedAsTheyGrow } from './counted-tables.ts'
import { seedCatalogue, type SeededStaff } from './catalogue.ts'
import { demoAccounts, demoEmail, demoPassword } from './data/staff.ts'
import { seedDays } from './days.ts'
import { deleteOrganizations } from './delete-organizations.ts'
import { seedGuests } from './guests.ts'
import { seedParties } from './parties.ts'
import { type Chapter, chaptersUpTo, seedHistory } from './history/seed-history.ts'
import { type Person, person } from './person.ts'
import { seededRandom } from './random.ts'
import { decideTonight, rememberPlanned, renewDemo } from './renew-demo.ts'
import { seedScriptedTools } from './scripted-tools.ts'
import { secondSlug, seedSecondOrganization } from './second-organization.ts'

/** Any number does; this one stays, so that the demo is the same everywhere. */
const seed = 20_260_714

const mainSlug = 'aurora-atlas'
export const demoSlugs = [mainSlug, secondSlug]
/** The office was there before its history begins. */
const foundedDays = 540

/** Written last; without it the demo is only half there. */
export const completeMark = '{"demo":"complete"}'

export interface Account {
  readonly userId: string
  readonly email: string
  readonly name: string
}
export type DemoPeople = Record<Role, Account>

/**
 * Makes the demo organization "Aurora & Atlas" and a small second one by calling the verbs a person would call, with a
 * separate clock. Everything is relative to now, so the demo never ages. Does nothing when it is there already; what an
 * interrupted start left behind is removed first.
 *
 * @param moves Whether a demo of an earlier day is brought up to today.
 * @param chapters Of its history.
 *
 * @see docs/domain.md, "Demo organization"
 */
export async function seedDemo(
  services: Services,
  moves: boolean,
  chapters: readonly Chapter[] = chaptersUpTo(services.clock.now()),
): Promise<void> {
  // PGlite has one connection only, and serves one process.
  if (services.db.kind === 'pglite') return seedOnce(services, moves, chapters)
  // Two processes that start together seed once.
  await withoutLimits(services.db.ownerPool, async (lock) => {
    await lock.query('select pg_advisory_lock($1)', [seed])
    try {
      await seedOnce(services, moves, chapters)
    } finally {
      await lock.query('select pg_advisory_unlock($1)', [seed])
    }
  })
}

async function seedOnce(services: Services, moves: boolean, chapters: readonly Chapter[]): Promise<void> {
  const state = await seedState(services)
  if (state === 'complete') {
    if (moves) await renewDemo(services)
    return
  }
  // before the first account, so that no crash leaves one behind that cannot be distinguished from a real one
  await writeFact(services.db.ownerPool, 'demo')
  if (state === 'interrupted') await removeInterrupted(services)
  const startedAt = performance.now()
  const accounts = new EmbeddedAccounts(services.db.ownerPool)
  const people = await seedAccounts(accounts)
  const members = demoAccounts.map(({ role }) => ({ userId: people[role].userId, role }))
  const { orgId } = await accounts.createOrganization({ name: 'Aurora & Atlas', slug: mainSlug, members })
  await seedMainOrganization(services, orgId, people, chapters)
  await seedSecondOrganization(services, accounts, people)
  await services.db.ownerPool.query('analyze')
  // The board is true from the first look on, and not only when the minute's evaluation has been there.
  await sweepOrganizations(services, [overdueDepartures(services.clock), alertEvaluation, crewsKnow])
  await markComplete(services)
  await rememberPlanned(services, services.clock.now())
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  services.log.info({ seconds }, 'the demo organization is ready')
}

async function seedAccounts(accounts: EmbeddedAccounts): Promise<DemoPeople> {
  const people: Partial<DemoPeople> = {}
  for (const { role, name } of demoAccounts) {
    const email = demoEmail(role)
    const { userId } = await accounts.createAccount({ email, password: demoPassword, name, verified: true })
    people[role] = { userId, email, name }
  }
  return people as DemoPeople
}

async function seedMainOrganization(
  services: Services,
  orgId: string,
  people: DemoPeople,
  chapters: readonly Chapter[],
): Promise<void> {
  const now = services.clock.now()
  const manager = person(services, { ...people.operations_manager, orgId })
  manager.at(new Date(now.getTime() - foundedDays * 86_400_000))
  await describeOrganization(manager)
  const catalogue = await seedCatalogue(manager, now)
  await linkStaff(person(services, { ...people.admin, orgId }), catalogue.staff, people)
  manager.at(new Date(now.getTime() - 60 * 86_400_000))
  const random = seededRandom(seed)
  const guests = await seedGuests(manager, random)
  const planned = await seedDepartures(manager, catalogue.tours, now)
  const counted = (tables: readonly string[]) => countedAsTheyGrow(services.db.ownerPool, tables)
  await seedCrew(
    manager,
    catalogue,
    planned,
    now,
    counted(['assignments', 'staff_calendar_entries', 'vehicle_calendar_entries']),
  )
  // before anybody is on duty: one person has one open duty only
  await seedHistory(services, manager, catalogue, chapters)
  await seedParties(
    manager,
    catalogue.tours,
    planned,
    guests,
    random,
    now,
    counted(['bookings', 'payments', 'manifest_entries']),
  )
  await decideTonight(manager.at(now), now)
  const around = new Set(planned.map(({ id }) => id))
  await seedDays(
    manager,
    (await selectDepartures(manager)).filter(({ id }) => around.has(id)),
    random,
    now,
  )
  await seedScriptedTools(manager, await selectDepartures(manager.at(now)), now)
  await seedBilling(manager, now)
}

async function describeOrganization(manager: Person): Promise<void> {
  const { version, settings } = await manager.call(getGeneralSettings, {})
  await manager.call(updateGeneralSettings, {
    version,
    settings: {
      ...settings,
      name: 'Aurora & Atlas',
      timeZone: 'Atlantic/Reykjavik',
      currency: 'EUR',
      phone: '+44 7700 900118',
      billing: {
        legalName: null,
        address: 'Example Street 1\n101 Reykjavík\nIceland',
        taxNumber: 'IS 000000',
        invoiceNote: 'Payable within 14 days.',
        taxScheme: 'margin',
      },
      map: { lat: 64.15, lng: -21.4, zoom: 6 },
    },
  })
  const rules = await manager.call(getTourSettings, {})
  await manager.call(updateTourSettings, {
    version: rules.version,
    settings: { ...rules.settings, decideByDays: 1 },
  })
}

/** Members of the demo who are on tour themselves. */
async function linkStaff(admin: Person, staff: readonly SeededStaff[], people: DemoPeople): Promise<void> {
  const members = await admin.call(listMembers, { size: 100 })
  for (const { role, staffCode } of demoAccounts) {
    const linked = staff.find((one) => one.code === staffCode)
    const member = members.rows.find((row) => row.kind === 'member' && row.id === people[role].userId)
    if (!linked || !member?.version) continue
    await admin.call(linkMemberStaff, { userId: member.id, version: member.version, staffId: linked.id })
  }
}

async function seedState({ db }: Services): Promise<'none' | 'interrupted' | 'complete'> {
  const { rows } = await db.ownerPool.query<{ metadata: string | null }>(
    'select metadata from identity.organization where slug = $1',
    [mainSlug],
  )
  const found = rows[0]
  if (!found) return 'none'
  return found.metadata === completeMark ? 'complete' : 'interrupted'
}

async function markComplete({ db }: Services): Promise<void> {
  await db.ownerPool.query('update identity.organization set metadata = $1 where slug = $2', [completeMark, mainSlug])
}

/** A partly seeded demo is removed before the next one is made. */
async function removeInterrupted({ db, log }: Services): Promise<void> {
  log.warn('an interrupted start left a partly seeded demo; it is made again')
  await inTransaction(db.ownerPool, async (client) => {
    await client.query(longWork)
    const { rows } = await client.query<{ id: string }>('select id from identity.organization where slug = any($1)', [
      demoSlugs,
    ])
    await withoutGuards(client, () =>
      deleteOrganizations(
        client,
        rows.map(({ id }) => id),
      ),
    )
  })
}
