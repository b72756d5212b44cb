import type { Out } from '@tour-ops/contract/callable'
import { type AlertRow, monitoringDelayedAfterMs, type monitoringBoard } from '@tour-ops/contract/monitoring/alerts'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { alertTitle } from './alert-title.ts'
import { useNavigationInBar } from '../../app/preferences.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Drawer } from '../../ui/drawer.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsDesktop } from '../../ui/use-media.ts'
import type { BoardClock } from './alert-card.tsx'
import { MuteDialog, ResolveDialog, SnoozeDialog } from './alert-dialogs.tsx'
import { alertPanelAttribute, useAlertKeys } from './alert-keys.ts'
import { AlertLanes, inLaneOrder } from './alert-lanes.tsx'
import { AlertPanelBody, AlertPanelHead } from './alert-panel.tsx'
import { Calm } from './calm.tsx'
import { DelayBar } from './delay-bar.tsx'
import { MutedRules } from './muted-rules.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { ShiftNoteBar } from './shift-note-bar.tsx'
import { RunningStrip, type RunningDepartures } from './running-departures.tsx'
import { type AlertActions, useAlertActions } from './use-alert-actions.ts'

type Board = Out<typeof monitoringBoard>
type Question = 'snooze' | 'resolve' | 'mute' | 'incident'

/** Whether the last check is too old to be trusted. */
const isDelayed = (board: Pick<Board, 'evaluatedAt'>, now: number): boolean =>
  board.evaluatedAt === null || now - Date.parse(board.evaluatedAt) > monitoringDelayedAfterMs

const isWaiting = (alert: AlertRow): boolean => alert.status !== 'resolved'

interface AlertsBoardProps {
  board: Board
  running: RunningDepartures
  /** The server's clock now, milliseconds. */
  now: number
  /** Over the lanes, and not over the panel. */
  head: ReactNode
}

/** The lanes with the panel of the chosen alert, or the "All clear" page when nothing waits. */
export function AlertsBoard({ board, running, now, head }: AlertsBoardProps) {
  const mayAct = useAccess().can('alerts:manage')
  const [{ alert: selectedId }, setAddress] = useUrlState('/_dashboard/tools/monitoring')
  const [question, setQuestion] = useState<Question | null>(null)
  const actions = useAlertActions()
  const clock: BoardClock = { now, timeZone: board.timeZone, isDelayed: isDelayed(board, now) }
  const ordered = inLaneOrder(board.alerts)
  const selected = ordered.find((alert) => alert.id === selectedId)
  const select = (id: string | undefined) => setAddress({ alert: id })
  const step = (by: 1 | -1) => {
    const at = ordered.findIndex((alert) => alert.id === selectedId)
    const next = ordered[at === -1 ? 0 : at + by]
    if (next) select(next.id)
  }
  useAlertKeys(
    keysOf({
      selected: mayAct ? selected : undefined,
      actions,
      ask: setQuestion,
      step,
      close: () => select(undefined),
    }),
  )
  const isCalm = !clock.isDelayed && !board.alerts.some(isWaiting) && !selected
  return (
    <div className="flex min-h-[calc(100dvh-var(--top))] lg:h-[calc(100dvh-var(--top))] lg:min-h-0">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:overflow-y-auto">
        {clock.isDelayed && (
          <DelayBar
            evaluatedAt={board.evaluatedAt}
            running={board.runningDepartures}
            now={now}
            timeZone={board.timeZone}
          />
        )}
        {head}
        {board.shiftNote && (
          <div className="px-4 lg:px-6">
            <ShiftNoteBar note={board.shiftNote} now={now} timeZone={board.timeZone} />
          </div>
        )}
        {board.muted.length > 0 && (
          <div className="px-4 lg:px-6">
            <MutedRules muted={board.muted} now={now} timeZone={board.timeZone} />
          </div>
        )}
        {isCalm ? (
          <div className="px-4 pb-6 lg:px-6">
            <Calm board={board} running={running} now={now} />
          </div>
        ) : (
          <div className="flex min-h-0 flex-1 flex-col px-4 pb-4 lg:min-h-[420px] lg:px-6">
            <AlertLanes
              {...{ clock, actions }}
              alerts={board.alerts}
              resolvedToday={board.resolvedToday}
              evaluatedAt={board.evaluatedAt}
              selectedId={selectedId ?? null}
              onSelect={(id) => select(id === selectedId ? undefined : id)}
            />
            <RunningStrip running={running} now={now} />
          </div>
        )}
      </div>
      {selected && (
        <SelectedAlert
          {...{ clock, actions }}
          alert={selected}
          onAsk={setQuestion}
          onStep={step}
          onClose={() => select(undefined)}
        />
      )}
      {selected && question && (
        <QuestionDialog
          {...{ question, actions, now }}
          alert={selected}
          timeZone={board.timeZone}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  )
}

interface KeyParts {
  selected: AlertRow | undefined
  actions: AlertActions
  ask: (question: Question) => void
  step: (by: 1 | -1) => void
  close: () => void
}

const keysOf = ({ selected, actions, ask, step, close }: KeyParts) => ({
  step,
  close,
  take: () => selected?.status === 'open' && actions.take(selected),
  snooze: () => selected && selected.status !== 'snoozed' && isWaiting(selected) && ask('snooze'),
  resolve: () => selected && isWaiting(selected) && ask('resolve'),
})

interface SelectedAlertProps {
  alert: AlertRow
  clock: BoardClock
  actions: AlertActions
  onAsk: (question: Question) => void
  onStep: (by: 1 | -1) => void
  onClose: () => void
}

/** Next to the lanes where the navigation is in the bar; a drawer over them where it takes their room. */
function SelectedAlert({ alert, clock, actions, onAsk, onStep, onClose }: SelectedAlertProps) {
  const hasRoom = useIsDesktop()
  const isInBar = useNavigationInBar()
  const body = <AlertPanelBody {...{ alert, clock, actions, onAsk }} />
  if (!hasRoom || !isInBar) {
    return (
      <Drawer
        label={alertTitle(alert)}
        onClose={onClose}
        onStep={onStep}
        head={<AlertPanelHead alert={alert} clock={clock} />}
        subhead={<span className="block h-2.5" />}
      >
        <div className="pt-4" {...{ [alertPanelAttribute]: '' }}>
          {body}
        </div>
      </Drawer>
    )
  }
  return (
    <aside className="alert-panel" aria-label={alertTitle(alert)}>
      <div className="flex items-center gap-2 px-4 pt-3 pb-2">
        <AlertPanelHead alert={alert} clock={clock} />
        <IconButton
          className="ms-auto -me-2"
          label={m.ui_close()}
          title={`${m.ui_close()} (Esc)`}
          icon={X}
          onClick={onClose}
        />
      </div>
      {body}
    </aside>
  )
}

interface QuestionDialogProps {
  question: Question
  alert: AlertRow
  actions: AlertActions
  now: number
  timeZone: string
  onClose: () => void
}

function QuestionDialog({ question, ...props }: QuestionDialogProps) {
  if (question === 'snooze') return <SnoozeDialog {...props} />
  if (question === 'resolve') return <ResolveDialog {...props} />
  if (question === 'mute') return <MuteDialog {...props} />
  return <ReportDialog alert={props.alert} onClose={props.onClose} />
}
