import fs from 'node:fs'
import type { Callable } from '@tour-ops/contract/callable'
import { type BookingRow, listBookings } from '@tour-ops/contract/bookings/bookings'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { listTravelers } from '@tour-ops/contract/travelers/travelers'
import { accountOf } from '../apps/server/testing/accounts.ts'
import { newDataFolder } from '../apps/server/testing/programs.ts'
import { inFolder, measureByHand, type Pace, type World } from './board-cost.ts'
import type { BoardByHand } from './boards-by-hand.ts'
import { fillLargeOrganization } from './large-organization.ts'
import { atMost, median, type Bench, type Measure, type Scale } from './measurement.ts'
import { prepareOrganization } from './prepared.ts'

/** Most processor time of the database for a page, milliseconds. */
const goalMs = { office: 100, guide: 100 } as const

/** What somebody who knows the tables would write for the first page of bookings: the page, and the number of all. $1 is the organization. */
const bookingsByHand: BoardByHand = {
  statements: [
    `select b.booking_ref as code, b.contact_name as contact, b.pax, d.code as departure, t.name as tour, p.name as pickup,
       (select count(*)::int from booking_messages g where g.org_id = b.org_id and g.booking_id = b.id and g.author = 'guest' and g.read_at is null) as unread
     from departures d join bookings b on b.org_id = d.org_id and b.departure_id = d.id join tours t on t.org_id = d.org_id and t.id = d.tour_id
       left join places p on p.org_id = b.org_id and p.id = b.pickup_place_id
     where d.org_id = $1 order by d.starts_at desc, b.created_at, b.id limit 50`,
    `select 'number of all' as code, count(*)::int as total from bookings where org_id = $1`,
  ],
}

const told = (answer: unknown) =>
  (answer as { rows: BookingRow[] }).rows.map((row) => ({
    code: row.bookingRef,
    contact: row.contact.name,
    pax: row.pax,
    departure: row.departureCode,
    tour: row.tourName,
    pickup: row.pickupPlaceName,
    unread: row.unreadMessages,
  }))

/** Lists that grow with every day: the office's at the size "Large", and those of the demo's guide, who has led for 90 days. */
export const longListsBench: Bench = {
  name: 'long-lists',
  title: 'Lists that grow with every day',
  async run(scale) {
    const large = await prepareOrganization('long-lists', scale === 'full' ? fillLargeOrganization : undefined)
    const demo = newDataFolder('bench-lists-demo')
    try {
      return [
        ...(await inFolder({ DATA_DIR: large.dataDir }, accountOf('dispatcher'), (world) => ofOffice(world, scale))),
        ...(await inFolder(
          { DATA_DIR: demo, DEMO: 'on', DEMO_MOVES: 'off' },
          { email: 'guide@example.com', password: 'demo-operations' },
          (world) => ofGuide(world, scale),
        )),
      ]
    } finally {
      large.remove()
      fs.rmSync(demo, { recursive: true, force: true })
    }
  },
}

const paceOf = (label: string, scale: Scale): Pace =>
  scale === 'full' ? { label, warmUp: 20, rounds: 7, answers: 20 } : { label, warmUp: 1, rounds: 1, answers: 2 }

async function ofOffice(world: World, scale: Scale): Promise<Measure[]> {
  const pace = paceOf('office, large', scale)
  const ours = await pageCost(world, pace, listBookings, goalMs.office)
  const board = { callable: listBookings, input: { size: 50 }, told }
  return [ours, await measureByHand(pace, board, bookingsByHand, world, ours.value)]
}

async function ofGuide(world: World, scale: Scale): Promise<Measure[]> {
  const measures: Measure[] = []
  for (const callable of [listTravelers, listDepartures, listBookings])
    measures.push(await pageCost(world, paceOf('guide, demo', scale), callable, goalMs.guide))
  return measures
}

/** What one page costs the database. */
async function pageCost(
  { person, databaseMs }: World,
  { label, warmUp, rounds: count, answers }: Pace,
  callable: Callable,
  mostMs: number,
): Promise<Measure> {
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) await person.call(callable, { size: 50 })
  }
  await ask(warmUp)
  const rounds: number[] = []
  for (let round = 0; round < count; round += 1) {
    const before = databaseMs()
    await ask(answers)
    rounds.push((databaseMs() - before) / answers)
  }
  const value = median(rounds)
  return {
    name: `${label}: ${callable.name}, database`,
    value,
    unit: 'ms of processor',
    goal: atMost(value, mostMs, 'ms'),
    samples: rounds.length * answers,
  }
}
