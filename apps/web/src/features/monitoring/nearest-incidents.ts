import type { IncidentRow } from '@tour-ops/contract/monitoring/incidents'

type Compared = Pick<IncidentRow, 'id' | 'category' | 'reportedAt'> & { departure: { id: string } | null }

/** The others, those most likely about the same thing first: of the same departure, of the same category, reported at nearly the same time. */
export function nearestFirst<T extends Compared>(own: Compared, rows: readonly T[]): T[] {
  const isElsewhere = ({ departure }: T) => Number(own.departure === null || departure?.id !== own.departure.id)
  const isOther = ({ category }: T) => Number(category !== own.category)
  const apart = ({ reportedAt }: T) => Math.abs(Date.parse(reportedAt) - Date.parse(own.reportedAt))
  return rows
    .filter(({ id }) => id !== own.id)
    .toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || isOther(a) - isOther(b) || apart(a) - apart(b))
}
