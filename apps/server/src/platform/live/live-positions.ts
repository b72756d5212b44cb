import type { DocumentSnapshot } from '@tour-ops/contract/live/documents'
import { livePath, matchLivePath } from '@tour-ops/contract/live/live-paths'
import { positionTable } from '@tour-ops/contract/live/position-table'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Tx } from '../db/database.ts'
import { newId } from '../ids.ts'
import { reportOutage } from '../outages.ts'
import { documentFrame, frameText, type PathFrame } from './live-frames.ts'

interface PositionRow {
  subjectKind: 'staff' | 'vehicle'
  subjectId: string
  departureId: string | null
  recordedAt: Date
  receivedAt: Date
  lat: number
  lng: number
  accuracyM: number | null
  speedMps: number | null
  headingDeg: number | null
  altitudeM: number | null
  batteryPct: number | null
  isMoving: boolean | null
}

/**
 * The latest positions of those who are on duty, have agreed, and are not on a break, as live documents. They are made from their table, and
 * are no rows of `documents`. Row-level security applies.
 *
 * @param subjectIds Staff members and vehicles; everybody without it.
 */
export async function selectPositions(
  tx: Tx,
  orgId: string,
  subjectIds?: readonly string[],
): Promise<DocumentSnapshot[]> {
  const { rows } = await sql<PositionRow>`
    select case when l.staff_id is null then 'vehicle' else 'staff' end as "subjectKind", l.subject_id as "subjectId", u.departure_id as "departureId",
      l.recorded_at as "recordedAt", l.received_at as "receivedAt", l.lat, l.lng, l.accuracy_m as "accuracyM", l.speed_mps as "speedMps",
      l.heading_deg as "headingDeg", l.altitude_m as "altitudeM", l.battery_pct as "batteryPct", l.is_moving as "isMoving"
    from latest_positions l join duty_sessions u on u.org_id = l.org_id and u.id = l.duty_session_id
    where l.org_id = ${orgId} and u.status = 'open' and u.tracked_from is not null and u.break_started_at is null
      and (${subjectIds === undefined} or l.subject_id::text = any (${[...(subjectIds ?? [])]}::text[]))`.execute(tx)
  return rows.map(({ recordedAt, receivedAt, ...row }) => {
    const at = receivedAt.toISOString()
    return {
      path: livePath.position(orgId, row.subjectId),
      data: { ...row, recordedAt: recordedAt.toISOString(), receivedAt: at },
      createTime: at,
      updateTime: at,
    }
  })
}

/** Whether a target asks for positions, and of whom. */
export function positionsIn(
  target: string,
): { readonly orgId: string; readonly subjectIds?: readonly string[] } | undefined {
  const match = matchLivePath(target)
  if (match?.name !== 'positions') return undefined
  const { org = '', subject } = match.params
  return subject === undefined ? { orgId: org } : { orgId: org, subjectIds: [subject] }
}

/** Where positions are listened to, and how what changed gets there. */
interface Listeners {
  /** Collections of positions that somebody listens to. */
  positionLanes(): readonly string[]
  /** What listeners of a lane were sent last, as text by path: by this class, or when their stream began. */
  readonly told: Map<string, Map<string, string>>
  /**
   * All of it in one message for each listener.
   *
   * @param asTable The same text for listeners who take positions by columns.
   */
  deliverValues(lane: string, frames: readonly PathFrame[], asTable: () => string): void
}

/**
 * Once a second, and while somebody listens: reads the latest positions of an organization and sends what is different. Positions are in no
 * change log, so nobody is asked to read again, and nothing is read for organizations without listeners.
 */
export class LivePositions {
  readonly #db: Database
  readonly #log: Logger
  readonly #listeners: Listeners
  readonly #timer: NodeJS.Timeout
  #isReading = false

  constructor({ db, log, everyMs }: { db: Database; log: Logger; everyMs: number }, listeners: Listeners) {
    this.#db = db
    this.#log = log
    this.#listeners = listeners
    this.#timer = setInterval(() => void this.#tick(), everyMs)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #tick(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const lanes = this.#listeners.positionLanes()
    const { told } = this.#listeners
    for (const lane of told.keys()) if (!lanes.includes(lane)) told.delete(lane)
    try {
      for (const lane of lanes) await this.#tell(lane)
    } catch (error) {
      if (!reportOutage(this.#log, error)) this.#log.warn({ err: error }, 'positions could not be read')
    } finally {
      this.#isReading = false
    }
  }

  async #tell(lane: string): Promise<void> {
    const orgId = positionsIn(lane)?.orgId
    if (orgId === undefined) return
    const documents = await this.#db.transaction(
      { orgId, actor: { kind: 'system', id: null }, action: 'positions-live', requestId: newId() },
      (tx) => selectPositions(tx, orgId),
    )
    // read after the wait: a stream that began meanwhile was sent what may be gone by now
    const before = this.#listeners.told.get(lane) ?? new Map<string, string>()
    const frames = documents.map((document) => documentFrame(document))
    const now = new Map(frames.map(({ path, text }) => [path, text]))
    const gone = [...before.keys()].filter((path) => !now.has(path))
    const isNew = (text: string | undefined, path: string): boolean => before.get(path) !== text
    const moved = frames.filter(({ path, text }) => isNew(text, path))
    const removed = gone.map((path) => documentFrame({ path, data: null, createTime: null, updateTime: null }))
    this.#listeners.told.set(lane, now)
    if (moved.length + removed.length === 0) return
    this.#listeners.deliverValues(lane, [...moved, ...removed], () => {
      const positions = documents.filter(({ path }) => isNew(now.get(path), path))
      const table = frameText({ event: 'positions', data: positionTable(lane, positions) })
      return [positions.length > 0 ? table : '', ...removed.map(({ text }) => text)].join('')
    })
  }
}
