import type { answerRollCall, SharedRollCall } from '@tour-ops/contract/links/shared-page'
import type { Given } from '@tour-ops/contract/callable'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { iso } from '../../platform/list-query.ts'
import type { NoticeCall } from '../../platform/notices.ts'
import { addToHelpCall, callForHelp } from '../../platform/operations/help-calls.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'
import { statuses } from '../../platform/operations/status-sets.ts'

/**
 * The people of the link's booking in roll calls of open incidents, or its traveler alone. Only these links know who reads them; the link of a
 * whole departure would let everybody answer for everybody.
 */
const ownResponses = ({ orgId, departureId, bookingId, travelerId }: OpenLink): RawBuilder<unknown> => sql`
  roll_call_responses r
  join roll_calls c on c.org_id = r.org_id and c.id = r.roll_call_id
  join incidents i on i.org_id = c.org_id and i.id = c.incident_id and i.status not in ${statuses.overIncident}
  join travelers v on v.org_id = r.org_id and v.id = r.traveler_id
  where r.org_id = ${orgId} and i.departure_id = ${departureId}
    and exists (select from manifest_entries e where e.org_id = r.org_id and e.departure_id = i.departure_id
      and e.traveler_id = r.traveler_id and e.booking_id = ${bookingId} and e.status <> 'cancelled')
    and (${travelerId}::uuid is null or r.traveler_id = ${travelerId})`

interface ResponseRow {
  id: string
  rollCallId: string
  askedAt: Date
  question: string | null
  firstName: string
  answer: string
}

/** The newest roll call that asks somebody of the booking; null where none does. */
export async function selectGuestRollCall(tx: Tx, link: OpenLink): Promise<SharedRollCall | null> {
  if (link.bookingId === null) return null
  const { rows } = await sql<ResponseRow>`
    select r.id, c.id as "rollCallId", c.sent_at as "askedAt", c.question,
      coalesce(nullif(v.preferred_name, ''), v.first_name) as "firstName", r.answer
    from ${ownResponses(link)} order by c.sent_at desc, c.id, 5, r.id`.execute(tx)
  const newest = rows[0]
  if (!newest) return null
  return {
    askedAt: iso(newest.askedAt),
    question: newest.question,
    people: rows
      .filter(({ rollCallId }) => rollCallId === newest.rollCallId)
      .map(({ id, firstName, answer }) => ({ id, firstName, answer: isGiven(answer) ? answer : null })),
  }
}

const isGiven = (answer: string): answer is 'safe' | 'need_help' => answer === 'safe' || answer === 'need_help'

const helpKeyOf = (responseId: string): string => `sos:roll-call:${responseId}`

type Answer = Pick<Given<typeof answerRollCall>, 'people' | 'answer'>

/** Stores what the people of the booking answered, and how many of them were found; each one who needs help is an alert. */
export async function writeGuestAnswers(call: NoticeCall, link: OpenLink, { people, answer }: Answer): Promise<number> {
  if (link.bookingId === null) return 0
  const { rows } = await sql<{ id: string; incidentId: string; name: string }>`
    update roll_call_responses n set answer = ${answer}, answered_at = app_now(), answered_by = 'guest'
    from (select r.org_id, r.id, i.id as "incidentId", concat_ws(' ', v.first_name, v.last_name) as name from ${ownResponses(link)}
      and r.id = any (${[...new Set(people)]}::uuid[])) own
    where n.org_id = own.org_id and n.id = own.id
    returning n.id, own."incidentId", own.name`.execute(call.tx)
  const at = call.clock.now()
  // taken by nobody yet, whatever the incident's owner does: a call for help is on the board until somebody takes it
  for (const { id, incidentId, name } of answer === 'need_help' ? rows : []) {
    const caller = { name, staffId: null, departureId: link.departureId, incidentId, key: helpKeyOf(id) }
    await callForHelp(call, caller, { at })
  }
  // a wrong tap is corrected on the board as well; the office still closes the call
  for (const { id } of answer === 'safe' ? rows : [])
    await addToHelpCall(call.tx, call.orgId, helpKeyOf(id), { overAt: at })
  return rows.length
}
