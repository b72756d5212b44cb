import { Link } from '@tanstack/react-router'
import { ArrowRight, TriangleAlert } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { formatPastAge, formatMoment } from '../../ui/format.ts'

interface DelayBarProps {
  evaluatedAt: string | null
  running: number
  now: number
  timeZone: string
}

/** Over the page when the last check is too old: silence must never look like "All clear". */
export function DelayBar({ evaluatedAt, running, now, timeZone }: DelayBarProps) {
  return (
    <div className="delay-bar" role="alert">
      <TriangleAlert size={24} className="shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 basis-[280px]">
        <b className="num block text-lg font-semibold">
          {evaluatedAt
            ? m.monitoring_delayed_since({
                time: formatMoment(evaluatedAt, timeZone, now),
                age: formatPastAge(evaluatedAt, now),
              })
            : m.monitoring_delayed_never()}
        </b>
        <span className="block">{m.monitoring_delayed_text({ count: running })}</span>
      </div>
      <Link to="/tools/full-monitoring-list" className={buttonClass()}>
        {m.monitoring_watch_departures()}
        <ArrowRight size={16} className="rtl:rotate-180" aria-hidden />
      </Link>
    </div>
  )
}
