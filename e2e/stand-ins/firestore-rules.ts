import { roles, type Role } from '@tour-ops/contract/identity/access'
import { mayReadLive, mayWriteLive, type LivePerson } from '@tour-ops/contract/live/live-access'
import { matchLivePath } from '@tour-ops/contract/live/live-paths'
import type { RuleRequest } from './firestore-store.ts'
import { plainOf, type CachedDocument } from './firestore-values.ts'

/** The rules of live documents as the contract defines them. `deploy/firebase/firestore.rules` says the same in Google's language. */
export function liveRules({ auth, method, path, before, after, lookUp }: RuleRequest): boolean {
  const match = matchLivePath(path)
  if (!match || !auth) return false
  const person = personOf(auth, lookUp)
  if (method === 'get' || method === 'list') return mayReadLive(match, person)
  const { writableFields } = match.rule
  if (!mayWriteLive(match, person)) return false
  if (match.name === 'presence' && after && plainOf(after)['name'] !== accountNameOf(auth)) return false
  return writableFields === undefined || (method === 'update' && isOnlyChanged(before, after, writableFields))
}

const accountNameOf = (auth: Readonly<Record<string, unknown>>): unknown =>
  auth['person_name'] ?? auth['name'] ?? auth['person_email'] ?? auth['email'] ?? auth['sub']

function personOf(auth: Readonly<Record<string, unknown>>, lookUp: RuleRequest['lookUp']): LivePerson {
  const userId = String(auth['sub'])
  const orgId = typeof auth['org_id'] === 'string' ? auth['org_id'] : null
  const member = orgId === null ? undefined : lookUp(`orgs/${orgId}/members/${userId}`)
  const { role, staffId } = member ? plainOf(member) : {}
  if (!roles.includes(role as Role)) return { userId, orgId: null, role: null, staffId: null }
  return { userId, orgId, role: role as Role, staffId: typeof staffId === 'string' ? staffId : null }
}

function isOnlyChanged(
  before: CachedDocument | undefined,
  after: CachedDocument | undefined,
  fields: readonly string[],
): boolean {
  const [old, next] = [before?.fields ?? {}, after?.fields ?? {}]
  const names = new Set([...Object.keys(old), ...Object.keys(next)])
  return [...names].every((name) => fields.includes(name) || JSON.stringify(old[name]) === JSON.stringify(next[name]))
}
