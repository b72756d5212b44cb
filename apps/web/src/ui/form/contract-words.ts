import { m } from '../../paraglide/messages.js'

/**
 * Sentences that the contract's shapes and the server's field errors say, in English on the wire, in the reader's
 * language here. A test compares the list with the contract.
 */
const sentences: Readonly<Record<string, () => string>> = {
  'Fill this in.': m.ui_words_fill_in,
  'Choose one of the list.': m.ui_words_choose_listed,
  'There is something here that does not belong.': m.ui_words_not_belonging,
  'This has the wrong form.': m.ui_words_wrong_form,
  'This is not an id.': m.ui_words_no_id,
  'This is not a path.': m.ui_words_no_path,
  'A booking reference looks like AUR-7K3Q9D.': m.ui_words_reference,
  'Choose a traveler or give a name.': m.ui_words_traveler_or_name,
  'This rule cannot be read.': m.ui_words_rule_unreadable,
  'Give a start time.': m.ui_words_start_time,
  'Two to twelve letters and digits.': m.ui_words_short_code,
  'Two to ten letters and digits, like GOLD.': m.ui_words_tour_code,
  'Give a first name.': m.ui_words_first_name,
  'Give a last name.': m.ui_words_last_name,
  'A last name, or the only name.': m.ui_words_last_or_only_name,
  'Choose at least one kind.': m.ui_words_one_kind,
  'Give a reason.': m.ui_words_reason,
  'Choose a reason.': m.ui_words_choose_reason,
  'Choose the first day.': m.ui_words_first_day,
  'Choose at least one role.': m.ui_words_one_role,
  'Your own role is among them. Set up a second factor for yourself first, so that you are not locked out.':
    m.ui_words_own_factor_first,
  'Use a date like 2026-11-20.': m.ui_words_date,
  'Use a time like 09:00.': m.ui_words_time,
  'Use a year between 1900 and 2199.': m.ui_words_year,
  'Use an offset of 14 hours at most.': m.ui_words_offset,
  'This view holds too much. Clear some filters.': m.ui_words_view_too_large,
  'There is no such filter.': m.ui_words_no_such_filter,
  'Use a moment like 2026-11-20T09:00:00Z.': m.ui_words_moment,
  'This time zone is not known.': m.ui_words_zone,
  'An amount cannot be negative.': m.ui_words_negative_amount,
  'Use a currency code like EUR.': m.ui_words_currency,
  'Use a country code like GB.': m.ui_words_country,
  'Use a language code like en or pt-BR.': m.ui_words_language,
  'Use the international form, like +44 7700 900118.': m.ui_words_phone,
  'This does not look like an e-mail address.': m.ui_words_email,
  'The file needs a name.': m.ui_words_file_name,
  'The file is empty.': m.ui_words_file_empty,
  'Name the link.': m.ui_words_name_link,
  'Give at least one address.': m.ui_words_one_address,
  'At most 100 addresses at once.': m.ui_words_hundred_addresses,
  'Say how it ended.': m.ui_words_how_ended,
  'Say in a line what happened.': m.ui_words_what_happened,
  'Write something.': m.ui_words_write_something,
  'Sort by at most four columns.': m.ui_words_four_sorts,
  'Name the place.': m.ui_words_name_place,
  'Must be wider than the inner radius.': m.ui_words_wider_radius,
  'Ends before it starts.': m.ui_words_ends_before,
  'Name the view.': m.ui_words_name_view,
  'Name the organization.': m.ui_words_name_organization,
  'Name the day.': m.ui_words_name_day,
  'Name the option.': m.ui_words_name_option,
  'Name the tour.': m.ui_words_name_tour,
  'Use a color like #FF4B00.': m.ui_words_color,
  'The smallest group is larger than the capacity.': m.ui_words_group_too_large,
  'Give the number of the document.': m.ui_words_document_number,
  'The oldest age is below the youngest.': m.ui_words_ages,
  'Choose at least one guest.': m.ui_words_one_guest,
  'Each kind of guest once.': m.ui_words_kind_once,
  'Name the vehicle.': m.ui_words_name_vehicle,
  'Give the plate.': m.ui_words_plate,
  'Name the supplier.': m.ui_words_name_supplier,
  'Say what is needed.': m.ui_words_what_needed,
  'A hold ends before the departure starts.': m.ui_words_hold_before_start,
  'A hold must end in the future.': m.ui_words_hold_future,
  'It is on this departure already.': m.ui_words_on_departure_already,
  'Plan at most two years at once.': m.ui_words_two_years,
  'Say why the arrival was wrong.': m.ui_words_arrival_wrong,
  'Somebody in this party needs an adult to travel with.': m.ui_words_needs_adult,
  'Somebody who is aboard cannot be left out.': m.ui_words_aboard_stays,
  'The clocks skip this time on that day.': m.ui_words_clocks_skip,
  'They left before they arrived.': m.ui_words_left_before,
  'This is earlier than what is marked at the stop before. Check the time.': m.ui_words_before_last_stop,
  'This time is in the future. Enter when it happened.': m.ui_words_time_in_future,
  'This is long before the tour began. Check the time.': m.ui_words_long_before,
  'This field-staff record is linked with another member.': m.ui_words_record_linked,
  'This installation does not allow map styles from there.': m.ui_words_map_host,
  'This is in the future.': m.ui_words_in_future,
  'This option does not exist.': m.ui_words_no_option,
  'This tour does not sell this kind of seat.': m.ui_words_seat_not_sold,
  'This traveler does not exist.': m.ui_words_no_traveler,
  'This traveler stands twice in the booking.': m.ui_words_traveler_twice,
  'At most two years at once.': m.ui_words_two_years_at_once,
  'Only letters, digits, hyphens and the words in braces.': m.ui_words_code_letters,
  'Needs {TOUR}, {YYMMDD} and {HHMM}, so that no two departures share a code.': m.ui_words_code_parts,
  'Critical cannot come before late.': m.ui_words_critical_after_late,
}

const withNumber: readonly [RegExp, (inputs: { number: string }) => string][] = [
  [/^At least (-?\d+)\.$/, m.ui_words_at_least],
  [/^At most (-?\d+)\.$/, m.ui_words_at_most],
  [/^At most (\d+) characters\.$/, m.ui_words_at_most_characters],
]

/** The sentence in the reader's language; unchanged where it is not one of the contract's. */
export function contractWords(sentence: string): string {
  const known = sentences[sentence]
  if (known) return known()
  for (const [pattern, say] of withNumber) {
    const number = pattern.exec(sentence)?.[1]
    if (number !== undefined) return say({ number })
  }
  return sentence
}
