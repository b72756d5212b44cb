import type { ImportProblem, ImportProblemCode, ImportWarning } from '@tour-ops/contract/imports/import-problems'

export interface Problem {
  /** Header of the column that it is about. */
  readonly column: string | null
  readonly code: ImportProblemCode
  readonly params: Readonly<Record<string, string>>
}

/** A cell that was not understood and keeps nobody from being imported. */
export interface Warning extends Problem {
  readonly result: ImportWarning['result']
}

/** Characters of a cell that a reason quotes. */
const quotedLength = 120

export const problem = (
  code: ImportProblemCode,
  column: string | null = null,
  params: Readonly<Record<string, string>> = {},
): Problem => ({ code, column, params: params['value'] ? { ...params, value: quoted(params['value']) } : params })

const quoted = (text: string): string => (text.length > quotedLength ? `${text.slice(0, quotedLength - 1)}…` : text)

type Words = (params: Readonly<Record<string, string>>) => string

/** Every reason in English, for files and for callers other than our screens. */
const words: Readonly<Record<ImportProblemCode, Words>> = {
  cells_differ: ({ found, expected }) => `The line has ${found} cells, the header has ${expected}`,
  name_missing: () => 'No name and no number of guests',
  text_too_long: ({ max }) => `Longer than ${max} characters`,
  date_unreadable: ({ value }) => `${value} is not a date`,
  date_impossible: ({ value }) => `The date ${value} does not exist`,
  date_order_unknown: ({ value }) => `${value}: which number is the month is not said`,
  date_out_of_range: ({ value }) => `${value} cannot be right`,
  time_unreadable: ({ value }) => `${value} is not a time`,
  phone_too_short: ({ value }) => `Phone ${value} is too short`,
  phone_invalid: ({ value }) => `Phone ${value} cannot be read`,
  phone_without_country: ({ value }) => `Phone ${value} needs its country code, such as +44`,
  email_invalid: ({ value }) => `${value} is not an e-mail address`,
  nationality_unknown: ({ value }) => `${value} is not a country`,
  language_unknown: ({ value }) => `${value} is not a language`,
  gender_unknown: ({ value }) => `Gender ${value} is not known`,
  unit_unknown: ({ value }) => `Unit type ${value} is not known`,
  room_type_unknown: ({ value }) => `Room type ${value} is not known`,
  amount_unreadable: ({ value }) => `${value} is not an amount`,
  status_unknown: ({ value }) => `Status ${value} is not known`,
  status_open: ({ value }) => `Not confirmed yet: ${value}`,
  cancelled_unknown: () => 'Cancelled, and no such booking is there',
  cancel_not_confirmed: ({ status }) => `Cancelled in the file; the booking is ${status}`,
  cancel_aboard: () => 'Cancelled in the file; guests of the booking are aboard or were',
  party_unreadable: ({ value }) => `${value} does not say how many guests of which kind`,
  count_unreadable: ({ value }) => `${value} is not a number of guests`,
  names_in_note: ({ value }) => `Several names; ${value} becomes the guest`,
  age_not_date: () => 'An age, not a date of birth',
  currency_unknown: ({ value }) => `${value} is not a currency`,
  reference_invalid: () => 'A reference has 3 to 60 characters',
  party_too_large: ({ max }) => `More than ${max} people under one reference`,
  tour_unknown: ({ value }) => `${value} is no tour`,
  departure_missing: () => 'No departure',
  departure_unknown: ({ code }) => `No departure with this code: ${code}`,
  departure_not_made: ({ code }) => `No departure yet: ${code}. The check can create it`,
  departure_time_needed: ({ value }) => `No departure yet: ${value}. To create it, give the time`,
  departure_past: ({ value }) => `No departure on ${value}, and none can be created in the past`,
  departure_no_such_time: ({ value }) => `No departure on ${value}: clocks skip this time`,
  departure_code_taken: ({ code }) => `No departure then, and none can be created: ${code} is another one`,
  departures_too_many: ({ max }) => `No departure yet. One import creates ${max} at most`,
  tour_not_published: ({ value }) => `No departure yet, and none can be created: ${value} is not published`,
  departure_date_impossible: ({ code, month, days }) =>
    `No departure with this code: ${code}. Month ${month} has ${days} days`,
  departure_ambiguous: ({ code, fits }) => `Several departures fit: ${fits ?? code}. Give the time or the code`,
  departure_not_on_sale: ({ code, because }) => `${code} takes no bookings (${because})`,
  unit_not_sold: ({ unit }) => `This tour does not sell "${unit}"`,
  needs_adult: () => 'Somebody in this party needs an adult to travel with',
  no_seat: ({ left, asked }) => `No seat: ${left} left, this party needs ${asked}`,
  no_seat_same_party: ({ line }) => `No seat, same party as line ${line}`,
  same_party: ({ line }) => `Same party as line ${line}`,
  likely_duplicate: ({ bookingRef, line }) =>
    line === undefined
      ? `Looks like ${bookingRef}: same departure, as many guests, same contact`
      : `Looks like line ${line}: same departure, as many guests, same name`,
  line_superseded: ({ line }) => `Line ${line} of the same booking is newer`,
  party_disagrees: ({ line }) => `Says something else than line ${line} of the same booking`,
  person_disagrees: ({ line }) => `Says something else than line ${line} about the same person`,
  booking_elsewhere: ({ code }) => `This booking is on ${code}. Move it there first`,
  booking_ended: ({ status }) => `This booking is ${status}`,
  booking_ref_differs: ({ bookingRef }) => `This order is booking ${bookingRef}`,
  booking_ref_taken: ({ bookingRef }) => `${bookingRef} is another booking`,
  traveler_twice: ({ line }) => `The same person as in line ${line}`,
  traveler_booked_already: ({ bookingRef }) => `Is on this departure already, with ${bookingRef}`,
  traveler_ambiguous: () => 'Several people of this name are on the departure',
  pickup_unknown: ({ value }) => `${value} is no pickup of this departure`,
  room_without_nights: () => 'This tour has no nights, so it has no rooms',
  currency_not_departure: ({ currency, expected }) => `${currency}; the departure is sold in ${expected}`,
  currency_differs: ({ currency }) => `This booking is in ${currency}`,
}

export const problemText = (found: Problem): string => words[found.code](found.params)

export const describeProblem = (found: Problem): ImportProblem => ({
  ...found,
  params: { ...found.params },
  reason: problemText(found),
})

export const describeWarning = (found: Warning): ImportWarning => ({ ...describeProblem(found), result: found.result })
