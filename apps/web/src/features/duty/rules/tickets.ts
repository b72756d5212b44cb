import type { DutyDay } from '@tour-ops/contract/duty/duty-phone'
import { foundOptions } from '../../../ui/matches.ts'
import type { ShownDay, ShownDeparture, ShownParty } from '../store/shown-day.ts'
import { mayCheckIn } from './guest-list.ts'

/** The result of a scanned or typed code at this departure. */
export type Ticket =
  /** `isIn`: everybody of the party is in already. */
  | { readonly kind: 'here'; readonly party: ShownParty; readonly isIn: boolean }
  /** Of this departure, and nobody travels with it: cancelled, waiting, or on hold. */
  | { readonly kind: 'unconfirmed'; readonly name: string; readonly because: 'cancelled' | 'waitlist' | 'hold' }
  /** For another departure of this phone. */
  | { readonly kind: 'elsewhere'; readonly party: ShownParty; readonly departure: ShownDeparture }
  | { readonly kind: 'unknown'; readonly code: string }

const letters = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/**
 * The booking reference in what was scanned or typed: alone, or the last part of an address. Case, hyphens and blanks do not count.
 *
 * @example codeOf('https://tours.example/b/aur-7k3q9d?lang=de') // 'AUR7K3Q9D'
 */
export function codeOf(text: string): string {
  const [address = ''] = text.trim().split(/[?#]/)
  const last = address.split('/').findLast((part) => part.trim() !== '') ?? ''
  return letters(last)
}

const partiesOf = ({ groups }: ShownDeparture): ShownParty[] => (groups ?? []).flatMap(({ parties }) => parties)

/**
 * Finds the booking of a code: first at this departure, then at the other ones of this phone.
 *
 * @param office The office's last answer; it also contains the waitlist.
 */
export function ticketOf(text: string, departureId: string, day: ShownDay, office: DutyDay): Ticket {
  const code = codeOf(text)
  const isIt = ({ bookingRef }: { bookingRef: string }) => code !== '' && letters(bookingRef) === code
  const here = day.departures.find(({ id }) => id === departureId)
  const party = here && partiesOf(here).find(isIt)
  if (party) return ofParty(party)
  const manifest = office.departures.find(({ departure }) => departure.id === departureId)?.manifest
  const waiting = manifest?.waitlist.find(isIt)
  if (waiting) return { kind: 'unconfirmed', name: waiting.contactName, because: 'waitlist' }
  const held = manifest?.holds.find(isIt)
  if (held) return { kind: 'unconfirmed', name: held.contactName, because: 'hold' }
  for (const departure of day.departures) {
    const other = partiesOf(departure).find(isIt)
    if (other) return { kind: 'elsewhere', party: other, departure }
  }
  return { kind: 'unknown', code: code === '' ? text.trim() : code }
}

function ofParty(party: ShownParty): Ticket {
  const guests = party.entries.filter(({ status }) => status !== 'cancelled')
  if (party.status === 'cancelled' || (guests.length === 0 && party.entries.length > 0)) {
    return { kind: 'unconfirmed', name: party.contactName, because: 'cancelled' }
  }
  return { kind: 'here', party, isIn: !guests.some(mayCheckIn) }
}

/** Parties of this departure whose reference or names hold what was typed, the nearest first; at most `max`. */
export function partiesFound(shown: ShownDeparture, typed: string, max = 8): ShownParty[] {
  if (typed.trim() === '') return []
  const options = partiesOf(shown).map((party) => ({ party, value: party.bookingRef, label: labelOf(party) }))
  const code = letters(typed)
  const found = foundOptions(options, typed).map(({ party }) => party)
  const byCode = options
    .filter(({ value }) => code.length > 2 && letters(value).includes(code))
    .map(({ party }) => party)
  return [...new Set([...byCode, ...found])].slice(0, max)
}

const labelOf = ({ contactName, entries }: ShownParty): string =>
  [...entries.map(({ name }) => name), contactName].join(' ')
