import { headcountPolicies } from '@tour-ops/contract/settings/settings'
import { m } from '../../paraglide/messages.js'
import type { SettingSection } from './settings-model.ts'

const minutes = m.settings_min
const policyWords = { ask: m.settings_headcount_ask, require: m.settings_headcount_require }

/** Fields of `/settings/tour`. */
export const tourSections: readonly SettingSection[] = [
  {
    key: 'punctuality',
    title: m.settings_punctuality,
    text: m.settings_punctuality_text,
    fields: [
      {
        path: 'onTimeToleranceMin',
        column: 'on_time_tolerance_minutes',
        label: m.settings_on_time,
        hint: m.settings_on_time_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'runningLateMin',
        column: 'tour_rules.runningLateMin',
        label: m.settings_late,
        hint: m.settings_late_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'atRiskMin',
        column: 'tour_rules.atRiskMin',
        label: m.settings_critical,
        hint: m.settings_critical_hint,
        kind: 'number',
        unit: minutes,
      },
    ],
  },
  {
    key: 'check-in',
    title: m.settings_check_in,
    fields: [
      {
        path: 'checkInOpensMin',
        column: 'boarding_opens_minutes',
        label: m.settings_check_in_opens,
        hint: m.settings_check_in_opens_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'noShowFromMin',
        column: 'no_show_after_minutes',
        label: m.settings_no_show,
        hint: m.settings_no_show_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'headcountPolicy',
        column: 'tour_rules.headcountPolicy',
        label: m.settings_headcount,
        hint: m.settings_headcount_hint,
        kind: 'choice',
        options: () => headcountPolicies.map((value) => ({ value, label: policyWords[value]() })),
      },
    ],
  },
  {
    key: 'seats',
    title: m.settings_seats,
    text: m.settings_seats_text,
    fields: [
      {
        path: 'defaultCapacity',
        column: 'default_capacity',
        label: m.settings_capacity,
        kind: 'number',
        unit: m.settings_seats_unit,
      },
      {
        path: 'overbookLimit',
        column: 'default_overbook_limit',
        label: m.settings_overbook,
        hint: m.settings_overbook_hint,
        kind: 'number',
        unit: m.settings_seats_unit,
      },
      {
        path: 'cutoffMinutes',
        column: 'default_cutoff_minutes',
        label: m.settings_cutoff,
        hint: m.settings_cutoff_hint,
        kind: 'number',
        unit: minutes,
      },
    ],
  },
  {
    key: 'bookings',
    title: m.settings_bookings,
    fields: [
      {
        path: 'holdMinutes',
        column: 'hold_minutes',
        label: m.settings_hold,
        hint: m.settings_hold_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'waitlistOfferMinutes',
        column: 'waitlist_offer_minutes',
        label: m.settings_waitlist,
        hint: m.settings_waitlist_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'decideByDays',
        column: 'decide_by_days',
        label: m.settings_decide,
        hint: m.settings_decide_hint,
        kind: 'number',
        unit: m.settings_days,
      },
    ],
  },
  {
    key: 'codes',
    title: m.settings_codes,
    fields: [
      {
        path: 'codePattern',
        column: 'departure_code_pattern',
        label: m.settings_code,
        hint: m.settings_code_hint,
        kind: 'text',
      },
    ],
  },
]
