import type { In, Out } from '@tour-ops/contract/callable'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import {
  applyImport,
  correctImport,
  createImport,
  getImport,
  importRows,
  mapImport,
  previewImport,
  readImportAs,
  undoImport,
} from '@tour-ops/contract/imports/imports'
import { sql } from 'kysely'
import { newId } from '../src/platform/ids.ts'
import type { TestCaller, TestWorld } from './world.ts'
import { verbsOf } from './verbs.ts'
import type { ImportJob } from '../src/features/imports/batches-store.ts'
import type { ImportJobData } from '../src/features/imports/import-run.ts'
import { runImportJob } from '../src/features/imports/imports-jobs.ts'
import { importsVerbs } from '../src/features/imports/imports-service.ts'

export const verbOf = verbsOf(importsVerbs)

export interface TestDeparture {
  readonly id: string
  readonly code: string
}

export interface DepartureWish {
  readonly code: string
  readonly capacity?: number
  readonly days?: number
  readonly salesStatus?: string
  readonly units?: readonly object[]
}

const adult = { unitType: 'adult', priceMinor: 4900, currency: 'EUR' }
const child = { unitType: 'child', priceMinor: 2500, currency: 'EUR', requiresAdult: true }

/** A departure on 21 November 2031 at 09:00 in Reykjavík, with pickups at City Hall 08:20 and Harpa 08:40. */
export function addDeparture(who: TestCaller, wish: DepartureWish): Promise<TestDeparture> {
  const { code, capacity = 20, days = 1, salesStatus = 'open', units = [adult, child] } = wish
  const { orgId } = who
  return who.transaction(async (tx) => {
    const [tourId, revisionId, id] = [newId(), newId(), newId()]
    const tour = code.split('-')[0] ?? code
    const tourCode = `${tour}${tourId.slice(-4)}`.toUpperCase().slice(0, 16)
    await sql`insert into tours (org_id, id, code, name) values (${orgId}, ${tourId}, ${tourCode}, 'Golden Circle')`.execute(
      tx,
    )
    await sql`insert into tour_revisions (org_id, id, tour_id, number, content)
      values (${orgId}, ${revisionId}, ${tourId}, 1, ${JSON.stringify({ units })}::jsonb)`.execute(tx)
    await sql`insert into departures (org_id, id, code, tour_id, revision_id, starts_at, ends_at, time_zone, local_date, local_start_time,
        capacity, sales_status)
      values (${orgId}, ${id}, ${code}, ${tourId}, ${revisionId}, '2031-11-21T09:00Z',
        '2031-11-21T17:00Z'::timestamptz + make_interval(days => ${days - 1}), 'Atlantic/Reykjavik', '2031-11-21', '09:00', ${capacity},
        ${salesStatus})`.execute(tx)
    for (const [order, [name, time]] of (
      [
        ['City Hall', '08:20'],
        ['Harpa', '08:40'],
      ] as const
    ).entries()) {
      const placeId = newId()
      await sql`insert into places (org_id, id, name, lat, lng) values (${orgId}, ${placeId}, ${name}, 64, -21)`.execute(
        tx,
      )
      await sql`insert into departure_stops (org_id, id, departure_id, stop_order, place_id, kind, planned_arrive_at, planned_depart_at)
        values (${orgId}, ${newId()}, ${id}, ${order}, ${placeId}, 'pickup', ${`2031-11-21T${time}Z`}, ${`2031-11-21T${time}Z`})`.execute(
        tx,
      )
    }
    return { id, code }
  })
}

export interface TourWish {
  readonly code: string
  readonly name: string
  readonly capacity?: number
  readonly status?: string
  /** When it usually starts. */
  readonly times?: readonly string[]
  readonly timeZone?: string
  /** False: its seats have no prices. */
  readonly isPriced?: boolean
}

/** A published tour of eight hours without departures, with a pickup at Old Harbour 20 minutes after its start. */
export function addTour(who: TestCaller, wish: TourWish): Promise<{ id: string }> {
  const {
    code,
    name,
    capacity = 10,
    status = 'published',
    times = [],
    timeZone = 'Atlantic/Reykjavik',
    isPriced = true,
  } = wish
  const { orgId } = who
  return who.transaction(async (tx) => {
    const [id, revisionId, placeId] = [newId(), newId(), newId()]
    await sql`insert into places (org_id, id, name, lat, lng) values (${orgId}, ${placeId}, 'Old Harbour', 64, -21)`.execute(
      tx,
    )
    await sql`insert into tours (org_id, id, code, name, default_capacity, duration_min, time_zone, min_pax)
      values (${orgId}, ${id}, ${code}, ${name}, ${capacity}, 480, ${timeZone}, 2)`.execute(tx)
    const stops = [{ id: newId(), dayIndex: 1, order: 1, placeId, kind: 'pickup', offsetMin: 20, dwellMin: 5 }]
    await sql`insert into tour_revisions (org_id, id, tour_id, number, content, published_at)
      values (${orgId}, ${revisionId}, ${id}, 1, ${JSON.stringify({ units: isPriced ? [adult, child] : [], stops })}::jsonb, app_now())`.execute(
      tx,
    )
    for (const step of new Set(['published', status])) {
      await sql`update tours set status = ${step}, current_revision_id = ${revisionId} where org_id = ${orgId} and id = ${id}`.execute(
        tx,
      )
    }
    for (const time of times) {
      await sql`insert into tour_options (org_id, id, tour_id, name, start_times_local)
        values (${orgId}, ${newId()}, ${id}, ${time}, ${[time]}::time[])`.execute(tx)
    }
    return { id }
  })
}

/** Columns of a reseller that no preset knows. */
export const fileHead =
  'Order no.;Reseller;Trip code;Given name;Family name;Type;Born;Nat.;Mobile;Meal;Hotel stop;Stop time;Balance;Internal'

/** A file of the reseller. */
export const file = (...lines: string[]): string => [fileHead, ...lines].join('\r\n')

// a party of two, and one guest
export const amara =
  'FJ-1;fjordsales;GOLD-311121-0900;Amara;Okafor;ADT;1989-07-04;GB;+44 7700 900181;vegan, no nuts;City Hall;8:20;0;x7'
export const jonas = 'FJ-1;fjordsales;GOLD-311121-0900;Jonas;Weber;CHD;2019-01-30;DE;;;City Hall;8:20;0;'
export const mehmet = 'FJ-2;fjordsales;GOLD-311121-0900;Mehmet;Kaya;ADT;1990-05-31;TR;+90 532 000 0000;;Harpa;;12,50;'

/** A guest as an import has written them. */
export interface GuestRow {
  name: string
  ref: string
  pax: number
  channel: string
  paid: number
  total: number
  status: string
  unitType: string
  born: string | null
  phone: string | null
  dietary: string[]
  pickup: string | null
  batch: string | null
}

/** What a person with the wizard does, job by job. */
export class Importer {
  readonly #world: TestWorld
  readonly #who: TestCaller

  constructor(world: TestWorld, who: TestCaller) {
    this.#world = world
    this.#who = who
  }

  async upload(content: string | Buffer, name = 'november.csv'): Promise<ImportBatch> {
    const { orgId, userId } = this.#who
    const file = await this.#who.transaction((tx) =>
      this.#world.services.files.put(tx, orgId, {
        use: 'import',
        name,
        content: Buffer.isBuffer(content) ? content : Buffer.from(content),
        createdBy: userId,
      }),
    )
    return this.#who.call(verbOf(createImport), { fileId: file.id })
  }

  map(batch: ImportBatch, mapping: Partial<ImportMapping>): Promise<ImportBatch> {
    return this.#who.call(verbOf(mapImport), {
      id: batch.id,
      version: batch.version,
      mapping: { ...batch.mapping, ...mapping },
    })
  }

  readAs(batch: ImportBatch, reading: In<typeof readImportAs>['reading']): Promise<ImportBatch> {
    return this.#who.call(verbOf(readImportAs), { id: batch.id, version: batch.version, reading })
  }

  async preview(
    batch: ImportBatch,
    choices: Pick<In<typeof previewImport>, 'duplicates' | 'createDepartures'> = {},
  ): Promise<ImportBatch> {
    await this.#who.call(verbOf(previewImport), { id: batch.id, version: batch.version, ...choices })
    return this.work('preview', batch.id)
  }

  /** Corrects cells, or takes that back, and checks again. */
  async correct(
    batch: ImportBatch,
    changes: Omit<In<typeof correctImport>, 'id' | 'version' | 'idempotencyKey'>,
  ): Promise<ImportBatch> {
    await this.#who.call(verbOf(correctImport), { id: batch.id, version: batch.version, ...changes })
    return this.work('preview', batch.id)
  }

  async apply(batch: ImportBatch): Promise<ImportBatch> {
    await this.#who.call(verbOf(applyImport), { id: batch.id, version: batch.version })
    return this.work('apply', batch.id)
  }

  async undo(batch: ImportBatch): Promise<ImportBatch> {
    await this.#who.call(verbOf(undoImport), { id: batch.id, version: batch.version })
    return this.work('undo', batch.id)
  }

  /** Does the job that was requested last, as a worker would. */
  async work(job: ImportJob, batchId: string, signal?: AbortSignal): Promise<ImportBatch> {
    const asked = this.#world.enqueued.findLast((each) => each.name === `imports-${job}`)
    if (!asked) throw new Error(`nobody asked for ${job}`)
    await this.run(job, asked.data, signal)
    return this.get(batchId)
  }

  /** The same for a job that was requested earlier. */
  run(job: ImportJob, data: object, signal?: AbortSignal): Promise<void> {
    return runImportJob(this.#world.services, job, data as ImportJobData, signal)
  }

  get(id: string): Promise<ImportBatch> {
    return this.#who.call(verbOf(getImport), { id })
  }

  async rows(batch: ImportBatch): Promise<Out<typeof importRows>['rows']> {
    return (await this.#who.call(verbOf(importRows), { id: batch.id })).rows
  }

  /** From the file to a finished import. */
  async importFile(content: string | Buffer, name?: string): Promise<ImportBatch> {
    return this.apply(await this.preview(await this.upload(content, name)))
  }

  /** Everybody who is booked, by last name. */
  guests(): Promise<GuestRow[]> {
    return this.look(
      (orgId) => sql<GuestRow>`
        select t.first_name || ' ' || t.last_name as name, b.external_ref as ref, b.pax, b.channel, b.amount_paid_minor as paid,
          b.amount_total_minor as total, b.status, m.unit_type as "unitType", v.date_of_birth as born, t.phone, t.dietary, p.name as pickup,
          t.import_batch_id as batch
        from manifest_entries m join bookings b on b.org_id = m.org_id and b.id = m.booking_id
        join travelers t on t.org_id = m.org_id and t.id = m.traveler_id
        left join traveler_private v on v.org_id = t.org_id and v.traveler_id = t.id
        left join departure_stops s on s.org_id = m.org_id and s.id = m.pickup_stop_id
        left join places p on p.org_id = s.org_id and p.id = s.place_id
        where m.org_id = ${orgId} order by t.last_name`,
    )
  }

  /** Seats that are taken on a departure. */
  async seats(departureId: string): Promise<number> {
    const [row] = await this.look(
      (orgId) =>
        sql<{
          seats: number
        }>`select seats_confirmed as seats from departures where org_id = ${orgId} and id = ${departureId}`,
    )
    return row?.seats ?? -1
  }

  /** Values of the first row of a statement, to look at what was written. */
  look<R>(statement: (orgId: string) => ReturnType<typeof sql<R>>): Promise<R[]> {
    return this.#who.transaction(async (tx) => (await statement(this.#who.orgId).execute(tx)).rows)
  }
}

/** An organization of its own, somebody who imports, and the departure of the files. */
export async function importDesk(
  world: TestWorld,
): Promise<{ who: TestCaller; importer: Importer; gold: TestDeparture }> {
  const who = await world.as('operations_manager')
  return { who, importer: new Importer(world, who), gold: await addDeparture(who, { code: 'GOLD-311121-0900' }) }
}
