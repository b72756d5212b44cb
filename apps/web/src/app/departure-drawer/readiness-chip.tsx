import type { Departure, ReadinessCheck } from '@tour-ops/contract/departures'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, ClipboardCheck } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { Popover } from '../../ui/popover.tsx'
import type { DrawerTab } from './drawer-tabs.ts'

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
}

/** Where what is missing can be put right. */
const fixedAt: Record<ReadinessCheck, DrawerTab> = {
  lead_guide: 'crew',
  language: 'crew',
  guide_ratio: 'crew',
  vehicle_seats: 'crew',
  services_confirmed: 'services',
  documents: 'manifest',
  weather_note: 'run-sheet',
  minimum_pax: 'bookings',
  messages_delivered: 'history',
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
          {needsCount && <Check ok={false} word={m.departures_headcount_missing()} detail={null} />}
          {checks.map(({ check, ok, detail }) => (
            <Check
              key={check}
              ok={ok}
              word={ok ? words[check].ok() : words[check].missing()}
              detail={detail}
              fixedAt={ok ? undefined : fixedAt[check]}
              onLeave={close}
            />
          ))}
        </ul>
      )}
    </Popover>
  )
}

interface CheckProps {
  ok: boolean
  word: string
  detail: string | null
  fixedAt?: DrawerTab | undefined
  onLeave?: (() => void) | undefined
}

function Check({ ok, word, detail, fixedAt: tab, onLeave }: CheckProps) {
  const Icon = ok ? CircleCheck : CircleDashed
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} className={classNames('mt-0.5 shrink-0', ok ? 'text-ok' : 'text-warn')} aria-hidden />
      <span className={classNames('min-w-0 flex-1', !ok && 'font-medium text-ink-strong')}>
        {tab ? (
          <Link
            to="."
            search={(before: Record<string, unknown>) => ({ ...before, tab })}
            className="link"
            onClick={onLeave}
          >
            {word}
          </Link>
        ) : (
          word
        )}
      </span>
      {detail !== null && <span className="num text-ink-2">{detail}</span>}
    </li>
  )
}
