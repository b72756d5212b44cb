/** A place in the change log. Rows are read in the order of (tx, seq); both are 64-bit numbers and travel as text. */
export interface FeedPosition {
  readonly tx: string
  readonly seq: string
}

/** Negative, zero or positive, as `a` stands before, at or after `b`. */
export function comparePositions(a: FeedPosition, b: FeedPosition): number {
  return compareNumbers(a.tx, b.tx) || compareNumbers(a.seq, b.seq)
}

/** Texts of whole numbers: the shorter is the smaller, so no BigInt is made for every row and listener. */
function compareNumbers(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  if (a === b) return 0
  return a < b ? -1 : 1
}

export const earlierOf = (a: FeedPosition, b: FeedPosition): FeedPosition => (comparePositions(a, b) <= 0 ? a : b)

/** What stands in the `id:` of an event. The epoch names the database: its transaction numbers mean nothing elsewhere. */
export const eventIdOf = (epoch: string, { tx, seq }: FeedPosition): string => `${epoch}.${tx}.${seq}`

/** The place behind an event id; undefined for an id of another database, or of nobody. */
export function positionOfEventId(epoch: string, id: string): FeedPosition | undefined {
  const parts = /^([\w-]{1,60})\.(\d{1,20})\.(\d{1,19})$/.exec(id)
  if (!parts || parts[1] !== epoch) return undefined
  return { tx: parts[2] as string, seq: parts[3] as string }
}
