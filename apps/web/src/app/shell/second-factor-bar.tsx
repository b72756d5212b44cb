import { Link, useRouterState } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { getSession } from '@tour-ops/contract/identity/session'
import { ShieldAlert } from 'lucide-react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { formatDate } from '../../ui/format.ts'
import { returnParameter } from '../../addresses/navigate-to.ts'

/** Says until when a second factor has to be there, before the organization refuses those without one. */
export function SecondFactorBar() {
  const { data } = useQuery({ ...callQuery(getSession, {}), staleTime: 10 * 60_000 })
  const href = useRouterState({ select: ({ location }) => location.href })
  const dueAt = data?.secondFactorDueAt
  if (!dueAt) return null
  return (
    <div
      role="status"
      className="tone-warn flex min-h-[45px] flex-wrap items-center gap-2.5 border-b border-line bg-[var(--tint)] px-4 py-2 text-[var(--fg)] lg:px-6"
    >
      <ShieldAlert size={16} className="shrink-0" aria-hidden />
      <span className="min-w-0 flex-1 text-ink-strong">
        {m.app_second_factor_due({ day: formatDate(dueAt, data.settings?.timeZone) })}
      </span>
      <Link to="/account/second-factor" search={{ [returnParameter]: href }} className="btn btn-secondary btn-sm">
        {m.app_second_factor_set_up()}
      </Link>
    </div>
  )
}
