import { randomId } from '../../../backend/random-id.ts'

const keyOf = (token: string): string => `share-visit-${token.slice(-8)}`
const answered = 'answered'

/** Where storage is switched off: a reload then counts as another visit. */
const withoutStorage = new Map<string, string>()

/**
 * The id of this tab's visit, the same for every question until one is answered (an answer may get lost on its way, and the question be
 * repeated); undefined afterwards, when an open page asks again.
 */
export function visitOf(token: string): string | undefined {
  const known = read(keyOf(token))
  if (known === answered) return undefined
  if (known !== null) return known
  const visit = randomId()
  write(keyOf(token), visit)
  return visit
}

export const markAnswered = (token: string): void => write(keyOf(token), answered)

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return withoutStorage.get(key) ?? null
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    withoutStorage.set(key, value)
  }
}
