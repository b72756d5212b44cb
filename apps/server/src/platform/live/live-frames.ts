import type { DocumentSnapshot, LiveFrame } from '@tour-ops/contract/live/documents'
import { changedIdsLimit, type LiveChanges } from '@tour-ops/contract/live/live-paths'
import type { RowPlace } from './feed-position.ts'

/** A frame as text without its id, and the document that it is about. */
export interface PathFrame {
  readonly path: string
  readonly text: string
}

/** Source: HTML standard, section "Server-sent events". JSON has no line breaks of its own. */
export const frameText = (frame: LiveFrame): string => `event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`

/** The same frame with a place to resume from. */
export const withId = (eventId: string, text: string): string => `id: ${eventId}\n${text}`

/** The document, or word that there is none. */
export function documentFrame(document: DocumentSnapshot): PathFrame {
  const { path } = document
  const text = document.data
    ? frameText({ event: 'document', data: document })
    : frameText({ event: 'removed', data: { path } })
  return { path, text }
}

const changesVersion = ({ tx, seq }: RowPlace): string => `${tx}.${seq}`

/** What changed in a topic; more ids than the limit are left out altogether, since half a list helps nobody. */
export function changesSnapshot(path: string, ids: readonly string[], last: RowPlace): DocumentSnapshot {
  const isComplete = ids.length <= changedIdsLimit
  const data: LiveChanges = { version: changesVersion(last), ids: isComplete ? [...ids] : [], isComplete }
  return { path, data, createTime: null, updateTime: null }
}
