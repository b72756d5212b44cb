import type { Caller } from '../../context.ts'

/** Who calls, by the verified claims of a backend token; `exchange.ts` and the token template put them there. */
export function callerOfClaims(userId: string, claims: Readonly<Record<string, unknown>>): Caller {
  const text = (name: string): string | null => {
    const value = claims[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    userId,
    email: text('person_email') ?? text('email'),
    name: text('person_name') ?? text('name'),
    sessionId: text('sid'),
    orgId: text('org_id'),
  }
}
