import type { Departure, ReadinessCheck } from '@tour-ops/contract/departures/departures'
import { CircleCheck, CircleDashed, ClipboardCheck } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Popover } from '../../ui/popover.tsx'
import { type FailingCheck, ReadinessFix } from '../../records/readiness-fix.tsx'

const words: Record<ReadinessCheck, { ok: () => string; missing: () => string }> = {
  lead_guide: { ok: m.departures_check_lead_guide, missing: m.departures_check_lead_guide_not },
  language: { ok: m.departures_check_language, missing: m.departures_check_language_not },
  guide_ratio: { ok: m.departures_check_guide_ratio, missing: m.departures_check_guide_ratio_not },
  vehicle_seats: { ok: m.departures_check_vehicle_seats, missing: m.departures_check_vehicle_seats_not },
  services_confirmed: { ok: m.departures_check_services, missing: m.departures_check_services_not },
  documents: { ok: m.departures_check_documents, missing: m.departures_check_documents_not },
  weather_note: { ok: m.departures_check_weather, missing: m.departures_check_weather_not },
  minimum_pax: { ok: m.departures_check_minimum, missing: m.departures_check_minimum_not },
  messages_delivered: { ok: m.departures_check_messages, missing: m.departures_check_messages_not },
  suppliers_informed: { ok: m.departures_check_suppliers, missing: m.departures_check_suppliers_not },
}

/** "Ready 9 of 9", and what is not when opened; while boarding the missing head count comes first. */
export function ReadinessChip({ departure }: { departure: Departure }) {
  const { readiness, checks } = departure
  const needsCount = departure.nextStatuses.some((option) => option.unmet.includes('headcount_missing'))
  if (readiness.total === 0 && !needsCount) return null
  const isReady = readiness.ready && !needsCount
  const Icon = needsCount ? ClipboardCheck : isReady ? CircleCheck : CircleDashed
  return (
    <Popover
      label={m.departures_readiness()}
      buttonClassName={classNames('status', isReady ? 'tone-ok' : 'tone-warn')}
      button={
        <>
          <Icon size={14} strokeWidth={2.25} aria-hidden />
          {needsCount
            ? m.departures_headcount_missing()
            : isReady
              ? m.departures_ready({ done: readiness.done, total: readiness.total })
              : m.departures_not_ready({ done: readiness.done, total: readiness.total })}
        </>
      }
      width={320}
    >
      {(close) => (
        <ul className="grid gap-1.5">
          {needsCount && (
            <Check
              {...{ departure }}
              check="headcount"
              label={m.departures_headcount_missing()}
              detail={null}
              onLeave={close}
            />
          )}
          {checks.map(({ check, ok, detail }) => (
            <Check
              key={check}
              departure={departure}
              check={ok ? null : check}
              label={ok ? words[check].ok() : words[check].missing()}
              detail={detail}
              onLeave={close}
            />
          ))}
        </ul>
      )}
    </Popover>
  )
}

interface CheckProps {
  departure: Departure
  /** Null when it is met. */
  check: FailingCheck | null
  label: string
  detail: string | null
  onLeave: () => void
}

function Check({ departure, check, label, detail, onLeave }: CheckProps) {
  const Icon = check ? CircleDashed : CircleCheck
  return (
    <li className="flex items-start gap-2 coarse:min-h-8">
      <Icon size={16} className={classNames('mt-0.5 shrink-0', check ? 'text-warn' : 'text-ok')} aria-hidden />
      <span className={classNames('min-w-0 flex-1', check && 'font-medium text-ink-strong')}>
        {check ? (
          <ReadinessFix departureId={departure.id} check={check} className="link" onLeave={onLeave}>
            {label}
          </ReadinessFix>
        ) : (
          label
        )}
      </span>
      {detail !== null && <span className="num text-ink-2">{detail}</span>}
    </li>
  )
}
