import type { Departure, NextStatus } from '@tour-ops/contract/departures'
import type { Manifest } from '@tour-ops/contract/manifest'
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

/** With a selection the bulk bar, without one "Start tour"; null when there is nothing to do. */
export function manifestFooter(props: ManifestFooterProps) {
  const { departure, manifest, selection, mayDispatch, onChoose } = props
  if (manifest && selection.ids.size > 0) return <BulkBar {...props} manifest={manifest} />
  const start = departure.nextStatuses.find((option) => option.to === 'in_progress')
  if (!mayDispatch || departure.status !== 'boarding' || !start) return null
  return (
    <>
      <span className="min-w-0 flex-1" />
      <Button variant="primary" icon={Navigation} onClick={() => onChoose(start)}>
        {m.departures_act_start()}
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
