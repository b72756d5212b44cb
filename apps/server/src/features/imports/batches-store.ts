import type { ImportReading } from '@tour-ops/contract/imports/import-reading'
import type {
  DuplicateChoice,
  EditedGuest,
  ImportCounts,
  importJobs,
  importPhases,
} from '@tour-ops/contract/imports/import-batch'
import { ImportMapping } from '@tour-ops/contract/imports/import-mapping'
import { importMappings } from '@tour-ops/contract/saved-views/saved-views'
import type { StatusOf } from '@tour-ops/contract/state-machines'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { deleteAllCorrections } from './corrections-store.ts'
import type { FileAnalysis } from './file-analysis.ts'

export type ImportJob = (typeof importJobs)[number]
export type ImportPhase = (typeof importPhases)[number]

/** A run without a heartbeat for this long has died with its process; the next caller may start again. */
const deadAfterSeconds = 180

export interface BatchRecord {
  id: string
  version: number
  fileId: string | null
  fileName: string
  sha256: string | null
  status: StatusOf<'import_batches'>
  mapping: ImportMapping
  template: string | null
  /** Which likely duplicates are imported. */
  duplicates: DuplicateChoice
  /** Departures that lines name and that are not there are made. */
  createDepartures: boolean
  /** How many those are: as checked, as made, or as left by an undo. */
  newDepartures: number
  /** Corrected cells. */
  corrections: number
  /** What a person decided about the reading of the file. */
  reading: ImportReading | null
  tookMs: number | null
  counts: ImportCounts | null
  error: { reason: string; params: Record<string, string>; message: string; lines: number[] } | null
  createdAt: Date
  createdByName: string | null
  appliedAt: Date | null
  undoneAt: Date | null
  undoUntil: string | null
  /** Its file is that of the rejected lines. */
  keepsRejected: boolean
  analysis: FileAnalysis
  /** `FileSamples`, sealed; null where they were removed. */
  samples: Buffer | null
  kept: EditedGuest[]
  runId: string | null
  job: ImportJob | null
  phase: ImportPhase | null
  done: number
  total: number
  startedAt: Date | null
  /** A job is running, and alive. */
  isRunning: boolean
  sameFileAppliedAt: Date | null
}

const columns = sql`
  b.id, b.version, b.file_id as "fileId", b.file_name as "fileName", encode(b.sha256, 'hex') as sha256, b.status, b.mapping,
  b.options ->> 'template' as template, b.options -> 'reading' as reading,
  coalesce(b.options -> 'duplicates', '{"usual": "take", "except": []}') as duplicates, coalesce((b.options ->> 'createDepartures')::boolean, false) as "createDepartures",
  (select count(*)::int from import_departures n where n.org_id = b.org_id and n.batch_id = b.id) as "newDepartures",
  (b.options ->> 'tookMs')::int as "tookMs",
  -- checks of earlier versions counted no warnings, and one guest per line
  jsonb_build_object('warned', 0, 'duplicates', 0, 'guests', b.counts -> 'add') || nullif(b.counts, '{}') as counts,
  b.errors -> 0 as error, b.created_at as "createdAt", coalesce(m.name, m.email) as "createdByName", b.applied_at as "appliedAt",
  b.undone_at as "undoneAt", (b.options ->> 'undoUntil') as "undoUntil",
  b.file_id is not null and b.options ? 'keepsRejected' as "keepsRejected", w.analysis, w.samples, w.kept, w.run_id as "runId", w.job, w.phase, w.done,
  w.total, w.started_at as "startedAt",
  w.phase is not null and w.heartbeat_at > app_now() - make_interval(secs => ${deadAfterSeconds}) as "isRunning",
  (select count(*)::int from import_corrections c where c.org_id = b.org_id and c.batch_id = b.id) as corrections,
  (select max(o.applied_at) from import_batches o where o.org_id = b.org_id and o.id <> b.id and o.sha256 = b.sha256
    and o.status = 'applied') as "sameFileAppliedAt"
  from import_batches b join import_work w on w.org_id = b.org_id and w.batch_id = b.id
  left join members m on m.org_id = b.org_id and m.user_id = b.created_by`

/** @throws AppError `not-found`, also for batches of other organizations. */
export async function selectBatch(tx: Tx, orgId: string, id: string): Promise<BatchRecord> {
  const { rows } = await sql<BatchRecord>`select ${columns} where b.org_id = ${orgId} and b.id = ${id}`.execute(tx)
  if (!rows[0]) throw notFound('import')
  return rows[0]
}

/** Newest first. */
export async function selectBatches(
  tx: Tx,
  orgId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BatchRecord[]; total: number }> {
  const { rows } = await sql<BatchRecord>`
    select ${columns} where b.org_id = ${orgId} order by b.created_at desc, b.id desc limit ${limit} offset ${offset}`.execute(
    tx,
  )
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from import_batches where org_id = ${orgId}`.execute(tx)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

export interface NewBatch {
  readonly id: string
  readonly fileId: string
  readonly fileName: string
  readonly sha256: string | null
  readonly mapping: ImportMapping
  readonly template: string | null
  readonly createdBy: string
  readonly analysis: FileAnalysis
  /** Sealed. */
  readonly samples: Buffer
}

export async function insertBatch(tx: Tx, orgId: string, batch: NewBatch): Promise<void> {
  await sql`
    insert into import_batches (org_id, id, kind, file_id, file_name, sha256, mapping, options, created_by)
    values (${orgId}, ${batch.id}, 'manifest', ${batch.fileId}, ${batch.fileName}, decode(${batch.sha256}, 'hex'),
      ${JSON.stringify(batch.mapping)}::jsonb, ${JSON.stringify({ template: batch.template })}::jsonb, ${batch.createdBy})`.execute(
    tx,
  )
  await sql`insert into import_work (org_id, batch_id, analysis, samples)
    values (${orgId}, ${batch.id}, ${JSON.stringify(batch.analysis)}::jsonb, ${batch.samples})`.execute(tx)
}

/** What a person decides about a check. */
export interface CheckChoices {
  /** Which likely duplicates are imported. */
  readonly duplicates?: DuplicateChoice | undefined
  readonly createDepartures?: boolean | undefined
}

/** The check that follows carries the choices out, the one before is worthless. */
export async function updateChoices(tx: Tx, orgId: string, id: string, choices: CheckChoices): Promise<void> {
  await sql`update import_batches set options = options || ${JSON.stringify(choices)}::jsonb, counts = '{}', errors = '[]'
    where org_id = ${orgId} and id = ${id}`.execute(tx)
}

/** A changed decision makes an earlier check worthless. */
export async function updateMapping(
  tx: Tx,
  orgId: string,
  id: string,
  { mapping, template }: { mapping: ImportMapping; template: string | null },
): Promise<void> {
  await sql`update import_batches set mapping = ${JSON.stringify(mapping)}::jsonb, counts = '{}', errors = '[]',
      options = options || ${JSON.stringify({ template })}::jsonb
    where org_id = ${orgId} and id = ${id}`.execute(tx)
}

/** Lets one caller at a time decide about a batch: whoever waited sees what the other has written. */
export async function lockBatch(tx: Tx, orgId: string, id: string): Promise<void> {
  await sql`select from import_batches where org_id = ${orgId} and id = ${id} for update`.execute(tx)
}

export interface NewReading {
  readonly reading: ImportReading
  readonly mapping: ImportMapping
  readonly template: string | null
  readonly analysis: FileAnalysis
  /** Sealed. */
  readonly samples: Buffer
}

/**
 * Stores what another reading of the file found, with the mapping that fits it.
 *
 * @returns false where a job has begun to work on the batch meanwhile; decided under the row's lock.
 */
export async function updateReading(tx: Tx, orgId: string, id: string, read: NewReading): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update import_work set analysis = ${JSON.stringify(read.analysis)}::jsonb, samples = ${read.samples}
    where org_id = ${orgId} and batch_id = ${id}
      and (phase is null or heartbeat_at <= app_now() - make_interval(secs => ${deadAfterSeconds}))`.execute(tx)
  if (numAffectedRows === 0n) return false
  await updateMapping(tx, orgId, id, read)
  // lines and columns may be others now
  await deleteAllCorrections(tx, { orgId, batchId: id })
  await sql`update import_batches set options = options - 'duplicates' || ${JSON.stringify({ reading: read.reading })}::jsonb
    where org_id = ${orgId} and id = ${id}`.execute(tx)
  return true
}

/** Keeps what a job found out; the caller is in the job's own transaction. */
export async function updateOutcome(
  tx: Tx,
  orgId: string,
  id: string,
  outcome: { status: BatchRecord['status']; counts: ImportCounts | null; error?: BatchRecord['error'] },
): Promise<void> {
  await sql`update import_batches set status = ${outcome.status}, counts = ${JSON.stringify(outcome.counts ?? {})}::jsonb,
      errors = ${JSON.stringify(outcome.error ? [outcome.error] : [])}::jsonb
    where org_id = ${orgId} and id = ${id}`.execute(tx)
}

/** Puts a job to work on a batch: until it is done, nobody else may. */
export async function startWork(tx: Tx, orgId: string, id: string, job: ImportJob, runId: string): Promise<void> {
  await sql`update import_work set run_id = ${runId}, job = ${job}, phase = 'waiting', done = 0, total = 0, started_at = app_now(),
      heartbeat_at = app_now(), stop_requested = false, kept = '[]'
    where org_id = ${orgId} and batch_id = ${id}`.execute(tx)
}

/**
 * Says how far a run is.
 *
 * @returns whether the run continues: false when somebody asked to stop it, or another run took its place.
 */
export async function updateProgress(
  tx: Tx,
  orgId: string,
  id: string,
  runId: string,
  at: { phase: ImportPhase; done: number; total: number },
): Promise<boolean> {
  const { rows } = await sql<{ stop: boolean }>`
    update import_work set phase = ${at.phase}, done = ${at.done}, total = ${at.total}, heartbeat_at = app_now()
    where org_id = ${orgId} and batch_id = ${id} and run_id = ${runId} returning stop_requested as stop`.execute(tx)
  return rows[0]?.stop === false
}

/** @returns whether the run may finish; decided under the row's lock, so that a stop is before it or too late. */
export async function endWork(tx: Tx, orgId: string, id: string, runId: string): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`
    update import_work set run_id = null, phase = null
    where org_id = ${orgId} and batch_id = ${id} and run_id = ${runId} returning stop_requested as stopped`.execute(tx)
  return rows[0]?.stopped === false
}

export async function requestStop(tx: Tx, orgId: string, id: string): Promise<void> {
  await sql`update import_work set stop_requested = true
    where org_id = ${orgId} and batch_id = ${id} and phase is not null`.execute(tx)
}

/** Saved mappings are stored as saved views of this screen. */
export interface TemplateRecord {
  id: string
  name: string
  savedByName: string | null
  mapping: ImportMapping
}

export async function selectTemplates(tx: Tx, orgId: string): Promise<TemplateRecord[]> {
  const { rows } = await sql<Omit<TemplateRecord, 'mapping'> & { mapping: unknown }>`
    select v.id, v.name, coalesce(m.name, m.email) as "savedByName", v.filters as mapping
    from saved_views v left join members m on m.org_id = v.org_id and m.user_id = v.user_id
    where v.org_id = ${orgId} and v.screen = ${importMappings} order by v.name collate "und-x-icu", v.id limit 200`.execute(
    tx,
  )
  // one that an earlier version wrote differently is left out, and does not take the others along
  return rows.flatMap((row) => {
    const mapping = ImportMapping.safeParse(row.mapping)
    return mapping.success ? [{ ...row, mapping: mapping.data }] : []
  })
}

/** The same name again replaces what this person saved under it. */
export async function saveTemplate(
  tx: Tx,
  orgId: string,
  template: { id: string; userId: string; name: string; mapping: ImportMapping },
): Promise<void> {
  await sql`
    insert into saved_views (org_id, id, user_id, screen, name, filters, shared)
    values (${orgId}, ${template.id}, ${template.userId}, ${importMappings}, ${template.name},
      ${JSON.stringify(template.mapping)}::jsonb, true)
    on conflict (org_id, user_id, screen, name) do update set filters = excluded.filters`.execute(tx)
}
