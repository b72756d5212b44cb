import { AppError, type ErrorCode } from '@tour-ops/contract/errors'
import { m } from '../../paraglide/messages.js'
import { errorWords } from '../../ui/form/form-words.ts'
import { currentLocale } from '../locale.ts'
import { functionWords } from './code-words.ts'
import { wordsOf } from './error-words.ts'

/** Said the same in every language: the server's sentence names the record, ours says what to do. */
const always: ReadonlySet<string> = new Set(['version_conflict', 'conflict', 'link_ended'])

/** What a refusal means, by its reason, for readers of other languages than the server's English. */
const byReason: Readonly<Record<string, () => string>> = {
  version_conflict: () => m.errors_refused_changed(),
  conflict: () => m.errors_refused_changed(),
  link_ended: () => m.errors_refused_link_ended(),
  staff_busy: () => m.errors_refused_staff_busy(),
  staff_double_booked: () => m.errors_refused_staff_busy(),
  vehicle_busy: () => m.errors_refused_vehicle_busy(),
  vehicle_double_booked: () => m.errors_refused_vehicle_busy(),
  staff_not_active: () => m.errors_refused_staff_not_active(),
  vehicle_not_active: () => m.errors_refused_vehicle_not_active(),
  departure_over: () => m.errors_refused_departure_over(),
  lead_guide_exists: () => m.errors_refused_lead_guide_exists(),
  seats_exhausted: () => m.errors_refused_seats_exhausted(),
  sales_closed: () => m.errors_refused_sales_closed(),
  hold_expired: () => m.errors_refused_hold_expired(),
  check_in_closed: () => m.errors_refused_check_in_closed(),
  not_running: () => m.errors_refused_not_running(),
  too_early: () => m.errors_refused_too_early(),
  guests_aboard: () => m.errors_refused_guests_aboard(),
  headcount_missing: () => m.errors_refused_headcount_missing(),
  earlier_stop_open: () => m.errors_refused_headcount_missing(),
  headcount_mismatch: () => m.errors_refused_headcount_mismatch(),
  travelers_unaccounted: () => m.errors_refused_unaccounted(),
  still_assigned: () => m.errors_refused_still_assigned(),
  traveler_booked_already: () => m.errors_refused_booked_already(),
  export_too_large: () => m.errors_refused_too_many_rows(),
  report_too_large: () => m.errors_refused_too_many_rows(),
  illegal_transition: () => m.errors_refused_illegal_transition(),
  not_published: () => m.errors_refused_not_published(),
  no_draft: () => m.errors_refused_no_draft(),
  departure_not_future: () => m.errors_refused_departure_not_future(),
  nothing_to_create: () => m.errors_refused_nothing_to_create(),
  exists: () => m.errors_refused_nothing_to_create(),
  duplicate: () => m.errors_refused_duplicate(),
  too_late: () => m.errors_refused_too_late(),
  last_admin: () => m.errors_refused_last_admin(),
}

/** Codes whose own sentence is general enough where the reason is not known. */
const general: Partial<Record<ErrorCode, () => string>> = {
  aborted: () => m.errors_refused(),
  'invalid-argument': functionWords['invalid-argument'],
  'not-found': functionWords['not-found'],
  'permission-denied': functionWords['permission-denied'],
}

/**
 * What a screen says of a call that failed: the one place where an error becomes a sentence in the reader's language. The server writes
 * English, with names and numbers: its sentence is for English readers, and its reason or its code speaks to everybody else.
 */
export function refusalWords(error: unknown): string {
  if (!(error instanceof AppError)) return wordsOf(error)
  const { reason = '', fieldErrors } = error.details
  if (always.has(reason)) return byReason[reason]?.() ?? wordsOf(error)
  const [field] = Object.values(fieldErrors ?? {}).flat()
  const own = wordsOf(error)
  if (field === undefined && own !== error.message) return own
  const sentence = field ?? own
  const known = errorWords(sentence)
  if (known !== sentence || currentLocale() === 'en') return known
  return byReason[reason]?.() ?? general[error.code]?.() ?? sentence
}
