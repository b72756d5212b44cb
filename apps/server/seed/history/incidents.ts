import type { incidentCategories } from '@tour-ops/contract/monitoring/incidents'
import { sql } from 'kysely'
import { newId } from '../../src/platform/ids.ts'
import { localDateOf } from '../../src/platform/local-time.ts'
import type { Random } from '../random.ts'
import { asRows, iso, type PastWrites } from './as-they-ended.ts'
import type { PastLife } from './lives.ts'
import { minuteMs } from '../spans.ts'

/** Of departures that ran, this many have an incident. */
const chance = 0.03

interface Happening {
  readonly category: (typeof incidentCategories)[number]
  readonly severity: 2 | 3 | 4
  readonly title: string
  readonly note: string
}

/** What happens on tours, and how often. */
const happenings: readonly (readonly [Happening, number])[] = [
  [{ category: 'medical', severity: 3, title: 'Guest twisted an ankle', note: 'Bandaged, goes on in the vehicle.' }, 5],
  [
    {
      category: 'medical',
      severity: 2,
      title: 'Guest unwell',
      note: 'Rested with the driver, was fine after an hour.',
    },
    3,
  ],
  [{ category: 'vehicle', severity: 3, title: 'Flat tyre', note: 'Wheel changed by the driver.' }, 4],
  [{ category: 'vehicle', severity: 2, title: 'Vehicle does not start', note: 'Another one was sent.' }, 2],
  [{ category: 'weather', severity: 3, title: 'Road closed by wind', note: 'Waited, then took the longer way.' }, 3],
  [
    {
      category: 'missing_person',
      severity: 2,
      title: 'Guest not back at the meeting point',
      note: 'Found at the shop.',
    },
    2,
  ],
  [
    { category: 'lost_item', severity: 4, title: 'Backpack left behind', note: 'Brought to the office the next day.' },
    5,
  ],
  [
    {
      category: 'complaint',
      severity: 4,
      title: 'Guests complain about the heating',
      note: 'Apologized, vehicle checked.',
    },
    4,
  ],
  [{ category: 'supplier', severity: 3, title: 'Lunch was not prepared', note: 'Eaten an hour later.' }, 2],
  [{ category: 'near_miss', severity: 3, title: 'Guest slipped on a wet step', note: 'Nobody hurt, rope put up.' }, 2],
]

/** Minutes until somebody in the office has it, and until it is over: the worse, the sooner it is acknowledged and the longer it takes. */
const toAcknowledge = { 2: [1, 6], 3: [3, 18], 4: [10, 90] } as const
const toResolve = { 2: [40, 260], 3: [20, 150], 4: [60, 1400] } as const

/** What went wrong on the way, who took it when, and when it was over. */
export async function writeIncidents(
  { tx, orgId }: PastWrites,
  lives: readonly PastLife[],
  random: Random,
  office: { readonly userId: string; readonly timeZone: string },
): Promise<void> {
  const numbers = new Map<string, number>()
  const incidents = lives
    .filter(({ cancelReason }) => cancelReason === null && random.chance(chance))
    .map((life) => ({ ...incidentOn(life, random), departure: life.departure.id }))
    .toSorted((a, b) => a.times.reported - b.times.reported)
    .map((incident) => {
      const year = localDateOf(new Date(incident.times.reported), office.timeZone).slice(0, 4)
      const place = (numbers.get(year) ?? 0) + 1
      numbers.set(year, place)
      return { ...incident, number: `INC-${year}-${String(place).padStart(4, '0')}` }
    })
  const rows = incidents.map(({ times, ...incident }) => ({
    ...incident,
    reported: iso(times.reported),
    closed: iso(times.resolved),
  }))
  await sql`
    insert into incidents (org_id, id, number, title, category, severity, status, departure_id, reported_by, owner_user_id, closed_at, created_at)
    select ${orgId}, i.id, i.number, i.title, i.category, i.severity, 'reviewed', i.departure, ${office.userId}, ${office.userId}, i.closed, i.reported
    from jsonb_to_recordset(${asRows(rows)}::jsonb) as i (id uuid, number text, title text, category text, severity smallint, departure uuid,
      closed timestamptz, reported timestamptz)`.execute(tx)
  const entries = incidents.flatMap(({ id: incident, times, note }) => [
    ...Object.entries(times).map(([status, at]) => ({
      id: newId(),
      incident,
      kind: 'status',
      text: status,
      at: iso(at),
    })),
    { id: newId(), incident, kind: 'note', text: note, at: iso(times.stabilised) },
  ])
  await sql`
    insert into incident_entries (org_id, id, incident_id, at, author_id, kind, text)
    select ${orgId}, e.id, e.incident, e.at, ${office.userId}, e.kind, e.text
    from jsonb_to_recordset(${asRows(entries)}::jsonb) as e (id uuid, incident uuid, at timestamptz, kind text, text text)`.execute(
    tx,
  )
  const series = [...numbers].map(([year, last]) => ({ name: `incident-${year}`, last }))
  await sql`
    insert into number_series (org_id, name, last_value)
    select ${orgId}, s.name, s.last from jsonb_to_recordset(${asRows(series)}::jsonb) as s (name text, last int)`.execute(
    tx,
  )
}

function incidentOn({ startedAt, endedAt }: PastLife, random: Random) {
  const happening = random.weighted(happenings)
  const minutes = ([from, to]: readonly [number, number]) => random.between(from, to) * minuteMs
  const reported = startedAt + Math.floor(random.next() * (endedAt - startedAt) * 0.8)
  const triaged = reported + minutes(toAcknowledge[happening.severity])
  const active = triaged + minutes([1, 5])
  const resolved = active + minutes(toResolve[happening.severity])
  const stabilised = active + Math.floor((resolved - active) * 0.6)
  const reviewed = resolved + minutes([600, 2400])
  return { ...happening, id: newId(), times: { reported, triaged, active, stabilised, resolved, reviewed } }
}
