/** A row of the change log: the transaction that wrote it and its number. Both are 64-bit numbers and travel as text. */
export interface RowPlace {
  readonly tx: string
  readonly seq: string
}

/** How far the change log was read: everything that is visible in the snapshot. */
export interface FeedPosition {
  /** Counts the reads of this process; positions of one process are compared by it. */
  readonly read: number
  /** As PostgreSQL writes a `pg_snapshot`: `xmin:xmax:running,…`. */
  readonly snapshot: string
}

export const earlierOf = (a: FeedPosition, b: FeedPosition): FeedPosition => (a.read <= b.read ? a : b)

/** The content of an event's `id:`. The epoch names the database and its timeline: its transaction numbers are not valid elsewhere. */
export const eventIdOf = (epoch: string, { snapshot }: FeedPosition): string => `${epoch}.${snapshot}`

/** The snapshot behind an event id; undefined for an id of another database, or of nobody. */
export function snapshotOfEventId(epoch: string, id: string): string | undefined {
  const cut = id.lastIndexOf('.')
  const snapshot = id.slice(cut + 1)
  return id.slice(0, cut) === epoch && parseSnapshot(snapshot) ? snapshot : undefined
}

export interface Snapshot {
  /** The first transaction that had not begun. */
  readonly xmax: bigint
  /** Transactions before it that had not ended, ascending. */
  readonly running: readonly bigint[]
}

export const writeSnapshot = ({ xmax, running }: Snapshot): string =>
  `${running[0] ?? xmax}:${xmax}:${running.join(',')}`

/** More transactions than any of our servers runs at once. */
const longestSnapshot = 20_000
const largest = 2n ** 63n

/** Reads what PostgreSQL takes as a `pg_snapshot`. Source: PostgreSQL, xid8funcs.c, parse_snapshot. */
export function parseSnapshot(text: string): Snapshot | undefined {
  const parts = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/.exec(text)
  if (!parts || text.length > longestSnapshot) return undefined
  const [xmin, xmax] = [BigInt(parts[1] ?? 0), BigInt(parts[2] ?? 0)]
  const running = (parts[3] ? parts[3].split(',') : []).map(BigInt)
  const isInside = running.every((xid) => xid >= xmin && xid < xmax)
  const isAscending = running.every((xid, index) => index === 0 || xid > (running[index - 1] ?? xid))
  return xmin > 0n && xmin <= xmax && xmax < largest && isInside && isAscending ? { xmax, running } : undefined
}
