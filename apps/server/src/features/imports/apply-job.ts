import { importUndoDays, type ImportCounts } from '@tour-ops/contract/imports/import-batch'
import { refuse } from '@tour-ops/contract/refusals'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { addDays, localDateOf } from '../../platform/local-time.ts'
import { lockSeats, promoteWaitlist } from '../../platform/operations/seats.ts'
import { organizationZone } from '../../platform/organization-zone.ts'
import { type SeatsWanted, selectSeatsWanted, selectSpans } from './apply-store.ts'
import { endWork, selectBatch, updateOutcome } from './batches-store.ts'
import { cancelGuests, selectDeparturesFreed } from './cancelled-guests.ts'
import { selectCorrections } from './corrections-store.ts'
import { createDepartures } from './create-departures.ts'
import { sellingEnded } from './departure-book.ts'
import { withCountedRows } from './file-rows.ts'
import { forgetApplied } from './forget-file.ts'
import { sendImportNotice } from './import-notice.ts'
import { type ImportRun, Stopped } from './import-run.ts'
import { jobSourceOf } from './job-source.ts'
import { selectProposed } from './new-departures-store.ts'
import { keepRefused, type RefusedRow, refusedRows } from './rejected-store.ts'
import { selectRejected } from './staging-store.ts'
import {
  insertBookings,
  insertPlanned,
  type Lines,
  selectKinds,
  targets,
  updatePlanned,
  writePaid,
  writeRooms,
} from './write-plans.ts'

/**
 * Writes what the check has found, all of it or nothing: one transaction, whose rows carry the batch. People first, so that the departures are
 * locked only while their bookings are written.
 */
export async function runApply(run: ImportRun): Promise<void> {
  const { orgId, batchId } = run.data
  const startedMs = performance.now()
  await run.report('seats', 0, 0)
  const { counts, seats } = await run.transaction(async (tx) => {
    const batch = await selectBatch(tx, orgId, batchId)
    if (batch.status !== 'previewed' || !batch.counts) throw new Stopped()
    const wanted = await selectSeatsWanted(tx, run.key)
    const proposed = new Set((await selectProposed(tx, run.key, false)).map(({ id }) => id))
    // Holds that have expired are swept here, where the mark of the import does not fall on them.
    await requireSeats(
      run,
      tx,
      wanted.filter(({ departureId }) => !proposed.has(departureId)),
    )
    return { counts: batch.counts, seats: wanted }
  })
  const refused = counts.reject > 0 ? await run.watched(() => readRejected(run)) : undefined
  await run.report('travelers', 0, counts.add + counts.change)
  await run.watchedTransaction(async (tx) => {
    await writeAll(run, tx, counts, seats)
    await finish(run, tx, { counts, refused, tookMs: Math.round(performance.now() - startedMs) })
  }, batchId)
  // the run is over, and whoever watches it may see that before this goes on
  await run.conclude(async (tx) => {
    const { channels } = run.services
    const freed = await selectDeparturesFreed(tx, run.key)
    await lockSeats({ tx, orgId, channels }, freed)
    for (const id of freed) await promoteWaitlist({ tx, orgId, channels }, id)
  })
  await run.conclude(async (tx) => {
    await sql`select refresh_statistics(${counts.guests})`.execute(tx)
  })
}

async function writeAll(run: ImportRun, tx: Tx, counts: ImportCounts, seats: readonly SeatsWanted[]): Promise<void> {
  const spans = await selectSpans(tx, run.key)
  const kinds = await selectKinds(tx, run.key)
  const people = counts.add + counts.change
  const lines = spans.map((span): Lines => ({ ...run.key, ...span, kinds }))
  const stale: number[] = []
  let done = 0
  for (const [index, span] of lines.entries()) {
    run.at('travelers', done, people)
    for (const target of [targets.traveler, targets.private, targets.passport]) {
      await insertPlanned(tx, target, span)
      stale.push(...(await updatePlanned(tx, target, span)))
    }
    done = Math.min(people, done + (spans[index]?.lines ?? 0))
  }
  requireFresh(stale)
  run.at('bookings', 0, counts.bookingsWritten)
  await createDepartures({ tx, orgId: run.key.orgId, clock: run.services.clock }, run.key)
  await requireSeats(run, tx, seats)
  done = 0
  for (const [index, span] of lines.entries()) {
    run.at('bookings', done, counts.bookingsWritten)
    await insertBookings(tx, span, run.data.userId)
    stale.push(...(await updatePlanned(tx, targets.booking, span)))
    stale.push(...(await cancelGuests(tx, span)))
    await writePaid(tx, span, run.data.userId)
    done += spans[index]?.bookings ?? 0
  }
  done = 0
  for (const [index, span] of lines.entries()) {
    run.at('manifest', done, people)
    await insertPlanned(tx, targets.entry, span)
    stale.push(...(await updatePlanned(tx, targets.entry, span)))
    await writeRooms(tx, span)
    done = Math.min(people, done + (spans[index]?.lines ?? 0))
  }
  requireFresh(stale)
}

function requireFresh(stale: readonly number[]): void {
  if (stale.length === 0) return
  const lines = stale.toSorted((a, b) => a - b)
  throw refuse('changed_since_check', { count: lines.length, lines })
}

/** The rules of a booking, for all seats of the file at once, under the lock of their departures. */
async function requireSeats(run: ImportRun, tx: Tx, wanted: readonly SeatsWanted[]): Promise<void> {
  const { orgId } = run.data
  const { channels, clock } = run.services
  const departures = await lockSeats(
    { tx, orgId, channels },
    wanted.map((each) => each.departureId),
  )
  for (const { departureId, seats, lines, channels: sellers } of wanted) {
    const departure = departures.get(departureId)
    const because = departure && sellers.map((seller) => sellingEnded(departure, clock.now(), seller)).find(Boolean)
    if (!departure || because) {
      throw refuse('import_sales_closed', { code: departure?.code ?? null, lines })
    }
    // that a private one takes one party is for the database to say: these are the seats of all parties, old and new
    if (seats > departure.seatsFree) {
      throw refuse('import_seats_exhausted', { code: departure.code, left: departure.seatsFree, asked: seats, lines })
    }
  }
}

/** Lines that the check has rejected, read before anything is locked; none where they are more than one download may hold. */
async function readRejected(run: ImportRun): Promise<RefusedRow[]> {
  const { orgId, batchId } = run.data
  const { batch, corrections, problems } = await run.transaction(async (tx) => ({
    batch: await selectBatch(tx, orgId, batchId),
    corrections: await selectCorrections(tx, run.services.sealed, run.key),
    problems: await selectRejected(tx, run.key),
  }))
  const source = await jobSourceOf(run, batch)
  return (await withCountedRows(source, batch, corrections, (rows) => refusedRows(rows, problems))) ?? []
}

interface Finished {
  readonly counts: ImportCounts
  readonly refused: readonly RefusedRow[] | undefined
  readonly tookMs: number
}

async function finish(run: ImportRun, tx: Tx, { counts, refused = [], tookMs }: Finished): Promise<void> {
  const { orgId, batchId, runId, userId } = run.data
  const today = localDateOf(run.services.clock.now(), await organizationZone({ tx, orgId }))
  const options = JSON.stringify({ tookMs, undoUntil: addDays(today, importUndoDays) })
  await sql`update import_batches set applied_at = app_now(), options = options || ${options}::jsonb
    where org_id = ${orgId} and id = ${batchId}`.execute(tx)
  await updateOutcome(tx, orgId, batchId, { status: 'applied', counts })
  const { fileName } = await selectBatch(tx, orgId, batchId)
  await forgetApplied(tx, run.key)
  if (refused.length > 0) {
    await keepRefused(tx, run.services.files, run.key, { name: fileName, rows: refused, createdBy: userId })
  }
  await sendImportNotice(run, tx, 'applied', counts.add + counts.change)
  if (!(await endWork(tx, orgId, batchId, runId))) throw new Stopped()
}
