import { headcountPolicies } from '@tour-ops/contract/settings/settings'
import { escalationRoles } from '@tour-ops/contract/monitoring/alert-limits'
import { roleName } from '../../identity/role-name.ts'
import { m } from '../../paraglide/messages.js'
import type { SettingSection } from './settings-model.ts'

const minutes = m.settings_min
const policyLabels = { ask: m.settings_headcount_ask, require: m.settings_headcount_require }

const escalationOptions = () => escalationRoles.map((role) => ({ value: role, label: roleName(role) }))

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
      {
        path: 'lateStartMin',
        column: 'tour_rules.lateStartMin',
        label: m.settings_late_start,
        hint: m.settings_late_start_hint,
        kind: 'number',
        unit: minutes,
      },
    ],
  },
  {
    key: 'on-the-way',
    title: m.settings_on_the_way,
    text: m.settings_on_the_way_text,
    fields: [
      {
        path: 'offRouteM',
        column: 'tour_rules.offRouteM',
        label: m.settings_off_route,
        kind: 'number',
        unit: m.settings_meters,
      },
      {
        path: 'offRouteWalkM',
        column: 'tour_rules.offRouteWalkM',
        label: m.settings_off_route_walk,
        kind: 'number',
        unit: m.settings_meters,
      },
      {
        path: 'offRouteMin',
        column: 'tour_rules.offRouteMin',
        label: m.settings_off_route_min,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'longStopMin',
        column: 'tour_rules.longStopMin',
        label: m.settings_long_stop,
        hint: m.settings_long_stop_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'absentMin',
        column: 'tour_rules.absentMin',
        label: m.settings_absent,
        hint: m.settings_absent_hint,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'signalLostMin',
        column: 'tour_rules.signalLostMin',
        label: m.settings_signal,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'signalLostDaysMin',
        column: 'tour_rules.signalLostDaysMin',
        label: m.settings_signal_days,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'batteryPct',
        column: 'tour_rules.batteryPct',
        label: m.settings_battery,
        kind: 'number',
        unit: m.settings_percent,
      },
      {
        path: 'speedCoachKmh',
        column: 'tour_rules.speedCoachKmh',
        label: m.settings_speed_coach,
        hint: m.settings_speed_hint,
        kind: 'number',
        unit: m.settings_kmh,
      },
      {
        path: 'speedMinibusKmh',
        column: 'tour_rules.speedMinibusKmh',
        label: m.settings_speed_minibus,
        hint: m.settings_speed_hint,
        kind: 'number',
        unit: m.settings_kmh,
      },
      {
        path: 'speedVanKmh',
        column: 'tour_rules.speedVanKmh',
        label: m.settings_speed_van,
        hint: m.settings_speed_hint,
        kind: 'number',
        unit: m.settings_kmh,
      },
      {
        path: 'speed4x4Kmh',
        column: 'tour_rules.speed4x4Kmh',
        label: m.settings_speed_4x4,
        hint: m.settings_speed_hint,
        kind: 'number',
        unit: m.settings_kmh,
      },
      {
        path: 'speedBoatKmh',
        column: 'tour_rules.speedBoatKmh',
        label: m.settings_speed_boat,
        hint: m.settings_speed_hint,
        kind: 'number',
        unit: m.settings_kmh,
      },
    ],
  },
  {
    key: 'escalation',
    title: m.settings_escalation,
    text: m.settings_escalation_text,
    fields: [
      {
        path: 'escalateAfterMin',
        column: 'tour_rules.escalateAfterMin',
        label: m.settings_escalate_after,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'escalateTo',
        column: 'tour_rules.escalateTo',
        label: m.settings_escalate_to,
        kind: 'choice',
        options: escalationOptions,
      },
      {
        path: 'escalateAgainMin',
        column: 'tour_rules.escalateAgainMin',
        label: m.settings_escalate_again,
        kind: 'number',
        unit: minutes,
      },
      {
        path: 'escalateAgainTo',
        column: 'tour_rules.escalateAgainTo',
        label: m.settings_escalate_again_to,
        kind: 'choice',
        options: escalationOptions,
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
        options: () => headcountPolicies.map((value) => ({ value, label: policyLabels[value]() })),
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
        path: 'guestChangesHours',
        column: 'guest_changes_hours',
        label: m.settings_guest_changes,
        hint: m.settings_guest_changes_hint,
        kind: 'number',
        unit: m.settings_hours_unit,
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
