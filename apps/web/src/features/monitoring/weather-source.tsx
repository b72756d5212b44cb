import { useQuery } from '@tanstack/react-query'
import {
  getWeatherSource,
  issueWeatherSource,
  revokeWeatherSource,
  type WeatherSource,
} from '@tour-ops/contract/monitoring/weather-warnings'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatDayTimeThere } from '../../ui/format.ts'
import { SecretAddressDialog } from '../../ui/secret-address-dialog.tsx'
import { toast } from '../../ui/toast.tsx'

/** The address at which a weather service reports warnings: made, replaced and ended. */
export function WeatherSourceSection() {
  const { data } = useQuery(callQuery(getWeatherSource, {}))
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  const close = () => setAsking(null)
  const say = (error: unknown) => toast(refusalText(error))
  const issue = useCall(issueWeatherSource, { onError: say, onSuccess: close })
  const revoke = useCall(revokeWeatherSource, {
    onError: say,
    onSuccess: () => {
      close()
      toast(m.monitoring_weather_source_revoked())
    },
  })
  if (!data) return null
  const { source } = data
  return (
    <section aria-label={m.monitoring_weather_source()} className="grid gap-2 border-t border-line pt-3">
      <h3 className="font-semibold">{m.monitoring_weather_source()}</h3>
      <p className="text-ink-2">{m.monitoring_weather_source_text()}</p>
      {source && <p className="text-ink-strong">{presentText(source)}</p>}
      <div className="flex flex-wrap gap-2">
        {source ? (
          <>
            <Button size="sm" onClick={() => setAsking('rotate')}>
              {m.monitoring_weather_source_rotate()}
            </Button>
            <Button size="sm" onClick={() => setAsking('revoke')}>
              {m.monitoring_weather_source_revoke()}
            </Button>
          </>
        ) : (
          <Button size="sm" pending={issue.isPending} onClick={() => issue.mutate({})}>
            {m.monitoring_weather_source_issue()}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onClose={close}
        onConfirm={() => issue.mutate({})}
        title={m.monitoring_weather_source_rotate()}
        confirmLabel={m.monitoring_weather_source_rotate()}
        pending={issue.isPending}
      >
        {m.monitoring_weather_source_rotate_text()}
      </ConfirmDialog>
      {source && (
        <ConfirmDialog
          open={asking === 'revoke'}
          danger
          onClose={close}
          onConfirm={() => revoke.mutate({ id: source.id, version: source.version })}
          title={m.monitoring_weather_source_revoke()}
          confirmLabel={m.monitoring_weather_source_revoke()}
          pending={revoke.isPending}
        >
          {m.monitoring_weather_source_revoke_text()}
        </ConfirmDialog>
      )}
      {issue.data && (
        <SecretAddressDialog
          title={m.monitoring_weather_source()}
          text={m.monitoring_weather_source_made()}
          label={m.monitoring_weather_source_address()}
          copyLabel={m.monitoring_weather_source_copy()}
          copied={m.monitoring_weather_source_copied()}
          address={issue.data.url}
          onClose={issue.reset}
          below={<ReportExample />}
        />
      )}
    </section>
  )
}

const presentText = ({ hint, issuedAt, issuedByName }: WeatherSource): string =>
  m.monitoring_weather_source_present({ hint, time: formatDayTimeThere(issuedAt), name: issuedByName ?? '' })

const example = {
  id: 'wind-17',
  title: 'Storm',
  text: 'Gusts of 30 m/s.',
  severity: 'warning',
  startsAt: '2026-11-28T12:00:00Z',
  endsAt: '2026-11-28T18:00:00Z',
  where: { kind: 'area', area: { kind: 'circle', center: [-21.9, 64.1], radiusM: 30_000 } },
}

/** What a service sends, for whoever sets it up. */
const ReportExample = () => (
  <details className="mt-3">
    <summary>{m.monitoring_weather_source_form()}</summary>
    <pre dir="ltr" className="mt-2 overflow-x-auto rounded-lg border border-line p-3 text-xs">
      {JSON.stringify(example, null, 2)}
    </pre>
    <p className="mt-2 text-ink-2">{m.monitoring_weather_source_form_text()}</p>
  </details>
)
