import { updateDeparture } from '@tour-ops/contract/departures/departure-edit'
import { getDeparture, listDepartures, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { AppError } from '@tour-ops/contract/errors'
import pLimit from 'p-limit'
import type { Services } from '../src/context.ts'
import { readFact, writeFact } from '../src/platform/installation.ts'
import { addDays, localDateOf } from '../src/platform/local-time.ts'
import { crewedDays, scheduleTour, seedCrew, type SeededDeparture, selectDepartures } from './calendar.ts'
import { findCatalogue } from './catalogue.ts'
import { seedDays } from './days.ts'
import { findGuests } from './guests.ts'
import { seedParties } from './parties.ts'
import { demoPerson, type Person, sideBySide } from './person.ts'
import { seededRandom } from './random.ts'
import { awaitedStatuses, hasStatus, runningStatuses } from '@tour-ops/contract/state-machines'
import { dayMs } from './spans.ts'

/** A tour whose end is this long past is completed: its crew only forgot to mark it. */
const forgottenMs = 2 * 60 * 60_000

/** What the fact `demo` remembers. */
interface Planned {
  /** The last day, by UTC, on which the demo was brought up to date. */
  readonly plannedOn?: string
}

/** The calendar of a demo that was stopped for longer has a gap before these days. */
const continuedDays = 5

/** Remembers that the demo is planned as of a moment. */
export const rememberPlanned = ({ db }: Services, now: Date): Promise<void> =>
  writeFact(db.ownerPool, 'demo', { plannedOn: dayOf(now) } satisfies Planned)

/**
 * Brings a demo of an earlier day up to today: the calendar continues, crews are settled and seats are sold for the days that have come nearer, and
 * the days between have been lived through. Tried once a day, and what fails is logged: people can work with the demo as it was. Of what a
 * visitor changed meanwhile nothing is undone.
 */
export async function renewDemo(services: Services, signal?: AbortSignal): Promise<void> {
  const now = services.clock.now()
  const remembered = await readFact<Planned>(services.db.ownerPool, 'demo')
  if (!remembered || remembered.plannedOn === dayOf(now)) return
  const manager = await demoPerson(services, 'operations_manager', 'Simulated office')
  if (!manager) return
  const startedAt = performance.now()
  const plannedOn = new Date(`${remembered.plannedOn ?? remembered.at.slice(0, 10)}T00:00:00Z`)
  try {
    await planAhead(services, manager, plannedOn, now)
    if (!signal?.aborted) await liveThrough(services, manager, now)
  } catch (error) {
    if (!signal?.aborted) services.log.warn({ err: error }, 'the demo could not be brought up to today')
  }
  // the next start continues where this one was stopped
  if (signal?.aborted) return
  await rememberPlanned(services, now)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  services.log.info({ seconds }, 'the demo was brought up to today')
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

const isOpen = ({ status }: SeededDeparture): boolean => hasStatus(awaitedStatuses, status)

async function planAhead(services: Services, manager: Person, plannedOn: Date, now: Date): Promise<void> {
  const random = seededRandom(Math.floor(now.getTime() / dayMs))
  const catalogue = await findCatalogue(manager.at(now))
  const from = new Date(Math.max(plannedOn.getTime(), now.getTime() - continuedDays * dayMs))
  manager.at(new Date(now.getTime() - 40 * dayMs))
  for (const tour of catalogue.tours) {
    const firstDay = addDays(localDateOf(from, tour.timeZone), 1)
    await attempt(services, tour.code, () => scheduleTour(manager, tour, firstDay, now))
  }
  const open = (await selectDepartures(manager.at(now))).filter(isOpen)
  const settledUntil = plannedOn.getTime() + crewedDays * dayMs
  const uncrewed = open.filter(
    ({ startsAt, leadGuide, vehicle }) => Date.parse(startsAt) > settledUntil && leadGuide === null && vehicle === null,
  )
  await attempt(services, 'crews', () => seedCrew(manager, catalogue, uncrewed, now))
  const guests = await findGuests(manager.at(now))
  await eachOf(services, open, (departure) =>
    seedParties(manager.apart(), catalogue.tours, [departure], guests, random.fork(), now),
  )
  await attempt(services, 'decisions', () => decideTonight(manager.at(now), now))
}

/** What should have happened while nobody looked. */
async function liveThrough(services: Services, manager: Person, now: Date): Promise<void> {
  const random = seededRandom(Math.floor(now.getTime() / dayMs))
  const departures = await selectDepartures(manager.at(now))
  const forgotten = departures.filter(
    ({ status, endsAt }) => hasStatus(runningStatuses, status) && Date.parse(endsAt) + forgottenMs < now.getTime(),
  )
  await eachOf(services, forgotten, (departure) => bringBack(manager.apart(), departure))
  const begun = departures.filter((one) => isOpen(one) && Date.parse(one.startsAt) <= now.getTime())
  await eachOf(services, begun, (departure) => seedDays(manager.apart(), [departure], random.fork(), now))
}

async function bringBack(manager: Person, { id, endsAt, status }: SeededDeparture): Promise<void> {
  manager.at(new Date(endsAt))
  const steps = status === 'boarding' ? (['in_progress', 'completed'] as const) : (['completed'] as const)
  for (const to of steps) {
    const { version } = await manager.call(getDeparture, { id })
    await manager.call(setDepartureStatus, { id, version, to, reason: 'As planned' })
  }
}

async function eachOf(
  services: Services,
  departures: readonly SeededDeparture[],
  work: (departure: SeededDeparture) => Promise<void>,
): Promise<void> {
  await pLimit(sideBySide).map(departures, (departure) => attempt(services, departure.code, () => work(departure)))
}

/** What a visitor changed may block one step; the others continue. */
async function attempt({ log }: Services, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.debug({ err: error, what }, 'a part of the demo stays as it is')
  }
}

/** Lisbon by night is one guest short, and whether it goes is decided today. See docs/domain.md, "Demo organization". */
export async function decideTonight(manager: Person, now: Date): Promise<void> {
  const today = localDateOf(now, 'Europe/Lisbon')
  const { rows } = await manager.call(listDepartures, { q: 'FOOD', filters: { from: today, to: today } })
  for (const { id, version, capacity, minPax, overbookLimit, language, startsAt } of rows) {
    const decideBy = new Date(Date.parse(startsAt) - 2 * 3_600_000).toISOString()
    await manager.call(updateDeparture, { id, version, capacity, minPax, overbookLimit, language, decideBy })
  }
}
