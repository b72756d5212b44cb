import { databaseWireStatusOf, type DatabaseCode } from '@tour-ops/contract/database-codes'
import { mayReadLive, type LivePerson } from '@tour-ops/contract/live/live-access'
import { collectionOf, liveTopics, matchLivePath, type MatchedLivePath } from '@tour-ops/contract/live/live-paths'
import type { ChangeRow } from './read-changes.ts'

/** A target that may be listened to, and the lanes of the feed that it listens to. */
export interface ResolvedTarget {
  readonly target: string
  readonly kind: 'stored' | 'virtual'
  /** The only document wanted; undefined for all of the lane. */
  readonly path: string | undefined
  readonly lanes: readonly string[]
}

export interface RefusedTarget {
  readonly target: string
  readonly status: string
  readonly message: string
}

const refuse = (target: string, code: DatabaseCode, message: string): RefusedTarget => ({
  target,
  status: databaseWireStatusOf(code),
  message,
})

/** Sorts what a person asks for into what they may hear and what not. */
export function resolveTargets(
  targets: readonly string[],
  person: LivePerson,
): { accepted: ResolvedTarget[]; refused: RefusedTarget[] } {
  const accepted: ResolvedTarget[] = []
  const refused: RefusedTarget[] = []
  for (const target of new Set(targets)) {
    const match = matchLivePath(target)
    if (!match) refused.push(refuse(target, 'invalid-argument', 'There are no documents at this place.'))
    else if (!mayReadLive(match, person)) refused.push(refuse(target, 'permission-denied', 'You may not read this.'))
    else accepted.push(resolve(target, match, person))
  }
  return { accepted, refused }
}

function resolve(target: string, match: MatchedLivePath, person: LivePerson): ResolvedTarget {
  const { kind } = match.rule
  if (match.target === 'document') {
    return { target, kind, path: target, lanes: [kind === 'virtual' ? target : match.collection] }
  }
  return { target, kind, path: undefined, lanes: kind === 'virtual' ? topicLanes(target, person) : [target] }
}

/** A collection of topics is every topic that the person may read. */
function topicLanes(collection: string, person: LivePerson): string[] {
  return liveTopics
    .map((topic) => `${collection}/${topic}`)
    .filter((path) => {
      const match = matchLivePath(path)
      return match !== undefined && mayReadLive(match, person)
    })
}

/** Topic of the rows that stand for stored documents; their entity is the path. */
export const documentsTopic = 'documents'

/** The lane that a change belongs to: its topic's document, or the collection of the stored document that was written. */
export const laneOf = ({ owner, topic, entityId }: ChangeRow): string =>
  topic === documentsTopic ? collectionOf(entityId) : `orgs/${owner}/changes/${topic}`

/** Lanes of topics are documents themselves; lanes of stored documents are collections. */
export const isTopicLane = (lane: string): boolean => {
  const match = matchLivePath(lane)
  return match?.target === 'document' && match.rule.kind === 'virtual'
}
