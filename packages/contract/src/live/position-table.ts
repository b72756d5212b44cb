import type { DocumentSnapshot } from './documents.ts'
import type { LivePosition } from './live-paths.ts'

type Columns = { readonly [Field in keyof Required<LivePosition>]: readonly (LivePosition[Field] | null)[] }

/**
 * Positions of a collection by columns: as documents, three quarters of their text are the same names and paths again, and reading ten thousand
 * of them takes a browser longer than a frame.
 */
export interface PositionTable {
  readonly collection: string
  readonly columns: Columns
}

/** Said in `accept` by a reader of the listen stream who takes `positions` events; others get each position as a document. */
export const takesPositionTables = 'text/event-stream;positions=columns'

/** @param documents Positions as the server makes them: named after their subject, and as old as their receipt. */
export function positionTable(collection: string, documents: readonly DocumentSnapshot[]): PositionTable {
  const positions = documents.map(({ data }) => data as unknown as LivePosition)
  const column = <Field extends keyof LivePosition>(field: Field) =>
    positions.map((position) => position[field] ?? null)
  return {
    collection,
    columns: {
      subjectKind: column('subjectKind'),
      subjectId: column('subjectId'),
      departureId: column('departureId'),
      recordedAt: column('recordedAt'),
      receivedAt: column('receivedAt'),
      lat: column('lat'),
      lng: column('lng'),
      accuracyM: column('accuracyM'),
      speedMps: column('speedMps'),
      headingDeg: column('headingDeg'),
      altitudeM: column('altitudeM'),
      batteryPct: column('batteryPct'),
      isMoving: column('isMoving'),
    },
  }
}

/** The documents of a table. Each field has its own line: engines make objects that are written so several times faster than by names in a loop. */
export function documentsInTable({ collection, columns }: PositionTable): DocumentSnapshot[] {
  return columns.subjectId.map((subjectId, row) => {
    const at = columns.receivedAt[row] ?? null
    return {
      path: `${collection}/${subjectId}`,
      data: {
        subjectKind: columns.subjectKind[row] ?? null,
        subjectId,
        departureId: columns.departureId[row] ?? null,
        recordedAt: columns.recordedAt[row] ?? null,
        receivedAt: at,
        lat: columns.lat[row] ?? null,
        lng: columns.lng[row] ?? null,
        accuracyM: columns.accuracyM[row] ?? null,
        speedMps: columns.speedMps[row] ?? null,
        headingDeg: columns.headingDeg[row] ?? null,
        altitudeM: columns.altitudeM[row] ?? null,
        batteryPct: columns.batteryPct[row] ?? null,
        isMoving: columns.isMoving[row] ?? null,
      },
      createTime: at,
      updateTime: at,
    }
  })
}
