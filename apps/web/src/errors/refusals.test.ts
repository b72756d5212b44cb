import { guardReasons } from '@tour-ops/contract/departures/departures'
import { fieldRules, type FieldParams, type FieldRule } from '@tour-ops/contract/field-rules'
import { recordKinds } from '@tour-ops/contract/operations-refusals'
import { locales } from '@tour-ops/contract/locales'
import { said, type Sentence } from '@tour-ops/contract/refusal-shapes'
import type { Reason, RefusalParams } from '@tour-ops/contract/refusals'
import { afterEach, describe, expect, test } from 'vitest'
import { overwriteGetLocale } from '../paraglide/runtime.js'
import { fieldErrors } from '../ui/form/field-errors.ts'
import { refusals, refusalText } from './refusals.ts'

afterEach(() => overwriteGetLocale(() => 'en'))

/** Parameters for what has some, in every variant that has its own text: the compiler asks for each. */
type Samples<K extends string, Params extends Record<K, object>> = {
  readonly [R in K as keyof Params[R] extends never ? never : R]: readonly Params[R][]
}

const at = { from: '2026-11-20T09:00:00Z', to: '2026-11-20T17:00:00Z' }
const later = [{ retryAfterSeconds: 1 }, { retryAfterSeconds: 30 }]

const ofReasons: Samples<Reason, { [R in Reason]: RefusalParams<R> }> = {
  version_conflict: [{ current: 3 }, { current: 3, what: 'tour' }],
  not_found: recordKinds.map((what) => ({ what })),
  seats_exhausted: [{}, { seatsLeft: 1, asked: 3 }, { seatsLeft: 2, asked: 3 }],
  sales_closed: (['status', 'open', 'paused', 'closed', 'cutoff'] as const).map((because) => ({
    because,
    code: 'GOLD-261120-0900',
    status: 'in_progress',
  })),
  audience_changed: [
    { count: 1, seen: 2 },
    { count: 3, seen: 1 },
  ],
  too_many_recipients: [{ max: 5000 }],
  shared_link_early: [{ opensAt: at.from }],
  link_opens_later: [{ opensAt: at.from }],
  hold_expired: [{}, { expiredAt: at.from }],
  traveler_booked_already: [{ name: 'Iris Dahl', bookingRef: 'AUR-7K3Q9D' }],
  guests_aboard: [{ aboard: 1 }, { aboard: 2 }],
  position_not_asked: [{}],
  event_too_old: [{ hours: 1 }, { hours: 72 }],
  device_not_paired: [{}, { ended: 'by_office' }, { ended: 'by_other_phone' }],
  guest_status_differs: [{ status: 'cancelled' }],
  too_early: [{ from: at.from }],
  staff_busy: [
    {},
    { name: 'Björn', departureId: null, code: 'GOLD-261120-0900', kind: 'assignment', ...at },
    { name: 'Björn', departureId: null, code: null, kind: 'time_off', ...at },
    { name: 'Björn', departureId: null, code: null, kind: 'external_busy', ...at },
  ],
  vehicle_busy: [{}, { name: 'Sprinter 3', code: 'GOLD-261120-0900' }, { name: 'Sprinter 3', code: null }],
  staff_not_active: [{ name: 'Björn', status: 'suspended' }],
  licence_expired: [{ name: 'Björn' }],
  vehicle_not_active: [{ name: 'Sprinter 3', status: 'maintenance' }],
  equipment_short: [{}, { name: 'Ice cleats', free: 1 }, { name: 'Ice cleats', free: 2 }],
  equipment_closed: [{ code: 'GOLD-261120-0900', status: 'completed' }],
  departure_over: [{ code: 'GOLD-261120-0900', status: 'completed' }],
  override_reason_missing: [{ against: [] }],
  no_longer_fits: [{ reasons: [] }],
  still_assigned: [{ departures: [{}] }, { departures: [{}, {}] }],
  illegal_transition: [{}, { machine: 'departures', from: 'completed', to: 'scheduled' }],
  conditions_unmet: guardReasons.map((guard) => ({ unmet: [guard], overridable: true })),
  headcount_mismatch: [
    { expected: 1, counted: 2 },
    { expected: 7, counted: 6 },
  ],
  earlier_stop_open: [{ stopId: 's', placeName: 'Gullfoss' }],
  not_ready_to_publish: [{ problems: [{ message: 'Add at least one stop.' }] }],
  has_guests: [
    { pax: 1, departures: 1 },
    { pax: 9, departures: 2 },
  ],
  departure_exists: [{ code: 'GOLD-261120-0900' }],
  below_sold: [{ sold: 1 }, { sold: 12 }],
  incident_files_full: [{ max: 100 }],
  incident_tasks_open: [{ count: 1 }, { count: 3 }],
  task_done_already: [{ name: 'Íris Jónsdóttir' }],
  question_open: [{ column: 'Geburtsdatum' }],
  columns_refused: [{ columns: ['Pass', 'Medical'], permission: 'travelers_sensitive:read' }],
  columns_maybe_sensitive: [{ columns: ['Remark'] }],
  reading_maybe_sensitive: [{ columns: ['Remark'] }],
  too_many_forms: [{ max: 5 }],
  too_many_webhooks: [{ max: 20 }],
  too_many_no_go_areas: [{ max: 200 }],
  import_seats_exhausted: [{ code: 'GOLD-261120-0900', left: 1, asked: 4, lines: [2] }],
  import_sales_closed: [
    { code: 'GOLD-261120-0900', lines: [2] },
    { code: null, lines: [2] },
  ],
  changed_since_check: [{ count: 2, lines: [2, 3] }],
  missing_permission: [{ permission: 'tours:manage' }],
  outside_duty_window: [{ hours: 24 }],
  access_asked_too_often: [{ perDay: 1 }, { perDay: 10 }],
  invitation_closed: [{ status: 'accepted' }, { status: 'closed' }],
  file_too_large: [{ maxBytes: 5 * 1024 * 1024 }],
  file_type: [{ types: ['csv', 'xlsx'] }],
  file_unreadable: [{ because: 'no_rows', params: {} }],
  upload_incomplete: [{ offset: 1, size: 2 }],
  body_too_large: [{ limitBytes: 1_048_576 }],
  data_key_missing: [{ keyId: null }],
  rate_limited: later,
  database_unreachable: later,
  server_busy: later,
  read_only: later,
  disk_full: later,
  keys_unreachable: later,
}

const limits = [{ max: 1 }, { max: 200 }]
const leasts = [{ min: 1 }, { min: 2 }]

const ofRules: Samples<FieldRule, { [R in FieldRule]: FieldParams<R> }> = {
  too_small: leasts,
  too_large: limits,
  too_short: leasts,
  too_long: limits,
  too_few: leasts,
  too_many: limits,
  too_nested: limits,
  too_many_values: limits,
  sent_too_late: [{ days: 1 }, { days: 90 }],
  variable_unknown: [{ name: 'nmae' }],
  variable_missing: [{ name: 'link' }],
  router_private: [{ host: 'osrm:5000' }],
  router_silent: [{ host: 'osrm:5000' }],
  webhook_private: [{ host: 'crm:8080' }],
  router_strange: [{ host: 'osrm:5000' }],
  tiles_host_closed: [{ host: 'tiles.example.com' }],
  tiles_private: [{ host: 'tiles.example.com' }],
  tiles_silent: [{ host: 'tiles.example.com' }],
  tiles_cors: [{ host: 'tiles.example.com' }],
  tiles_no_style: [{ host: 'tiles.example.com' }],
  tiles_no_file: [{ host: 'tiles.example.com' }],
  tiles_no_ranges: [{ host: 'tiles.example.com' }],
  departure_exists: [{ code: 'GOLD-261120-0900' }],
  names_above_seats: [
    { seats: 1, names: 2 },
    { seats: 2, names: 3 },
  ],
  seats_sold: [{ sold: 1 }, { sold: 12 }],
  departures_apart: [{ hours: 12 }],
  schedule_too_large: [{ count: 900, max: 500 }],
  link_too_long: [{ days: 400 }],
  snooze_too_long: [{ hours: 24 }],
  column_unknown: [{ column: 'shoe size' }],
  file_column_unknown: [{ column: 'Schuhgröße' }],
  file_column_hidden: [{ column: 'Schuhgröße' }],
  file_line_unknown: [{ line: 1234 }],
  file_cell_cut: [{ line: 1234 }],
  too_many_corrections: [{ max: 2000 }],
  file_too_large: [{ maxBytes: 5 * 1024 * 1024 }],
  file_type: [{ types: ['csv', 'xlsx'] }],
  image_too_large: [{ width: 12_000, height: 9_000, max: 50_000_000 }],
}

type Sentences = Readonly<Record<string, Sentence>>
const reasonSentences: Sentences = refusals
const ruleSentences: Sentences = fieldErrors

/** What of the parameters has to be in the sentence: texts and numbers that it is about, as far as it is about them. */
const sayIn = (locale: (typeof locales)[number], sentence: Sentence, params: object): string => {
  overwriteGetLocale(() => locale)
  return said(sentence, params)
}

/** What is no sentence: a key, a hole, a parameter that was not filled in. */
const broken = /undefined|null|NaN|\[object|[{}](?!TOUR|YYMMDD|HHMM)|^errors_|^ui_|Invalid Date/

const table: readonly (readonly [kind: string, name: string, sentence: Sentence, samples: readonly object[]])[] = [
  ...Object.entries(reasonSentences).map(([name, say]) => ['reason', name, say, samplesOf(ofReasons, name)] as const),
  ...Object.entries(ruleSentences).map(([name, say]) => ['rule', name, say, samplesOf(ofRules, name)] as const),
]

function samplesOf(samples: Readonly<Record<string, readonly object[]>>, name: string): readonly object[] {
  return samples[name] ?? [{}]
}

describe('every reason of a refusal and every rule of an entry', () => {
  test.each(table)('%s %s has its own sentence in each language', (_kind, _name, say, samples) => {
    expect(samples.length).toBeGreaterThan(0)
    for (const params of samples) {
      const [en = '', ...others] = locales.map((locale) => sayIn(locale, say, params))
      for (const sentence of [en, ...others]) {
        expect(sentence.replaceAll(/\{(TOUR|YYMMDD|HHMM)\}/g, '')).not.toMatch(broken)
        expect(sentence.length).toBeGreaterThan(5)
      }
      // nobody reads English because a translation was forgotten
      for (const other of others) expect(other).not.toBe(en)
    }
  })

  test('the rules are those of the contract, and a stranger’s reason has no sentence', () => {
    expect(Object.keys(fieldErrors).toSorted()).toEqual(Object.keys(fieldRules).toSorted())
    expect(refusalText('frozen', {})).toBeUndefined()
    expect(refusalText('toString', {})).toBeUndefined()
  })
})
