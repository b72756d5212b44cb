import type { PartyOfCancelled, ProposalState } from '@tour-ops/contract/bookings/proposals'
import { m } from '../../paraglide/messages.js'

/** How many parties were asked, and what became of it; undefined while nobody was asked. */
export function proposalsProgress(parties: readonly PartyOfCancelled[]): string | undefined {
  const asked = parties.filter(({ proposal }) => proposal !== null)
  if (asked.length === 0) return undefined
  const count = (...states: ProposalState[]) => asked.filter(({ state }) => states.includes(state)).length
  const outcomes = [
    { count: count('moved'), text: m.departures_propose_moved_count },
    { count: count('refunded'), text: m.departures_propose_refunded_count },
    { count: count('open'), text: m.departures_propose_open_count },
    { count: count('expired', 'unasked'), text: m.departures_propose_unanswered_count },
    { count: count('settled'), text: m.departures_propose_settled_count },
  ]
  const known = outcomes.filter((one) => one.count > 0).map((one) => one.text({ count: one.count }))
  return `${m.departures_propose_asked_count({ count: asked.length })}: ${known.join(', ')}`
}
