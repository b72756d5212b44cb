import type { AlertRow } from '@tour-ops/contract/monitoring/alerts'
import { m } from '../../paraglide/messages.js'
import { formatDayTimeThere, formatDuration, formatLocalDate, formatMoment, formatPercent } from '../../ui/format.ts'
import { evidenceOf } from './alert-title.ts'

/** How services and bookings are when nobody has to ask for them any more. */
const settledService: Readonly<Record<string, () => string>> = {
  confirmed: m.monitoring_over_service_confirmed,
  cancelled: m.monitoring_over_service_cancelled,
}
const settledHold: Readonly<Record<string, () => string>> = {
  confirmed: m.monitoring_over_booking_confirmed,
  cancelled: m.monitoring_over_booking_cancelled,
  expired: m.monitoring_over_hold_ended,
}
const answered: Readonly<Record<string, (whom: { name: string }) => string>> = {
  accepted: m.monitoring_over_accepted,
  declined: m.monitoring_over_declined,
  withdrawn: () => m.monitoring_over_withdrawn(),
}

const startedText = (time: string | null): string | null => time && m.monitoring_over_started({ time })

type Values = ReturnType<typeof evidenceOf>

/** A newer one, none any more, or nobody who needs it. */
function certificateOver(now: Values, then: Values): string | null {
  const [until, former] = [now.text('validUntil'), then.text('validUntil')]
  if ((now.text('holderStatus') ?? 'active') !== 'active') return m.monitoring_over_not_active()
  if (until !== null && former !== null && until > former)
    return m.monitoring_over_valid({ date: formatLocalDate(until) })
  return now.count('certificates') === 0 ? m.monitoring_over_certificate_removed() : null
}

/** Sent again, being sent again, or too old to be news. It has nothing to do with whether its departure is over. */
function messageOver(now: Values, sentAgainAt: string | null): string | null {
  const [status, limitHours] = [now.text('messageStatus'), now.count('limitHours')]
  if (status === 'sending') return m.monitoring_over_sending_again()
  if (status === 'sent' && sentAgainAt !== null) return m.monitoring_over_sent_again({ time: sentAgainAt })
  if (status === 'sent') return (now.count('suppressed') ?? 0) > 0 ? m.monitoring_over_no_recipient() : null
  // of its statuses only those of a failure are left, in which it ends by its age alone
  return status === null || limitHours === null || now.count('failed') === 0
    ? null
    : m.monitoring_over_message_old({ age: formatDuration(limitHours * 60) })
}

/** Nobody who needs a document, everybody has one, or it is too early or too late to ask for them. */
function documentsOver(now: Values, resolvedAt: string | null, zone: string): string | null {
  const [days, guests, lacking, start] = [
    now.count('days'),
    now.count('guests'),
    now.count('lacking'),
    now.text('startsAt'),
  ]
  if (days === null || guests === null || lacking === null || start === null) return null
  if (days <= 1) return m.monitoring_over_one_day()
  if (guests === 0) return m.monitoring_over_no_guests()
  if (lacking === 0) return m.monitoring_over_documents({ count: guests })
  return resolvedAt !== null && Date.parse(start) > Date.parse(resolvedAt)
    ? m.monitoring_over_moved({ time: formatDayTimeThere(start, zone) })
    : m.monitoring_over_ended()
}

/** Why an alert ended by itself, from the values at that moment; null where they do not explain its kind. */
export function whyOver(
  { kind, departure, evidence, resolutionFacts, resolvedAt }: AlertRow,
  officeZone: string,
): string | null {
  const { text, count } = evidenceOf({ evidence: resolutionFacts })
  const time = (key: string): string | null => {
    const at = text(key)
    return at && formatMoment(at, departure?.timeZone ?? officeZone)
  }
  if (kind === 'message_failed') return messageOver(evidenceOf({ evidence: resolutionFacts }), time('sentAt'))
  if (['completed', 'aborted'].includes(text('status') ?? '')) return m.monitoring_over_ended()
  switch (kind) {
    case 'late_start':
      return startedText(time('startedAt'))
    case 'running_late':
    case 'eta_miss': {
      const minutes = count('delayMin')
      return minutes === null ? null : m.monitoring_over_delay({ minutes })
    }
    case 'no_lead_guide': {
      const name = text('leadName')
      return name && m.monitoring_over_lead({ name })
    }
    case 'below_min_pax': {
      const [pax, needed] = [count('pax'), count('minPax')]
      return pax === null || needed === null ? null : m.monitoring_over_guests({ count: pax, needed })
    }
    case 'headcount_mismatch': {
      const [counted, expected] = [count('counted'), count('expected')]
      return counted === null || expected === null ? null : m.monitoring_over_counted({ counted, expected })
    }
    case 'no_show':
      return count('noShows') === 0 ? m.monitoring_over_no_show() : null
    case 'document_missing':
      return text('status') === 'in_progress'
        ? startedText(time('startedAt'))
        : documentsOver(evidenceOf({ evidence: resolutionFacts }), resolvedAt, departure?.timeZone ?? officeZone)
    case 'capacity_conflict': {
      const [pax, seats] = [count('pax'), count('seats')]
      if (count('vehicles') === 0) return m.monitoring_over_no_vehicle()
      return pax === null || seats === null ? null : m.monitoring_over_seats({ count: pax, seats })
    }
    case 'certificate_expiring':
      return certificateOver(evidenceOf({ evidence: resolutionFacts }), evidenceOf({ evidence }))
    case 'rest_violation': {
      const [name, answer] = [evidenceOf({ evidence }).text('staffName') ?? '', text('answer') ?? '']
      if (answer !== 'accepted') return answered[answer]?.({ name }) ?? null
      if (resolutionFacts['isOverridden'] === true) return m.monitoring_over_overridden()
      return resolutionFacts['isDutyAhead'] === true ? m.monitoring_over_rest({ name }) : null
    }
    case 'service_unconfirmed':
      return settledService[text('serviceStatus') ?? '']?.() ?? null
    case 'hold_expiring': {
      const until = text('heldUntil')
      if (text('bookingStatus') !== 'on_hold' || until === null)
        return settledHold[text('bookingStatus') ?? '']?.() ?? null
      const isExtended = resolvedAt !== null && Date.parse(until) > Date.parse(resolvedAt)
      return isExtended
        ? m.monitoring_over_hold_extended({ time: time('heldUntil') ?? '' })
        : m.monitoring_over_hold_ended()
    }
    case 'assignment_unanswered': {
      const name = evidenceOf({ evidence }).text('staffName') ?? ''
      return answered[text('answer') ?? '']?.({ name }) ?? null
    }
    case 'weather_warning':
      return text('warningEndedAt') === null ? null : m.monitoring_over_weather()
    case 'battery_low': {
      const battery = count('batteryPct')
      return battery === null ? null : m.monitoring_over_battery({ battery: formatPercent(battery / 100) })
    }
    case 'no_go_area':
    case 'signal_lost':
    case 'off_route':
    case 'long_stop':
    case 'overspeed':
    case 'geofence_absent': {
      if (text('areaArchivedAt') !== null) return m.monitoring_over_archived()
      const heard = time('heardAt')
      return heard && m.monitoring_over_heard({ time: heard })
    }
    default:
      return null
  }
}
