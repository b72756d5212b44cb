import { AppError, type FieldIssue } from './errors.ts'
import { counted, type Given, type ParamsOf, said, type Sentence } from './refusal-shapes.ts'

interface Limit {
  readonly max: number
}
interface Least {
  readonly min: number
}

/**
 * What an entry of a form can be refused for: the code that travels with its parameters, and what programs and the log read of it. Shapes
 * name a rule as the error of their checks; screens have a sentence for each in every language (`field-errors.ts`).
 */
export const fieldRules = {
  // Of every shape.
  required: 'Fill this in.',
  not_listed: 'Choose one of the list.',
  not_belonging: 'There is something here that does not belong.',
  wrong_form: 'This has the wrong form.',
  unstorable: 'This holds a character that cannot be stored. Type it again.',
  too_small: ({ min }: Least) => `At least ${min}.`,
  too_large: ({ max }: Limit) => `At most ${max}.`,
  too_short: ({ min }: Least) => `At least ${counted(min, 'character', 'characters')}.`,
  too_long: ({ max }: Limit) => `At most ${counted(max, 'character', 'characters')}.`,
  too_few: ({ min }: Least) => `At least ${counted(min, 'entry', 'entries')}.`,
  too_many: ({ max }: Limit) => `At most ${counted(max, 'entry', 'entries')}.`,
  too_nested: ({ max }: Limit) => `At most ${max} levels.`,
  too_many_values: ({ max }: Limit) => `At most ${max} values.`,
  id_form: 'This is not an id.',
  path_form: 'This is not a path.',
  field_form: 'This is not a field.',
  idempotency_key_form: 'An idempotency key has 8 to 64 characters.',

  // Dates, times, amounts and codes.
  date_form: 'Use a date like 2026-11-20.',
  time_form: 'Use a time like 09:00.',
  year_range: 'Use a year between 1900 and 2199.',
  offset_range: 'Use an offset of 14 hours at most.',
  moment_form: 'Use a moment like 2026-11-20T09:00:00Z.',
  zone_unknown: 'This time zone is not known.',
  amount_negative: 'An amount cannot be negative.',
  amount_not_positive: 'Enter an amount above zero.',
  currency_form: 'Use a currency code like EUR.',
  country_form: 'Use a country code like GB.',
  language_form: 'Use a language code like en or pt-BR.',
  phone_form: 'Use the international form, like +44 7700 900118.',
  email_form: 'This does not look like an e-mail address.',
  router_address_form: 'Use an address like https://osrm.example.com/, without a name, a password and a question mark.',
  router_address_missing: 'Give the address of the router.',
  router_kind_missing: 'Choose which router answers there, or clear its address.',
  router_private: ({ host }: { host: string }) =>
    `${host} lies in the network of this server. Whoever runs the installation can allow it with ROUTER_HOSTS.`,
  router_silent: ({ host }: { host: string }) => `Nobody answers at ${host}.`,
  router_strange: ({ host }: { host: string }) => `What answers at ${host} is no router of this kind.`,
  webhook_address_form: 'Use an address that begins with https://, without a name and a password.',
  webhook_private: ({ host }: { host: string }) =>
    `${host} lies in the network of this server. Whoever runs the installation can allow it with WEBHOOK_HOSTS.`,
  webhook_events_missing: 'Choose at least one event.',
  provider_account_form: 'An Account SID begins with AC, and 32 digits and letters from a to f follow.',
  provider_sender_form: 'Use a number like +44 7700 900118 without spaces, or a name of at most 11 letters and digits.',
  tiles_address_form: 'Use an address like https://tiles.example.com/style.json, without a name and a password.',
  tiles_address_missing: 'Give the address of the style or the file.',
  tiles_source_missing: 'Choose what is at this address, or clear it.',
  tiles_host_closed: ({ host }: { host: string }) =>
    `Browsers are not allowed to load maps from ${host}. Whoever runs the installation can allow it with MAP_STYLE_HOSTS.`,
  tiles_private: ({ host }: { host: string }) =>
    `${host} lies in the network of this server. Whoever runs the installation can allow it by its full name in MAP_STYLE_HOSTS.`,
  tiles_silent: ({ host }: { host: string }) => `Nothing of this address is answered by ${host}.`,
  tiles_cors: ({ host }: { host: string }) =>
    `${host} does not allow browsers to read this from other sites. It has to send Access-Control-Allow-Origin.`,
  tiles_no_style: ({ host }: { host: string }) => `What ${host} answers is not a MapLibre style of version 8.`,
  tiles_no_file: ({ host }: { host: string }) => `What ${host} answers is not a PMTiles file of version 3.`,
  tiles_no_ranges: ({ host }: { host: string }) => `${host} does not answer requests for a part of the file.`,
  tiles_packed:
    'The tiles of this file are of a kind that browsers cannot draw. Write them as MVT with gzip, or as images.',
  tiles_layers_unknown:
    'The layers of this file are not known. It can have those of Protomaps, OpenMapTiles or Shortbread; for others, use a style.',
  color_form: 'Use a color like #FF4B00.',
  booking_ref_form: 'A booking reference looks like AUR-7K3Q9D.',
  pairing_code_form: 'A pairing code has ten letters and digits.',
  one_of_two: 'Choose a person or a vehicle.',
  staff_code_form: 'Two to twelve letters and digits.',
  tour_code_form: 'Two to ten letters and digits, like GOLD.',
  code_characters: 'Only letters, digits, hyphens and the words in braces.',
  code_parts: 'Needs {TOUR}, {YYMMDD} and {HHMM}, so that no two departures share a code.',
  rrule_form: 'This rule cannot be read.',
  end_before_start: 'Ends before it starts.',
  last_before_first: 'The last day must not be before the first.',
  in_past: 'This is in the past.',
  in_future: 'This is in the future.',
  two_years_at_once: 'At most two years at once.',
  two_days_at_once: 'At most two days at once.',

  // What has to be there.
  name_missing: 'Give a first or a last name.',
  first_name_missing: 'Give a first name.',
  last_name_missing: 'Give a last name.',
  last_or_only_name_missing: 'A last name, or the only name.',
  traveler_or_name_missing: 'Choose a traveler or give a name.',
  contact_missing: 'Give the name of the booking contact.',
  start_time_missing: 'Give a start time.',
  kind_missing: 'Choose at least one kind.',
  reason_missing: 'Give a reason.',
  reason_not_chosen: 'Choose a reason.',
  reason_or_count_missing: 'Give a reason, or count first.',
  mismatch_reason_missing: 'Say why the count differs.',
  arrival_reason_missing: 'Say why the arrival was wrong.',
  first_day_missing: 'Choose the first day.',
  role_missing: 'Choose at least one role.',
  guest_missing: 'Choose at least one guest.',
  address_missing: 'Give at least one address.',
  departure_missing: 'Choose the departure.',
  departure_not_offered: 'This departure has no more seats, or is not offered. Choose another one.',
  subject_missing: 'Choose what the link is about.',
  supplier_not_on_departure: 'Choose a supplier with services on this departure.',
  outcome_missing: 'Say how it ended.',
  title_missing: 'Say in a line what happened.',
  text_missing: 'Write something.',
  document_number_missing: 'Give the number of the document.',
  plate_missing: 'Give the plate.',
  description_missing: 'Say what is needed.',
  snooze_end_missing: 'Say until when the alert is snoozed.',
  sending_time_missing: 'Say when the message is to be sent.',
  hold_end_missing: 'A hold needs a time at which it ends.',
  cancel_reason_missing: 'Give the reason of the cancellation.',
  release_reason_missing: 'Give the reason of the release.',
  link_unnamed: 'Name the link.',
  passcode_on_phone: 'A link that opens check-in has no passcode: the phone works without a network.',
  place_unnamed: 'Name the place.',
  view_unnamed: 'Name the view.',
  organization_unnamed: 'Name the organization.',
  day_unnamed: 'Name the day.',
  option_unnamed: 'Name the option.',
  tour_unnamed: 'Name the tour.',
  vehicle_unnamed: 'Name the vehicle.',
  supplier_unnamed: 'Name the supplier.',

  // What exists once.
  tour_code_taken: 'Another tour has this code.',
  option_name_taken: 'The tour already has an option of this name.',
  departure_code_taken: 'Another departure has this code.',
  departure_exists: ({ code }: { code: string }) => `${code} exists already.`,
  booking_ref_taken: 'Another booking has this reference.',
  external_ref_taken: 'A booking with this reference of the seller exists already.',
  staff_code_taken: 'Another person of the field staff has this code.',
  member_linked: 'This member is linked with another staff record.',
  record_linked: 'This field-staff record is linked with another member.',
  address_invited: 'This address was invited already.',
  plate_taken: 'Another vehicle has this number plate.',
  device_taken: 'Another device has this identifier.',
  template_taken: 'There is a template of this name already.',
  language_twice: 'There are two texts in the same language.',
  variable_unknown: ({ name }: { name: string }) => `Guests have no "${name}". Choose one of the list.`,
  variable_missing: ({ name }: { name: string }) => `Guests need "${name}" in this text.`,
  link_alone: 'The address of the guest’s page needs a line of its own.',
  sent_in_past: 'This time has passed. Choose a later one.',
  sent_too_late: ({ days }: { days: number }) => `Choose a time within ${days} days.`,
  view_name_taken: 'You already have a view of this name.',
  file_name_taken: 'A file of this name exists already.',

  // What has to fit something else.
  wider_radius: 'Must be wider than the inner radius.',
  outline_flat: 'The corners are all on one line. Add one beside it.',
  outline_crosses: 'The outline crosses itself. Remove corners until it does not.',
  outline_too_wide: 'The outline goes around a pole, or half of the world. Make it smaller.',
  group_above_capacity: 'The smallest group is larger than the capacity.',
  ages_crossed: 'The oldest age is below the youngest.',
  unit_type_repeated: 'Each kind of guest once.',
  units_unsound: 'Every line needs a kind of traveler and a positive number.',
  units_mismatch: 'The number of travelers does not match the lines.',
  unit_not_sold: 'This tour does not sell this kind of seat.',
  units_above_booked: 'The party has fewer seats of this kind.',
  nobody_stays: 'Somebody has to stay. Move the booking to take all of them elsewhere.',
  adult_missing: 'Somebody in this party needs an adult to travel with.',
  refund_above_paid: 'No more can be refunded than was paid.',
  price_reason_missing: 'Say why this costs something else than the price list says.',
  discount_unknown: 'This discount code does not exist, or is no longer taken.',
  discount_other_tour: 'This discount code is for another tour.',
  discount_not_valid: 'This discount code is not valid on this day.',
  discount_other_currency: 'This discount code is in another currency than the price.',
  discount_code_taken: 'This code exists already. Archived codes count, too.',
  fee_reason_missing: 'Say why another fee is kept than the rule of the tour says.',
  fee_above_price: 'The fee is more than the seats cost.',
  cancellation_steps_fall: 'From step to step the days before the start must fall, and no more may go back.',
  names_above_seats: ({ seats, names }: { seats: number; names: number }) =>
    `${counted(seats, 'seat', 'seats')}, but ${counted(names, 'name', 'names')}.`,
  seats_sold: ({ sold }: { sold: number }) => counted(sold, 'seat is sold or held.', 'seats are sold or held.'),
  traveler_repeated: 'This traveler stands twice in the booking.',
  traveler_unknown: 'This traveler does not exist.',
  aboard_left_out: 'Somebody who is aboard cannot be left out.',
  merged_into_itself: 'A traveler cannot be merged with the same record.',
  hold_after_start: 'A hold ends before the departure starts.',
  hold_in_past: 'A hold must end in the future.',
  same_departure: 'It is on this departure already.',
  booking_elsewhere: 'Only bookings of the same departure, in the same state and currency, become one.',
  option_unknown: 'This option does not exist.',
  place_unknown: 'This place does not exist.',
  departures_apart: ({ hours }: { hours: number }) =>
    `Departures are combined when they start at most ${counted(hours, 'hour', 'hours')} apart.`,
  departure_not_of_tour: 'This departure does not exist or is of another tour.',
  schedule_too_long: 'Plan at most two years at once.',
  schedule_too_large: ({ count, max }: { count: number; max: number }) =>
    `This would create ${count} departures; at most ${max} at once.`,
  clocks_skip: 'The clocks skip this time on that day.',
  left_before_arrival: 'They left before they arrived.',
  before_last_stop: 'This is earlier than what is marked at the stop before. Check the time.',
  stop_left_too_early: 'A stop is left after it is reached.',
  mark_in_future: 'This time is in the future. Enter when it happened.',
  mark_long_before: 'This is long before the tour began. Check the time.',
  release_before_report: 'The release must be after the report time.',
  certificate_ends_early: 'The end must not be before the day of issue.',
  end_not_after_start: 'The end must be after the start.',
  cost_unsound: 'A cost needs a currency and must not be negative.',
  equipment_issued: 'More than that is issued to departures.',
  wheelchairs_above_seats: 'There cannot be more wheelchair places than seats.',
  link_too_long: ({ days }: { days: number }) => `A link is valid for ${days} days at most.`,
  snooze_too_long: ({ hours }: { hours: number }) => `At most ${hours} hours.`,
  alert_closed: 'This alert is not open any more.',
  stop_of_departure: 'Choose a stop of this departure.',
  incident_itself: 'An incident cannot be merged into itself.',
  incident_not_open: 'Choose an incident that is open.',
  assignee_unknown: 'Choose an active member who may see incidents.',
  guests_of_departure: 'Choose guests of this departure.',
  critical_before_late: 'Critical cannot come before late.',
  own_factor_first:
    'Your own role is among them. Set up a second factor for yourself first, so that you are not locked out.',
  map_host_refused: 'This installation does not allow map styles from there.',

  // Lists, views and files.
  too_many_sorts: 'Sort by at most four columns.',
  filter_unknown: 'There is no such filter.',
  column_unknown: ({ column }: { column: string }) => `There is no column "${column}" in this list.`,
  file_column_unknown: ({ column }: { column: string }) => `The file has no column "${column}".`,
  file_column_hidden: ({ column }: { column: string }) =>
    `You may not see the column "${column}", so you cannot correct it.`,
  file_line_unknown: ({ line }: { line: number }) => `The file has no row of guests in line ${line}.`,
  file_cell_cut: ({ line }: { line: number }) => `Line ${line} has too many cells. Correct it in the file.`,
  too_many_corrections: ({ max }: { max: number }) =>
    `At most ${max} cells of a file are corrected here. Correct the file and upload it again.`,
  too_many_addresses: 'At most 100 addresses at once.',
  view_too_large: 'This view holds too much. Clear some filters.',
  file_unnamed: 'The file needs a name.',
  file_empty: 'The file is empty.',
  file_too_large: ({ maxBytes }: { maxBytes: number }) =>
    `The file is too large: at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
  file_type: ({ types }: { types: readonly string[] }) =>
    `This is none of the kinds of file that can be used here: ${types.map((type) => type.toUpperCase()).join(', ')}.`,
  image_unreadable: 'This image cannot be read. Try another file.',
  image_too_large: ({ width, height, max }: { width: number; height: number; max: number }) =>
    `The image has ${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels; ${max / 1_000_000} million are the most. Make it smaller.`,
} as const satisfies Readonly<Record<string, Sentence>>

export type FieldRule = keyof typeof fieldRules

/** What the sentence of a rule needs in addition to its code. */
export type FieldParams<R extends FieldRule> = ParamsOf<(typeof fieldRules)[R]>

/** An entry's refusal as it travels. */
export const fieldIssue = <R extends FieldRule>(code: R, ...[params]: Given<FieldParams<R>>): FieldIssue =>
  params === undefined ? { code } : { code, params: { ...params } }

export const isFieldRule = (code: string): code is FieldRule => Object.hasOwn(fieldRules, code)

/** What programs and the log read of an issue. */
export const messageOfIssue = ({ code, params = {} }: FieldIssue): string =>
  isFieldRule(code) ? said(fieldRules[code], params) : code

/** The details of a refusal of entries: codes with parameters, together with their sentences. */
export const fieldDetails = (byPath: Readonly<Record<string, readonly FieldIssue[]>>) => ({
  fieldIssues: byPath,
  fieldErrors: Object.fromEntries(Object.entries(byPath).map(([path, issues]) => [path, issues.map(messageOfIssue)])),
})

/** An `invalid-argument` error that names one field, so that a form can show it in its place. */
export const fieldError = <R extends FieldRule>(path: string, code: R, ...given: Given<FieldParams<R>>): AppError =>
  issueError(path, fieldIssue(code, ...given))

/** As `fieldError`, for an issue that was made before. */
export const issueError = (path: string, issue: FieldIssue, cause?: unknown): AppError =>
  new AppError('invalid-argument', messageOfIssue(issue), {
    ...(cause !== undefined && { cause }),
    details: { reason: 'entries_refused', ...fieldDetails({ [path]: [issue] }) },
  })
