import { getDutyDay, getLinkedDutyDay, sendDutyEvents, sendLinkedDutyEvents } from '@tour-ops/contract/duty/duty-phone'
import { sql } from 'kysely'
import type { Call, MemberCall } from '../../context.ts'
import { ownRole } from '../../platform/db/transaction.ts'
import { linkOver, openLink } from '../../platform/operations/open-link.ts'
import { takeRole } from '../../platform/own-scope.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { ownDays, linkedDay } from './duty-day.ts'
import type { FindVerb } from '../../platform/find-verb.ts'
import { applyEvents } from './apply-events.ts'

/**
 * The guide's phone: one answer with everything it keeps, and one call that takes what was done on it.
 *
 * @param find The verbs of other domains: what a phone does is what the office does, later and in one go.
 */
export const dutyPhoneVerbs = (find: FindVerb): Verb[] => [
  verb(getDutyDay, (call) => ownDays(call, find)),
  verb(sendDutyEvents, (call, sent) => applyEvents(call, find, sent)),
  verb(getLinkedDutyDay, async (call, { token }) => {
    const { asLink, departureId, label } = await enterByLink(call, token)
    return linkedDay(asLink, find, { departureId, name: label })
  }),
  verb(sendLinkedDutyEvents, async (call, { token, ...sent }) => {
    const { asLink } = await enterByLink(call, token)
    return applyEvents(asLink, find, sent)
  }),
]

interface Entered {
  /** As a guide whose only departure is the link's: the database shows no other (`own_departures`). */
  readonly asLink: MemberCall
  readonly departureId: string
  readonly label: string
}

/** @throws AppError `not-found` for links that have ended and for those that do not open check-in: the answer reveals nothing. */
async function enterByLink(call: Call, token: string): Promise<Entered> {
  const link = await openLink(call, token)
  if (link.kind !== 'staff_runsheet' || !link.scopes.checkin) throw linkOver()
  const { rows } = await sql<{ label: string }>`
    select label from shared_links where org_id = ${link.orgId} and id = ${link.id}`.execute(call.tx)
  const label = rows[0]?.label ?? ''
  await takeRole(call, ownRole)
  const caller = { userId: link.id, email: null, name: label, sessionId: null, orgId: link.orgId }
  const asLink: MemberCall = {
    ...call,
    caller,
    orgId: link.orgId,
    role: 'guide',
    permission: 'checkin:write',
    scope: 'own',
    staffId: null,
    linkId: link.id,
  }
  return { asLink, departureId: link.departureId, label }
}
