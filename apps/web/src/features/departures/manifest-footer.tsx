import type { Departure, NextStatus } from '@tour-ops/contract/departures/departures'
import type { Manifest } from '@tour-ops/contract/bookings/manifest'
import { Check, Navigation, Undo2 } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { entriesOf, mayBeNoShow, mayCheckIn, mayUndo } from './manifest-model.ts'
import type { CheckIns } from './use-check-in.ts'
import type { Selection } from './use-manifest.ts'

export interface ManifestFooterProps {
  departure: Departure
  manifest: Manifest | undefined
  selection: Selection
  checkIns: CheckIns
  mayDispatch: boolean
  onChoose: (option: NextStatus) => void
}

/** What is selected, or what was checked in just now, and below or next to it "Start tour"; null when there is nothing to do. */
export function manifestFooter(props: ManifestFooterProps) {
  const { departure, manifest, selection, checkIns, mayDispatch, onChoose } = props
  const option = departure.nextStatuses.find((one) => one.to === 'in_progress')
  const start = mayDispatch && departure.status === 'boarding' ? option : undefined
  const isChoosing = manifest !== undefined && selection.ids.size > 0
  if (!isChoosing && checkIns.last.length === 0 && !start) return null
  return (
    <div className="grid min-w-0 flex-1 gap-2">
      {isChoosing && (
        <div className="flex flex-wrap items-center gap-2">
          <BulkBar {...props} manifest={manifest} />
        </div>
      )}
      {(!isChoosing || start) && (
        <div className="flex items-center gap-2">
          {!isChoosing && checkIns.last.length > 0 ? <LastCheckIn checkIns={checkIns} /> : <span className="flex-1" />}
          {start && (
            <Button variant="primary" icon={Navigation} onClick={() => onChoose(start)}>
              {m.departures_act_start()}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function LastCheckIn({ checkIns }: Pick<ManifestFooterProps, 'checkIns'>) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate text-ink-strong" role="status">
        {m.departures_checked_in({ count: checkIns.last.length })}
      </span>
      <Button variant="ghost" icon={Undo2} onClick={() => checkIns.undo(checkIns.last)}>
        {m.ui_undo()}
      </Button>
    </>
  )
}

function BulkBar({ manifest, selection, checkIns }: ManifestFooterProps & { manifest: Manifest }) {
  const chosen = entriesOf(manifest).filter((entry) => selection.ids.has(entry.id))
  const toCheckIn = chosen.filter(mayCheckIn).map((entry) => entry.id)
  const absent = chosen.filter(mayBeNoShow).map((entry) => entry.id)
  const toUndo = chosen.filter(mayUndo).map((entry) => entry.id)
  const clear = () => selection.set(new Set())
  const run = (act: (ids: readonly string[]) => void, ids: readonly string[]) => () => {
    act(ids)
    clear()
  }
  return (
    <>
      <b className="min-w-0 flex-1 truncate text-ink-strong" role="status">
        {m.departures_selected({ count: selection.ids.size })}
      </b>
      <Button variant="ghost" onClick={clear}>
        {m.ui_clear()}
      </Button>
      {toUndo.length > 0 && toCheckIn.length === 0 && (
        <Button icon={Undo2} onClick={run(checkIns.undo, toUndo)}>
          {m.departures_undo_count({ count: toUndo.length })}
        </Button>
      )}
      {absent.length > 0 && <Button onClick={run(checkIns.noShow, absent)}>{m.departures_no_show()}</Button>}
      {toCheckIn.length > 0 && (
        <Button variant="primary" icon={Check} onClick={run(checkIns.checkIn, toCheckIn)}>
          {m.departures_check_in_count({ count: toCheckIn.length })}
        </Button>
      )}
    </>
  )
}
