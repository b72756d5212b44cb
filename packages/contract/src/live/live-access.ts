import { scopeOf, type Role } from '../identity/access.ts'
import { isLiveTopic, topicPermissions, type LiveAccess, type MatchedLivePath } from './live-paths.ts'

/** A person as the path rules see them. `orgId`, `role` and `staffId` are those of an active membership, otherwise null. */
export interface LivePerson {
  readonly userId: string
  readonly orgId: string | null
  readonly role: Role | null
  readonly staffId: string | null
}

/** Documents of another organization than the active one are closed, whatever the role. */
function isInside(match: MatchedLivePath, person: LivePerson): boolean {
  const { org, user } = match.params
  if (match.rule.pattern.startsWith('orgs/')) return org === person.orgId && person.role !== null
  return user === person.userId
}

function allows(access: LiveAccess, match: MatchedLivePath, person: LivePerson): boolean {
  switch (access.kind) {
    case 'server':
      return false
    case 'member':
      return true
    case 'self':
      return match.params['user'] === person.userId
    case 'own-subject': {
      const scope = person.role && scopeOf(person.role, access.permission)
      if (scope === 'all') return true
      return scope === 'own' && person.staffId !== null && match.params['subject'] === person.staffId
    }
    case 'topic': {
      const { topic } = match.params
      if (topic === undefined) return true
      return isLiveTopic(topic) && person.role !== null && scopeOf(person.role, topicPermissions[topic]) !== undefined
    }
  }
}

/** Whether a person may read a document or list a collection. A collection of topics is open; each topic is checked by itself. */
export const mayReadLive = (match: MatchedLivePath, person: LivePerson): boolean =>
  isInside(match, person) && allows(match.rule.read, match, person)

/** Whether a person may write a document from a client; collections are never written. */
export const mayWriteLive = (match: MatchedLivePath, person: LivePerson): boolean =>
  match.target === 'document' && isInside(match, person) && allows(match.rule.write, match, person)
