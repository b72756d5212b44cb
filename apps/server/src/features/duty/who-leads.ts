import { hasAccess } from '@tour-ops/contract/identity/access'
import type { MemberCall } from '../../context.ts'

/** Who is responsible on the way. */
const leadRoles = ['lead_guide', 'tour_leader']

/**
 * Whether somebody may open boarding, set out and finish: the office, and the person who leads the departure. A tour must not wait at the terminal
 * until somebody in the office presses a button. See docs/decisions/0058.
 */
export const leads = (call: Pick<MemberCall, 'role'>, role: string | null): boolean =>
  hasAccess(call, { permission: 'departures:dispatch' }) || (role !== null && leadRoles.includes(role))
