import { type AlertMute, unmuteAlerts } from '@tour-ops/contract/monitoring/alerts'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { DepartureLink } from '../../records/departure-link.tsx'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { alertKindLabels } from './alert-title.ts'

interface MutedRulesProps {
  muted: readonly AlertMute[]
  now: number
  timeZone: string
}

/** What keeps quiet, over the lanes and over "All clear": one line until it is opened. Silence has to be seen. */
export function MutedRules({ muted, now, timeZone }: MutedRulesProps) {
  const mayAct = useAccess().can('alerts:manage')
  const unmute = useCall(unmuteAlerts, {
    onSuccess: () => toast(m.monitoring_unmuted_toast()),
    onError: (error) => toast(refusalText(error)),
  })
  const time = (moment: string) => formatMoment(moment, timeZone, now)
  return (
    <details className="mb-2 text-xs text-ink-2">
      <summary className="coarse:min-h-11 coarse:content-center">{m.monitoring_muted({ count: muted.length })}</summary>
      <ul className="mt-1 max-h-60 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
        {muted.map(({ id, version, kind, departure, endsAt, reason, mutedAt, mutedByName }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1">
              <b className="font-medium text-ink-strong">{alertKindLabels[kind]()}</b>{' '}
              <DepartureLink id={departure.id} className="link">
                {`${departure.tourName} ${formatMoment(departure.startsAt, departure.timeZone, now)}`}
              </DepartureLink>{' '}
              {endsAt ? m.monitoring_muted_until({ time: time(endsAt) }) : m.monitoring_muted_lasting()}
              <span className="block break-words">
                {m.monitoring_muted_by({ name: mutedByName ?? '', time: time(mutedAt), reason })}
              </span>
            </span>
            {mayAct && (
              <Button
                size="sm"
                pending={unmute.isPending && unmute.variables.id === id}
                onClick={() => unmute.mutate({ id, version })}
              >
                {m.monitoring_unmute()}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
