import type { DocumentSnapshot, JsonObject } from './documents.ts'
import { livePath, matchLivePath } from './live-paths.ts'

// A hosted database is paid for by documents written and read. So it holds positions together: a document for each departure, and one for
// each subject that is on duty without one. Readers get the same documents as from our own server, one for each subject.

/** What of a `LivePosition` decides where it lies. */
type Position = JsonObject & { readonly subjectId: string; readonly departureId?: string | null }

/** What such a document holds. */
type GatheredPositions = JsonObject & { readonly subjects: Position[] }

/** Puts documents of single subjects together. @returns data by the id of its document. */
export function gatherPositions(documents: readonly DocumentSnapshot[]): Map<string, GatheredPositions> {
  const positions = documents.map(({ data }) => data as Position)
  const gathered = Map.groupBy(positions, ({ departureId, subjectId }) => departureId ?? subjectId)
  return new Map([...gathered].map(([id, subjects]) => [id, { subjects }]))
}

/** Takes them apart again. @param documents As the hosted database has them. */
export function spreadPositions(documents: readonly DocumentSnapshot[]): DocumentSnapshot[] {
  return documents.flatMap(({ path, data, ...times }) => {
    const orgId = matchLivePath(path)?.params['org'] ?? ''
    const { subjects = [] } = (data ?? {}) as Partial<GatheredPositions>
    return subjects.map((position) => ({
      ...times,
      path: livePath.position(orgId, position.subjectId),
      data: position,
    }))
  })
}
