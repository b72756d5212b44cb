import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { lockSeats, promoteWaitlist } from '../../platform/operations/seats.ts'
import { selectDeparturesWritten, selectSpans } from './apply-store.ts'
import { restoreGuests, selectDeparturesFreed } from './cancelled-guests.ts'
import { endWork, selectBatch, updateOutcome } from './batches-store.ts'
import { selectEditedGuests, selectEditedParties } from './edited-parties.ts'
import { forgetUndone } from './forget-file.ts'
import { sendImportNotice } from './import-notice.ts'
import { ImportSeal } from './import-seal.ts'
import { type ImportRun, Stopped } from './import-run.ts'
import { removeDepartures } from './remove-departures.ts'
import {
  deletePlanned,
  type Lines,
  restorePlanned,
  selectKinds,
  targets,
  unwritePaid,
  unwriteRooms,
} from './write-plans.ts'

/** People who are listed as not removed, at most; the rest is counted in the rows. */
const maxGuestsListed = 500

/** A traveler whom something else names by now stays, although the import made them. */
const travelerIsNeeded = sql<boolean>`
  exists (select from manifest_entries n where n.org_id = t.org_id and n.traveler_id = t.id)
  or exists (select from feedback n where n.org_id = t.org_id and n.traveler_id = t.id)
  or exists (select from incident_travelers n where n.org_id = t.org_id and n.traveler_id = t.id)
  or exists (select from roll_call_responses n where n.org_id = t.org_id and n.traveler_id = t.id)
  or exists (select from deliveries n where n.org_id = t.org_id and n.traveler_id = t.id)
  or exists (select from travelers n where n.org_id = t.org_id and n.merged_into_id = t.id)`

/** Puts back what the import changed and removes what it made, in the opposite order. Parties edited since are left alone and listed. */
export async function runUndo(run: ImportRun): Promise<void> {
  const { orgId, batchId, runId } = run.data
  await run.report('undoing', 0, 0)
  await run.watchedTransaction(async (tx) => {
    await sql`select set_config('app.undone_batch_id', ${batchId}, true)`.execute(tx)
    const { status, counts } = await selectBatch(tx, orgId, batchId)
    if (status !== 'applied') throw new Stopped()
    const { channels } = run.services
    const freed = await selectDeparturesFreed(tx, run.key)
    const departures = [...new Set([...(await selectDeparturesWritten(tx, run.key)), ...freed])].toSorted()
    await lockSeats({ tx, orgId, channels }, departures)
    const kept = await selectEditedParties(tx, run.key, new ImportSeal(run.services.sealed, run.key))
    await unwriteAll(run, tx, [...kept.keys()])
    for (const id of departures) await promoteWaitlist({ tx, orgId, channels }, id)
    await removeDepartures(tx, run.key)
    await sql`update import_batches set undone_at = app_now() where org_id = ${orgId} and id = ${batchId}`.execute(tx)
    await updateOutcome(tx, orgId, batchId, { status: 'undone', counts })
    const names = await selectEditedGuests(tx, run.key, kept, maxGuestsListed)
    await sql`update import_work set kept = ${JSON.stringify(names)}::jsonb
      where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx)
    await forgetUndone(tx, run.key)
    await sendImportNotice(run, tx, 'undone', 0)
    if (!(await endWork(tx, orgId, batchId, runId))) throw new Stopped()
  })
}

async function unwriteAll(run: ImportRun, tx: Tx, exceptParties: readonly number[]): Promise<void> {
  const spans = await selectSpans(tx, run.key)
  const kinds = await selectKinds(tx, run.key)
  const lines = spans.map((span): Lines => ({ ...run.key, ...span, kinds, exceptParties }))
  const total = spans.reduce((sum, span) => sum + span.lines, 0) * 3
  let done = 0
  const step = async (work: (span: Lines) => Promise<void>): Promise<void> => {
    for (const [index, span] of lines.entries()) {
      run.at('undoing', done, total)
      await work(span)
      done += spans[index]?.lines ?? 0
    }
  }
  await step(async (span) => {
    await unwriteRooms(tx, span)
    await deletePlanned(tx, targets.entry, span)
    await restorePlanned(tx, targets.entry, span)
  })
  await step(async (span) => {
    await unwritePaid(tx, span)
    await deletePlanned(tx, targets.booking, span)
    await restorePlanned(tx, targets.booking, span)
    await restoreGuests(tx, span)
  })
  await step(async (span) => {
    for (const target of [targets.private, targets.passport]) {
      await deletePlanned(tx, target, span)
      await restorePlanned(tx, target, span)
    }
    await deletePlanned(tx, targets.traveler, span, travelerIsNeeded)
    await restorePlanned(tx, targets.traveler, span)
  })
}
