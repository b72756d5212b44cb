import {
  getLinkedDutyDay,
  type NewDutyEvent,
  sendLinkedDutyEvents,
  type DutyDay,
} from '@tour-ops/contract/duty/duty-phone'
import { maxDutyEvents } from '@tour-ops/contract/duty/duty-terms'
import { createLink } from '@tour-ops/contract/links/links'
import type pg from 'pg'
import { newId } from '../apps/server/src/platform/ids.ts'
import { accountOf, boardingDeparture } from '../apps/server/testing/accounts.ts'
import { type Person, type Program, signIn } from '../apps/server/testing/programs.ts'
import { atMost, type Bench, median, type Measure, type Scale } from './measurement.ts'
import { onServer, type Prepared } from './prepared.ts'
import { sellGuests } from './sold-guests.ts'

/** Goal for everything that waited, milliseconds. */
const goalMs = 10_000

/**
 * What a guide did without a network, once it is back: 200 events in two requests, one after the other, and the day that the phone asks for
 * after them. What the page does, without its drawing and its storage.
 */
export const dutyQueueBench: Bench = {
  name: 'duty-queue',
  title: '200 events that waited on a guide’s phone',
  run: (scale) => onServer('duty-queue', (prepared, program) => measure(prepared, program, scale)),
}

async function measure(prepared: Prepared, { base }: Program, scale: Scale): Promise<Measure[]> {
  const admin = await signIn(base, accountOf('admin'))
  const owner = prepared.owner()
  const [taken, byHand]: [number[], number[]] = [[], []]
  for (let round = 0; round < (scale === 'full' ? 7 : 1); round += 1) {
    taken.push(await sendQueue(admin, await prepareQueue(admin, owner, prepared.orgId)))
    byHand.push(await writeByHand(owner, prepared.orgId, await prepareQueue(admin, owner, prepared.orgId)))
  }
  await owner.end()
  const [value, floor] = [median(taken), median(byHand)]
  return [
    {
      name: '200 events and the day after them',
      value,
      unit: 'ms',
      samples: taken.length,
      against: { name: 'the same rows by hand, without the day', value: floor },
      ratio: floor / value,
      goal: atMost(Math.max(...taken), goalMs, 'ms'),
    },
  ]
}

interface Queue {
  readonly token: string
  readonly departureId: string
  readonly events: readonly NewDutyEvent[]
}

/** A departure with 100 guests whose guide has a link, and what they tapped: all are checked in, some twice, and counted between. */
async function prepareQueue(admin: Person, owner: pg.Pool, orgId: string): Promise<Queue> {
  const departureId = await boardingDeparture(admin, owner, { orgId, capacity: 100 })
  const entryIds = await sellGuests(admin, departureId, 100)
  const { token } = await admin.call(createLink, {
    kind: 'staff_runsheet',
    subjectId: departureId,
    label: 'Bench',
    scopes: { checkin: true },
  })
  const day: DutyDay = await admin.call(getLinkedDutyDay, { token })
  const stopId = day.departures[0]?.departure.stops[0]?.id ?? ''
  return { token, departureId, events: tapsOf(departureId, stopId, entryIds) }
}

function tapsOf(departureId: string, stopId: string, entryIds: readonly string[]): NewDutyEvent[] {
  const stamp = () => ({ id: newId(), at: new Date().toISOString(), departureId })
  const first = entryIds.map((entryId): NewDutyEvent => ({ kind: 'check_in', ...stamp(), entryId }))
  const again = entryIds.slice(0, 40).flatMap((entryId): NewDutyEvent[] => [
    { kind: 'undo_check_in', ...stamp(), entryId },
    { kind: 'check_in', ...stamp(), entryId },
  ])
  const counts = Array.from({ length: 20 }, (_, n): NewDutyEvent => ({
    kind: 'headcount',
    ...stamp(),
    stopId,
    counted: 80 + n,
    reason: 'Still boarding',
  }))
  return [...first, ...again, ...counts]
}

const batchesOf = ({ events }: Queue): NewDutyEvent[][] =>
  Array.from({ length: Math.ceil(events.length / maxDutyEvents) }, (_, n) =>
    events.slice(n * maxDutyEvents, (n + 1) * maxDutyEvents),
  )

/** @returns milliseconds. */
async function sendQueue(phone: Person, queue: Queue): Promise<number> {
  const began = performance.now()
  for (const events of batchesOf(queue)) {
    const sent = { token: queue.token, sentAt: new Date().toISOString(), events }
    const { outcomes } = await phone.call(sendLinkedDutyEvents, sent)
    const failed = outcomes.find(({ outcome }) => outcome !== 'done')
    if (failed) throw new Error(`An event was not taken: ${JSON.stringify(failed)}`)
  }
  await phone.call(getLinkedDutyDay, { token: queue.token })
  return performance.now() - began
}

/**
 * What an expert would write for each batch: one statement for each table, with every trigger, index and constraint, and no check of what is
 * allowed.
 *
 * @returns milliseconds.
 */
async function writeByHand(pool: pg.Pool, orgId: string, queue: Queue): Promise<number> {
  const batches = batchesOf(queue)
  const client = await pool.connect()
  try {
    const began = performance.now()
    for (const events of batches) {
      await client.query('begin')
      for (const statement of statements) await client.query(statement, [orgId, JSON.stringify(events)])
      await client.query('commit')
    }
    return performance.now() - began
  } finally {
    client.release()
  }
}

const taps = `jsonb_to_recordset($2::jsonb) as e (id uuid, kind text, at timestamptz, "departureId" uuid, "entryId" uuid, "stopId" uuid, counted int, reason text)`
const statements = [
  `insert into duty_events (org_id, id, kind, departure_id, by_user_id, device_at, at, event, answer)
   select $1, id, kind, "departureId", 'by hand', at, at, to_jsonb(e), '{"outcome": "done"}' from ${taps}`,
  `insert into check_ins (org_id, id, manifest_entry_id, kind, at, by_user_id, method, client_event_id, device_at)
   select $1, uuidv7(), "entryId", case kind when 'check_in' then 'board' else 'undo' end, at, 'by hand', 'tap', id, at
   from ${taps} where kind in ('check_in', 'undo_check_in')`,
  `update manifest_entries m set status = 'checked_in', check_in_at = e.at
   from (select distinct on ("entryId") * from ${taps} where kind = 'check_in' order by "entryId", at desc) e
   where m.org_id = $1 and m.id = e."entryId"`,
  `insert into headcounts (org_id, id, departure_stop_id, expected, counted, reason, by_user_id, at)
   select $1, uuidv7(), "stopId", 100, counted, reason, 'by hand', at from ${taps} where kind = 'headcount'`,
]
