import type { DutyDay, DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { iso } from '../../platform/list-query.ts'
import { addToHelpCall, type CalledFrom, callForHelp, selectHelpCall } from '../../platform/operations/help-calls.ts'
import { reachAs, reachingAsOffice } from '../../platform/own-scope.ts'

// Whoever calls for help is a guide, whose role of the database reaches neither the board nor the inboxes of the office: what is written
// there is written as the office does, with nothing in it that came from the phone but where it is.

type Of<K extends DutyEvent['kind']> = Extract<DutyEvent, { kind: K }>

/** Of a person with an account, or of a run sheet link. */
const keyOf = ({ caller }: MemberCall): string => `sos:duty:${caller.userId}`

/** A call for help is taken whatever departure it names: out of reach, or of nobody, it is a call without one. */
export async function help(call: MemberCall, name: string, event: Of<'help'>, at: Date): Promise<undefined> {
  const { departureId } = event
  await reachAs(call, 'departures:read')
  const { rows } = await sql<{ id: string }>`
    select id from departures where org_id = ${call.orgId} and id = ${departureId}::uuid`.execute(call.tx)
  const caller = {
    name,
    staffId: call.staffId,
    departureId: rows[0]?.id ?? null,
    incidentId: null,
    key: keyOf(call),
  }
  await reachingAsOffice(call, (wide) => callForHelp(wide, caller, { at, place: placeOf(event, at) }))
}

export const helpPlace = (call: MemberCall, event: Of<'help_place'>, at: Date): Promise<'met' | undefined> =>
  metWithout(call, { place: placeOf(event, at) })

/** When the phone was there, by our clock: what is wrong with its clock is wrong with both of its times. */
function placeOf({ at: tappedAt, place }: Of<'help'> | Of<'help_place'>, at: Date): CalledFrom | null {
  if (!place) return null
  const before = Math.max(0, Date.parse(tappedAt) - Date.parse(place.at))
  return { lat: place.lat, lng: place.lng, at: iso(new Date(at.getTime() - before)) }
}

export const helpOver = (call: MemberCall, at: Date): Promise<'met' | undefined> => metWithout(call, { overAt: at })

async function metWithout(call: MemberCall, news: Parameters<typeof addToHelpCall>[3]): Promise<'met' | undefined> {
  const isOpen = await reachingAsOffice(call, ({ tx, orgId }) => addToHelpCall(tx, orgId, keyOf(call), news))
  return isOpen ? undefined : 'met'
}

/** How the caller's own call stands. */
export const selectOwnHelpCall = (call: MemberCall): Promise<DutyDay['help']> =>
  reachingAsOffice(call, ({ tx, orgId }) => selectHelpCall(tx, orgId, keyOf(call)))
