import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Departure, getDeparture, type NextStatus } from '@tour-ops/contract/departures/departures'
import type { DepartureStop } from '@tour-ops/contract/departures/run-sheet'
import { useState } from 'react'
import { callQuery, readAfresh } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { OnPaper } from '../../ui/on-paper.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import type { RecordDrawerProps } from '../../records/record-drawers.tsx'
import { useUrlState } from '../../addresses/url-state.ts'
import { BookingsTab } from './bookings-tab.tsx'
import { CombineDialog, EditDepartureDialog, SeparateBanner } from './combine-later.ts'
import { CrewTab } from './crew-tab.tsx'
import { useDepartureAccess } from './departure-access.ts'
import { useDepartureSteps } from './departure-steps.ts'
import { forgetDrawerRequest, useRequestedDialog } from '../../records/drawer-request.ts'
import { isUnderWay } from './run-sheet.ts'
import { DrawerActions, DrawerStatus, DrawerTitle } from './drawer-head.tsx'
import { tabsOf } from './drawer-tabs.ts'
import './departure-drawer.css'
import { HeadcountDialog } from './headcount-dialog.tsx'
import { HistoryTab } from './history-tab.tsx'
import { manifestFooter } from './manifest-footer.tsx'
import { ManifestTab } from './manifest-tab.tsx'
import { ProposalsDialog } from './proposals-later.ts'
import { PrintSheet } from './print-sheet.tsx'
import { runSheetFooter } from './run-sheet-footer.tsx'
import { RunSheetTab } from './run-sheet-tab.tsx'
import { ServicesTab, writesToSuppliers } from './services-tab.tsx'
import { UntoldSuppliers } from './supplier-messages-later.ts'
import { type AskedAction, StopDialog, type StopAction, useMarkStop } from './stop-actions.tsx'
import { StatusDialog, useStatusWrite } from './status-dialog.tsx'
import { actLabel, endsEarly } from './status-labels.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCheckIn } from './use-check-in.ts'
import { useManifest } from './use-manifest.ts'

/** Where a group was seen last is announced to nobody, nor that a form is still open, or every screen would read every departure each minute. */
const seenAgainMs = 60_000
const isAboutNow = (departure: Departure | undefined): boolean =>
  departure !== undefined && (departure.formHolds.length > 0 || departure.stops.some(({ seenAt }) => seenAt !== null))

/** A departure over any screen, at `?departure={id}&tab=`. See docs/screens.md, "Records over any screen". */
export function DepartureDrawer({ id, onClose }: RecordDrawerProps) {
  const {
    data: departure,
    error,
    refetch,
  } = useQuery({
    ...callQuery(getDeparture, { id }),
    refetchInterval: ({ state }) => (isAboutNow(state.data) ? seenAgainMs : false),
  })
  const step = useDepartureSteps(id)
  if (departure) return <LoadedDrawer departure={departure} onClose={onClose} onStep={step} />
  return (
    <Drawer
      label={m.departures_departure()}
      onClose={onClose}
      onStep={step}
      head={<h2 className="pb-3 text-xl font-semibold tracking-tight">{m.departures_departure()}</h2>}
    >
      {error ? (
        <ErrorPanel
          message={error.code === 'not-found' ? m.departures_not_found() : refusalText(error)}
          requestId={error.details.requestId}
          {...(error.code !== 'not-found' && { onRetry: () => void refetch() })}
        />
      ) : (
        <SkeletonRows rows={12} label={m.departures_departure()} />
      )}
    </Drawer>
  )
}

/** A dialog over the drawer. */
type Question =
  | { kind: 'status'; option: NextStatus }
  | { kind: 'proposals' }
  | { kind: 'combine' }
  | { kind: 'edit' }
  | { kind: 'stop'; act: AskedAction; stop: DepartureStop }
  | CountQuestionModel
interface CountQuestionModel {
  kind: 'count'
  stop?: DepartureStop
  thenDepart?: boolean
  thenStart?: NextStatus
}

interface LoadedDrawerProps {
  departure: Departure
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | undefined
}

function LoadedDrawer({ departure, onClose, onStep }: LoadedDrawerProps) {
  const access = useDepartureAccess(departure)
  const [{ tab: wanted }, setAddress] = useUrlState('/_dashboard')
  const [isFull, setFull] = useState(false)
  const [question, setQuestion] = useQuestion(departure, access)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const tabs = tabsOf(departure, access)
  const tab = tabs.find((item) => item.key === wanted)?.key ?? 'run-sheet'
  // The printed run sheet says how many join where, and a printer does not wait: it is asked for with the sheet.
  const { data: manifest } = useManifest(
    departure.id,
    access.can('travelers:read') && (tab === 'manifest' || tab === 'run-sheet'),
  )
  const checkIns = useCheckIn(departure)
  const { mark, isMarking } = useStopActions(departure, setQuestion)
  const choose = useStatusChoice(departure, setQuestion)
  const selection = { ids: chosen, set: setChosen }
  const footers = {
    'run-sheet': () => runSheetFooter({ departure, isMarking, onAction: mark, onChoose: choose }, access),
    manifest: () =>
      manifestFooter({
        departure,
        manifest,
        selection,
        checkIns,
        mayDispatch: access.can('departures:dispatch'),
        onChoose: choose,
      }),
  }
  const footer = tab === 'run-sheet' || tab === 'manifest' ? footers[tab]() : null
  return (
    <div className="contents" data-drawer-full={isFull || undefined}>
      <Drawer
        label={m.departures_drawer_label({ name: departure.tourName, code: departure.code })}
        onClose={onClose}
        onStep={onStep}
        head={<DrawerTitle departure={departure} />}
        headActions={<DrawerActions departure={departure} onStep={onStep} isFull={isFull} onFull={setFull} />}
        subhead={
          <>
            <DrawerStatus
              departure={departure}
              onChoose={choose}
              onCombine={() => setQuestion({ kind: 'combine' })}
              onEdit={() => setQuestion({ kind: 'edit' })}
            />
            <Tabs
              label={m.departures_tabs()}
              items={tabs}
              value={tab}
              onChange={(next) => setAddress({ tab: next === 'run-sheet' ? undefined : next })}
            />
          </>
        }
        footer={footer ?? undefined}
      >
        {departure.cancelReason === 'combined' && <SeparateBanner departure={departure} />}
        {tab !== 'services' && writesToSuppliers(departure, access.can) && (
          <UntoldSuppliers departureId={departure.id} onOpen={() => setAddress({ tab: 'services' })} />
        )}
        {tab === 'run-sheet' && <RunSheetTab departure={departure} onAction={mark} />}
        {tab === 'manifest' && (
          <ManifestTab
            departure={departure}
            selection={selection}
            checkIns={checkIns}
            onHeadcount={() => setQuestion({ kind: 'count' })}
          />
        )}
        {tab === 'bookings' && <BookingsTab departure={departure} />}
        {tab === 'crew' && <CrewTab departure={departure} />}
        {tab === 'services' && <ServicesTab departure={departure} />}
        {tab === 'history' && <HistoryTab departure={departure} />}
      </Drawer>
      {question && <QuestionDialog {...{ departure, question }} onAsk={setQuestion} />}
      <OnPaper>
        <PrintSheet departure={departure} manifest={manifest} isManifest={tab === 'manifest'} />
      </OnPaper>
    </div>
  )
}

/** The dialog over the drawer; a head count requested from another screen opens at once. */
function useQuestion(departure: Departure, { can }: Pick<ReturnType<typeof useDepartureAccess>, 'can'>) {
  const [pressed, setPressed] = useState<Question | null>(null)
  const isAsked = useRequestedDialog(departure.id) === 'count' && can('checkin:write') && isUnderWay(departure)
  const ask = (question: Question | null) => {
    setPressed(question)
    if (isAsked) forgetDrawerRequest()
  }
  return [pressed ?? (isAsked ? ({ kind: 'count' } as const) : null), ask] as const
}

const say = (error: unknown) => toast(refusalText(error))

/** Marks stops: at once where nothing needs asking, by a dialog where a count, a time or a reason is missing. */
function useStopActions(departure: Departure, ask: (question: Question) => void) {
  const write = useMarkStop((stopId, to) => {
    const place = departure.stops.find(({ id }) => id === stopId)?.placeName ?? ''
    toast(to === 'arrived' ? m.departures_arrived_toast({ place }) : m.departures_departed_toast({ place }))
  })
  const send = ({ id, version }: DepartureStop, to: 'arrived' | 'departed') => write.mutate({ id, version, to })
  const mark = (act: StopAction, stop: DepartureStop) => {
    if (act === 'arrive') return send(stop, 'arrived')
    if (act === 'count') return ask({ kind: 'count', stop })
    if (act !== 'depart') return ask({ kind: 'stop', act, stop })
    if (stop.headcountRequired && stop.headcountActual === null && departure.counts.aboard > 0) {
      return ask({ kind: 'count', stop, thenDepart: true })
    }
    return send(stop, 'departed')
  }
  return { mark, isMarking: write.isPending }
}

/** A status change: at once where nothing needs asking; a missing head count is asked for first. */
function useStatusChoice(departure: Departure, ask: (question: Question) => void) {
  const write = useStatusWrite({ onError: say })
  return (option: NextStatus) => {
    if (option.unmet.includes('headcount_missing')) return ask({ kind: 'count', thenStart: option })
    if (option.needsReason || endsEarly(departure, option.to)) return ask({ kind: 'status', option })
    write.mutate({ id: departure.id, version: departure.version, to: option.to })
  }
}

interface QuestionDialogProps {
  departure: Departure
  question: Question
  onAsk: (question: Question | null) => void
}

function QuestionDialog({ departure, question, onAsk }: QuestionDialogProps) {
  const { can } = useAccess()
  const close = () => onAsk(null)
  if (question.kind === 'status') {
    // The newest of what is allowed: guards may have been met while the dialog was open.
    const option = departure.nextStatuses.find((one) => one.to === question.option.to)
    if (!option) return null
    return (
      <StatusDialog
        departure={departure}
        option={option}
        onClose={close}
        onCancelled={() => onAsk(departure.seatsConfirmed > 0 && can('bookings:manage') ? { kind: 'proposals' } : null)}
      />
    )
  }
  if (question.kind === 'combine') return <CombineDialog departure={departure} onClose={close} onCombined={close} />
  if (question.kind === 'edit') return <EditDepartureDialog departure={departure} onClose={close} />
  if (question.kind === 'proposals') return <ProposalsDialog departure={departure} onClose={close} />
  if (question.kind === 'stop') {
    const stop = departure.stops.find((one) => one.id === question.stop.id) ?? question.stop
    return <StopDialog departure={departure} stop={stop} act={question.act} onClose={close} />
  }
  return <CountQuestion departure={departure} question={question} onAsk={onAsk} />
}

/** The head count, and then what it was asked for: leaving the stop, or starting the tour. */
function CountQuestion({ departure, question, onAsk }: QuestionDialogProps & { question: CountQuestionModel }) {
  const { stop, thenDepart, thenStart } = question
  const cache = useQueryClient()
  const status = useStatusWrite({ onError: say })
  const write = useMarkStop()
  /** The count changed the versions of what is written next. */
  const readAgain = () => readAfresh(cache, getDeparture, { id: departure.id })
  const start = async (wanted: NextStatus) => {
    const { id, version, nextStatuses } = await readAgain()
    const option = nextStatuses.find((one) => one.to === wanted.to)
    if (option?.needsReason) onAsk({ kind: 'status', option })
    else status.mutate({ id, version, to: wanted.to })
  }
  const leave = async (id: string) => {
    const fresh = (await readAgain()).stops.find((one) => one.id === id)
    if (fresh) write.mutate({ id, version: fresh.version, to: 'departed' })
  }
  const then = thenStart
    ? { label: actLabel(departure.status, thenStart.to), run: () => void start(thenStart).catch(say) }
    : thenDepart && stop
      ? { label: m.departures_mark_departed(), run: () => void leave(stop.id).catch(say) }
      : undefined
  const without = thenStart
    ? () => onAsk({ kind: 'status', option: thenStart })
    : thenDepart && stop
      ? () => onAsk({ kind: 'stop', act: 'depart', stop })
      : undefined
  return (
    <HeadcountDialog departure={departure} stop={stop} onClose={() => onAsk(null)} then={then} onWithout={without} />
  )
}
