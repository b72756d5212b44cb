import { monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { CloudSun, Maximize, NotebookPen, Siren, Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useNow } from '../../ui/clock.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Page, PageHead } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TimesIn } from '../../ui/times-in.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { switchAlertSound, useAlertSound, useAlertSoundOn } from './alert-sound.ts'
import { AlertsBoard } from './alerts-board.tsx'
import { IncidentsTable } from './incidents-table.tsx'
import './monitoring.css'
import { ReportDialog } from './report-dialog.tsx'
import { useRunningDepartures } from './running-departures.tsx'

const HandOverDialog = loadLater(async () => (await import('./hand-over-dialog.tsx')).HandOverDialog)

const WeatherDialog = loadLater(async () => (await import('./weather-dialog.tsx')).WeatherDialog)

/** Ages are repainted this often. */
const clockMs = 5_000
/** Also without a change: how old the last check is must never be a guess. */
const refetchMs = 20_000

/** The exceptions board: what needs attention, who is on it, and whether monitoring is running. See docs/screens.md, "Monitoring". */
export function MonitoringPage() {
  const [{ view, show = view === 'incidents' ? view : 'alerts' }, setAddress] =
    useUrlState('/_dashboard/tools/monitoring')
  const [isReporting, setReporting] = useState(false)
  const [isHandingOver, setHandingOver] = useState(false)
  const [isWeatherOpen, setWeatherOpen] = useState(false)
  const { can } = useAccess()
  const { data: board, dataUpdatedAt } = useScreenQuery({
    ...callQuery(monitoringBoard, {}),
    refetchInterval: refetchMs,
    refetchIntervalInBackground: true,
  })
  useAlertSound(board?.alerts)
  const running = useRunningDepartures()
  const clock = useNow(clockMs)
  // Counted on from the server's clock: the one of this computer may be wrong.
  const now = board ? Date.parse(board.now) + Math.max(0, clock - dataUpdatedAt) : clock
  const tabs = (
    <Segments
      label={m.monitoring_alerts_or_incidents()}
      value={show}
      onChange={(key) =>
        setAddress({ show: key === 'alerts' ? undefined : key, view: undefined, alert: undefined }, { push: true })
      }
      items={[
        { key: 'alerts', label: m.monitoring_alerts() },
        {
          key: 'incidents',
          label: board?.openIncidents
            ? m.monitoring_incidents_n({ count: board.openIncidents })
            : m.monitoring_incidents(),
        },
      ]}
    />
  )
  const actions = (
    <>
      {can('incidents:manage') && (
        <Button icon={Siren} onClick={() => setReporting(true)}>
          {m.monitoring_report_incident()}
        </Button>
      )}
      {can('alerts:manage') && (
        <span {...onIntent(HandOverDialog)}>
          <Button icon={NotebookPen} onClick={() => setHandingOver(true)}>
            {m.monitoring_hand_over()}
          </Button>
        </span>
      )}
      <span {...onIntent(WeatherDialog)}>
        <IconButton
          className="border border-line bg-surface"
          label={m.monitoring_weather_title()}
          icon={CloudSun}
          onClick={() => setWeatherOpen(true)}
        />
      </span>
      <SoundSwitch />
      <IconButton
        className="border border-line bg-surface max-lg:hidden"
        label={m.monitoring_full_screen()}
        icon={Maximize}
        onClick={() => void toggleFullScreen()}
      />
    </>
  )
  const title = m.app_title_monitoring()
  // Dialogs stay where they are while the board arrives: what is typed in one is not lost.
  return (
    <>
      {board && show === 'alerts' ? (
        <AlertsBoard
          board={board}
          running={running}
          now={now}
          head={<PageHead title={title} context={<HeadLine tabs={tabs} board={board} />} actions={actions} />}
        />
      ) : (
        <Page title={title} context={tabs} actions={actions} fill>
          {board ? (
            <IncidentsTable timeZone={board.timeZone} />
          ) : (
            <div className="card">
              <SkeletonRows rows={10} />
            </div>
          )}
        </Page>
      )}
      {isReporting && <ReportDialog onClose={() => setReporting(false)} />}
      {isWeatherOpen && <WeatherDialog onClose={() => setWeatherOpen(false)} />}
      {isHandingOver && <HandOverDialog onClose={() => setHandingOver(false)} />}
    </>
  )
}

function SoundSwitch() {
  const isOn = useAlertSoundOn()
  return (
    <IconButton
      className="border border-line bg-surface"
      label={isOn ? m.monitoring_sound_off() : m.monitoring_sound_on()}
      icon={isOn ? Volume2 : VolumeX}
      onClick={switchAlertSound}
    />
  )
}

const toggleFullScreen = (): Promise<void> =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()

interface HeadLineProps {
  tabs: React.ReactNode
  board: { alerts: readonly { status: string }[]; medianAcknowledgeSeconds: number | null; timeZone: string }
}

function HeadLine({ tabs, board: { alerts, medianAcknowledgeSeconds, timeZone } }: HeadLineProps) {
  const open = alerts.filter(({ status }) => status === 'open').length
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {tabs}
      <span className="max-md:hidden">
        {m.monitoring_new_count({ count: open })}
        {medianAcknowledgeSeconds !== null &&
          ` · ${m.monitoring_median({ minutes: Math.max(1, Math.round(medianAcknowledgeSeconds / 60)) })}`}
      </span>
      <TimesIn zone={timeZone} />
    </span>
  )
}
