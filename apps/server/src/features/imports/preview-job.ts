import { randomBytes } from 'node:crypto'
import { bookingRefOf } from '@tour-ops/contract/bookings/booking-ref'
import type { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { localDateOf } from '../../platform/local-time.ts'
import { amountsOf } from './amounts-of-file.ts'
import { type BatchRecord, endWork, selectBatch, updateOutcome } from './batches-store.ts'
import { type BatchFacts, channelOf, loadFacts } from './batch-facts.ts'
import type { Correction } from './cell-corrections.ts'
import { Claims } from './claims.ts'
import { selectCorrections } from './corrections-store.ts'
import { DepartureBook } from './departure-book.ts'
import { withCountedRows } from './file-rows.ts'
import { type TableRow, unreadable } from './file-table.ts'
import { problem } from './import-problems.ts'
import { type ImportRun, Stopped } from './import-run.ts'
import { ImportSeal } from './import-seal.ts'
import { jobSourceOf } from './job-source.ts'
import { numbersOf } from './numbers-of-file.ts'
import { PartiesOfFile } from './likely-duplicates.ts'
import { nameKeyOf, PeopleOfFile } from './people-of-file.ts'
import { proposeDepartures } from './new-departures.ts'
import { deleteProposed, deleteUnused } from './new-departures-store.ts'
import { type Begin, withOneBehind } from './one-behind.ts'
import type { PlanMemory } from './plan-context.ts'
import { planParty } from './plan-party.ts'
import { RoomBook } from './plan-rooms.ts'
import { selectTakenRefs } from './plan-store.ts'
import type { BatchKey, Party, StagedRow } from './plan-types.ts'
import { quoter } from './quoted-cells.ts'
import { rowReader } from './read-row.ts'
import type { ReadContext } from './read-context.ts'
import type { RowValues } from './row-values.ts'
import { countOutcomes, deleteRows, insertRows, selectParties, updateAmended, updatePlanned } from './staging-store.ts'

/** Lines that are read, compared and stored at once: the number in memory at a time. */
const batchRows = 1_000
/** People under one reference at most. Source: contract, guests of a booking. */
const maxParty = 500

/** The dry run: reads the whole file into the staging table, then compares it party by party. Writes nothing else. */
export async function runPreview(run: ImportRun): Promise<void> {
  const { orgId, batchId, runId } = run.data
  const { batch, corrections, settings } = await run.transaction(async (tx) => {
    await deleteRows(tx, run.key)
    return {
      batch: await selectBatch(tx, orgId, batchId),
      corrections: await selectCorrections(tx, run.services.sealed, run.key),
      settings: await selectSettings(tx, orgId),
    }
  })
  const context: ReadContext = {
    mapping: batch.mapping,
    today: localDateOf(run.services.clock.now(), settings.timeZone),
    seal: new ImportSeal(run.services.sealed, run.key),
    numbers: numbersOf(batch.analysis, batch.mapping),
  }
  const tooLarge = await run.watched(() => stageFile(run, batch, { context, corrections }))
  await withOneBehind((store) =>
    compareRows(run, batch, { refPrefix: settings.refPrefix, seal: context.seal, tooLarge }, store),
  )
  await run.transaction(async (tx) => {
    if (batch.createDepartures) await deleteUnused(tx, run.key)
    const counts = await countOutcomes(tx, run.key)
    if (!(await endWork(tx, orgId, batchId, runId))) throw new Stopped()
    await updateOutcome(tx, orgId, batchId, { status: 'previewed', counts })
  })
}

async function selectSettings(tx: Tx, orgId: string): Promise<{ timeZone: string; refPrefix: string }> {
  const { rows } = await sql<{ timeZone: string; refPrefix: string }>`
    select time_zone as "timeZone", booking_ref_prefix as "refPrefix" from org_settings where org_id = ${orgId}`.execute(
    tx,
  )
  return rows[0] ?? { timeZone: 'UTC', refPrefix: 'TOR' }
}

/** How the rows of a file are read. */
interface Staging {
  readonly context: ReadContext
  readonly corrections: readonly Correction[]
}

/** @returns the parties that have more people than one booking can. */
async function stageFile(run: ImportRun, batch: BatchRecord, staging: Staging): Promise<ReadonlySet<number>> {
  const source = await jobSourceOf(run, batch)
  return withCountedRows(source, batch, staging.corrections, (rows) =>
    withOneBehind((store) => stageRows(run, batch, staging.context, rows, store)),
  )
}

async function stageRows(
  run: ImportRun,
  batch: BatchRecord,
  context: ReadContext,
  found: AsyncGenerator<TableRow>,
  store: Begin,
): Promise<ReadonlySet<number>> {
  const { headers, rows: total } = batch.analysis
  const read = rowReader(headers, context)
  const quoted = quoter(batch)
  const parties = new Parties()
  let lines = 0
  let done = 0
  let buffer: StagedRow[] = []
  const flush = (): Promise<void> => {
    const rows = buffer
    buffer = []
    return store(async () => {
      await run.transaction((tx) => insertRows(tx, run.key, rows))
      done += rows.length
      await run.report('reading', done, total)
    })
  }
  await run.report('reading', 0, total)
  for await (const row of found) {
    lines += 1
    const { values, problems, warnings } = read(row)
    const { party, isTooLarge } = parties.place(values, row.line)
    const all = isTooLarge ? [...problems, partyTooLarge] : problems
    buffer.push({ line: row.line, party, values, problems: all.map(quoted), warnings: warnings.map(quoted) })
    if (buffer.length >= batchRows) await flush()
  }
  if (buffer.length > 0) await flush()
  if (lines === 0) throw unreadable('no_rows', 'The file has no rows below its header.')
  return parties.tooLarge
}

const partyTooLarge = problem('party_too_large', null, { max: String(maxParty) })

/** Which lines belong together, by the keys of docs/domain.md, "Imports". */
class Parties {
  readonly #parties = new Map<string, { line: number; size: number }>()
  readonly tooLarge = new Set<number>()

  /** A line that is one too many is a separate party, so that a file with one reference throughout is not compared all at once. */
  place(values: RowValues, line: number): { party: number; isTooLarge: boolean } {
    const key = partyKeyOf(values)
    const party = this.#parties.get(key) ?? { line, size: 0 }
    this.#parties.set(key, party)
    party.size += 1
    if (party.size <= maxParty) return { party: party.line, isTooLarge: false }
    this.tooLarge.add(party.line)
    return { party: line, isTooLarge: true }
  }
}

/** Seller's reference within its channel, else our own, else the shared room, else the person on the departure. */
function partyKeyOf(values: RowValues): string {
  const { externalRef, bookingRef, roomKey, dateOfBirth } = values
  if (externalRef !== undefined) return `x ${channelOf(values)} ${externalRef}`
  if (bookingRef !== undefined) return `b ${bookingRef}`
  const departure = values.departureCode ?? `${values.tourCode} ${values.startDate} ${values.startTime}`
  if (roomKey) return `r ${departure} ${roomKey}`
  return `p ${departure} ${nameKeyOf(values)} ${dateOfBirth ?? ''}`
}

interface Comparison {
  readonly refPrefix: string
  readonly seal: ImportSeal
  readonly tooLarge: ReadonlySet<number>
}

async function compareRows(
  run: ImportRun,
  batch: BatchRecord,
  { refPrefix, seal, tooLarge }: Comparison,
  store: Begin,
): Promise<void> {
  const { words } = batch.mapping
  const proposals = await run.transaction(async (tx) => {
    await deleteProposed(tx, run.key)
    return proposeDepartures({ tx, orgId: run.key.orgId, clock: run.services.clock }, run.key, words)
  })
  const memory: PlanMemory = {
    departures: new DepartureBook(words, { proposals, areMade: batch.createDepartures }),
    claims: new Claims(),
    people: new PeopleOfFile(),
    rooms: new RoomBook(),
    parties: new PartiesOfFile(),
    onBoard: new Map(),
  }
  const mapping = { ...batch.mapping, amountsOf: amountsOf(batch.analysis, batch.mapping) }
  const refs = new FreeRefs(refPrefix)
  const headerOf = headerFinder(batch.mapping)
  const total = batch.analysis.rows
  const readNext = async (after: number): Promise<Read> => {
    // read in one transaction and write in another: a transaction may be repeated, and what the lines before decided must not be
    const read = await run.transaction(async (tx) => {
      const rows = await selectParties(tx, run.key, after, batchRows)
      const facts = await loadFacts(tx, run.data.orgId, memory.departures, rows)
      await refs.prepare(tx, run.key, rows.length)
      return { rows, facts }
    })
    refs.reserve(read.rows.length)
    return read
  }
  const readAhead = (after: number): Promise<Read> => {
    const read = readNext(after)
    // told where it is awaited, which a stop may come before
    read.catch(() => undefined)
    return read
  }
  let done = 0
  let next = readAhead(0)
  for (;;) {
    await run.report('checking', done, total)
    const { rows, facts } = await next
    const last = rows.at(-1)
    if (!last) return
    // the next lines come while these are compared, and these are stored while the next are
    next = readAhead(last.party)
    const now = run.services.clock.now()
    const context = {
      mapping,
      duplicates: batch.duplicates,
      facts,
      memory,
      now,
      seal,
      headerOf,
      freeRef: () => refs.take(),
    }
    const planned = partiesOf(rows).flatMap((party) => planParty(context, refusedIf(tooLarge, party)))
    refs.release(rows.length)
    const amended = new Map(memory.claims.amended)
    memory.claims.amended.clear()
    await store(() =>
      run.transaction(async (tx) => {
        await updatePlanned(tx, run.key, planned, seal)
        await updateAmended(tx, run.key, amended, seal)
      }),
    )
    done += rows.length
  }
}

/** Lines to be compared, with what the database knows about them. */
interface Read {
  readonly rows: readonly StagedRow[]
  readonly facts: BatchFacts
}

/** The lines of a party whose others were too many are refused with them. */
function refusedIf(tooLarge: ReadonlySet<number>, party: Party): Party {
  const [first, ...others] = party
  if (!tooLarge.has(first.party)) return party
  const wrong = (row: StagedRow): StagedRow => ({ ...row, problems: [...row.problems, partyTooLarge] })
  const last = others.pop()
  return last ? [first, ...others, wrong(last)] : [wrong(first)]
}

function partiesOf(rows: readonly StagedRow[]): Party[] {
  const parties: [StagedRow, ...StagedRow[]][] = []
  for (const row of rows) {
    const party = parties.at(-1)
    if (party?.[0]?.party === row.party) party.push(row)
    else parties.push([row])
  }
  return parties
}

function headerFinder({ columns }: ImportMapping): (field: string) => string | null {
  const headers = new Map(Object.entries(columns).map(([header, field]) => [field as string, header]))
  return (field) => headers.get(field) ?? null
}

/** Unused booking references, neither in the database nor earlier in the file. */
class FreeRefs {
  readonly #prefix: string
  readonly #given = new Set<string>()
  #free: string[] = []
  /** Lines that may still take one. */
  #reserved = 0

  constructor(prefix: string) {
    this.#prefix = prefix.slice(0, 4)
  }

  async prepare(tx: Tx, { orgId }: BatchKey, count: number): Promise<void> {
    while (this.#free.length < this.#reserved + count) {
      const wanted = this.#reserved + count - this.#free.length
      const made = new Set(Array.from({ length: wanted + 8 }, () => bookingRefOf(this.#prefix, randomBytes(6))))
      const taken = new Set(await selectTakenRefs(tx, orgId, [...made]))
      for (const ref of made) {
        if (taken.has(ref) || this.#given.has(ref)) continue
        this.#given.add(ref)
        this.#free.push(ref)
      }
    }
  }

  reserve(count: number): void {
    this.#reserved += count
  }

  release(count: number): void {
    this.#reserved -= count
  }

  take(): string {
    const ref = this.#free.pop()
    if (ref === undefined) throw new Error('prepare() makes one reference per line')
    return ref
  }
}
