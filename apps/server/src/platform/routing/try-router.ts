import type { FieldIssue } from '@tour-ops/contract/errors'
import { refuse } from '@tour-ops/contract/refusals'
import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import { OutsideError } from '../http/outside-request.ts'
import { askRouter, type Router, StrangeAnswer } from './router.ts'

interface Trial {
  readonly router: Router
  /** Where the organization is at home. */
  readonly near: Point
  readonly trustedHosts: readonly string[]
}

/** A way short enough to be in the map of any router that knows the place. */
const trialDegrees = 0.01

/**
 * Asks a router for a short way. That it knows no road there is an answer: it may be the middle of a lake.
 *
 * @throws AppError `invalid-argument` at the field of the address.
 */
export async function tryRouter({ router, near, trustedHosts }: Trial, signal: AbortSignal): Promise<void> {
  if (!URL.canParse(router.address)) throw refusedAddress({ code: 'router_address_form' })
  const to = { lat: near.lat > 89 ? near.lat - trialDegrees : near.lat + trialDegrees, lng: near.lng }
  try {
    await askRouter(router, { from: near, to, mode: 'drive' }, { trustedHosts, signal })
  } catch (error) {
    const { host } = new URL(router.address)
    const issue = issueOf(error, host)
    if (!issue) throw error
    throw refusedAddress(issue, error)
  }
}

const refusedAddress = (issue: FieldIssue, cause?: unknown) =>
  refuse('entries_refused', undefined, { cause, fields: { 'settings.routing.address': [issue] } })

function issueOf(error: unknown, host: string): FieldIssue | null {
  if (error instanceof StrangeAnswer) return { code: 'router_strange', params: { host } }
  if (!(error instanceof OutsideError)) return null
  if (error.fault === 'private') return { code: 'router_private', params: { host } }
  return { code: error.fault === 'silent' ? 'router_silent' : 'router_strange', params: { host } }
}
