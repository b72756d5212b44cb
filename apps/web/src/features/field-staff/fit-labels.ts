import type { Out } from '@tour-ops/contract/callable'
import type { BrokenRule, FitReason, suggestStaff } from '@tour-ops/contract/field-staff/assignments'
import { m } from '../../paraglide/messages.js'
import { formatDistance, formatDuration, formatNumber } from '../../ui/format.ts'

type Suggested = Out<typeof suggestStaff>

/** The same figure as in the planner's column. */
const hoursText = (hours = 0): string => formatNumber(hours, 1)

const reasons: Record<FitReason['reason'], (reason: FitReason) => string> = {
  kind: () => m.field_staff_reason_kind(),
  language: ({ ok }) => (ok ? m.field_staff_reason_language() : m.field_staff_reason_language_no()),
  certificate: () => m.field_staff_reason_certificate(),
  rest: ({ ok, hours = 0, limitHours, code }) =>
    ok
      ? m.field_staff_reason_rested()
      : m.field_staff_reason_rested_no({
          rest: formatDuration(hours * 60),
          code: code ?? m.field_staff_reason_other_duty(),
          limit: formatDuration((limitHours ?? 0) * 60),
        }),
  travel: ({ code }) => m.field_staff_reason_travel({ code: code ?? m.field_staff_reason_other_duty() }),
  hours: ({ ok, hours, addedHours, limitHours }) =>
    ok
      ? m.field_staff_reason_hours({ hours: hoursText(hours) })
      : m.field_staff_reason_hours_no({
          hours: hoursText(hours),
          added: hoursText(addedHours),
          limit: hoursText(limitHours ?? 0),
        }),
  base: ({ ok, place = '', distanceKm = 0, hours = 0 }) =>
    ok
      ? distanceKm < 1
        ? m.field_staff_reason_base_at({ place })
        : m.field_staff_reason_base({ place, distance: formatDistance(distanceKm * 1000) })
      : m.field_staff_reason_base_far({
          place,
          distance: formatDistance(distanceKm * 1000),
          travel: formatDuration(Math.round(hours) * 60),
        }),
  led_before: ({ count = 0 }) => m.field_staff_reason_led({ count }),
}

/** Why somebody fits or does not, as a sentence with its figures. */
export const fitReasonText = (reason: FitReason): string => reasons[reason.reason](reason)

const rules: Record<BrokenRule, () => string> = {
  kind: m.field_staff_rule_kind,
  language: m.field_staff_rule_language,
  certificate: m.field_staff_rule_certificate,
  rest: m.field_staff_rule_rest,
  travel: m.field_staff_rule_travel,
  hours: m.field_staff_rule_hours,
  base: m.field_staff_rule_base,
}
/** A rule that was overridden, where its figures are no longer known. */
export const brokenRuleText = (rule: BrokenRule): string => rules[rule]()

/** Why somebody cannot come at all. */
export function obstacleText({ because, code }: Suggested['notPossible'][number]): string {
  const duty = code ?? m.field_staff_reason_other_duty()
  switch (because) {
    case 'busy':
      return m.field_staff_because_busy({ what: duty })
    case 'travel':
      return m.field_staff_because_travel({ what: duty })
    case 'leave':
      return m.field_staff_because_leave()
    case 'licence':
      return m.field_staff_because_licence()
    case 'suspended':
      return m.field_staff_because_suspended()
  }
}
