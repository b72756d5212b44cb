import { maxAskedDepartures } from '@tour-ops/contract/monitoring/roll-call-of-departures'
import { Link } from '@tanstack/react-router'
import { LifeBuoy, Mail } from 'lucide-react'
import { useState } from 'react'
import { useAccess } from '../../../identity/access.ts'
import { m } from '../../../paraglide/messages.js'
import { withIncident } from '../../../records/use-open-incident.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { onIntent } from '../../../ui/load-later.tsx'
import { MessageDialog, useMayWrite } from '../../notifications/index.ts'
import type { AskedArea } from './ask-area-dialog.tsx'
import { AskAreaDialog } from './ask-area-later.ts'
import type { InsideArea } from './inside-area.ts'

/** What somebody is about to do, with the departures of that moment: they may drive on while a text is written. */
interface Begun {
  readonly kind: 'write' | 'ask'
  readonly departureIds: readonly string[]
  readonly guests: number
}

/**
 * Writes to the guests of the departures in an area, and asks whether they are safe.
 *
 * @param props.inside Undefined while it is not known; what was begun goes on.
 */
export function AreaActions({ inside }: { inside: InsideArea | undefined }) {
  const mayWrite = useMayWrite()
  const mayAsk = useAccess().can('incidents:manage')
  const [begun, setBegun] = useState<Begun>()
  const [asked, setAsked] = useState<AskedArea>()
  const departureIds = inside?.departures.map(({ departure }) => departure.id) ?? []
  const begin = (kind: Begun['kind']) => setBegun({ kind, departureIds, guests: inside?.guests ?? 0 })
  const close = () => setBegun(undefined)
  // the focus comes back to the button
  const isOffered = (mayWrite || mayAsk) && (departureIds.length > 0 || begun !== undefined)
  return (
    <>
      {asked && <AskedIncidents asked={asked} />}
      {isOffered && (
        <div className="flex shrink-0 flex-wrap gap-2 border-t border-line p-3">
          {mayWrite && (
            <Button size="sm" icon={Mail} {...onIntent(MessageDialog)} onClick={() => begin('write')}>
              {m.map_area_write()}
            </Button>
          )}
          {mayAsk && (
            <Button
              size="sm"
              icon={LifeBuoy}
              {...onIntent(AskAreaDialog)}
              disabledReason={
                departureIds.length > maxAskedDepartures
                  ? m.map_area_ask_too_many({ max: formatNumber(maxAskedDepartures) })
                  : undefined
              }
              reasonPlace="below"
              onClick={() => begin('ask')}
            >
              {m.map_area_ask()}
            </Button>
          )}
        </div>
      )}
      {begun?.kind === 'write' && (
        <MessageDialog
          // where nobody has been checked in, a text to those aboard would reach nobody
          guests={{ departureIds: [...begun.departureIds], bookingIds: [], onlyAboard: begun.guests > 0 }}
          onClose={close}
        />
      )}
      {begun?.kind === 'ask' && <AskAreaDialog departureIds={begun.departureIds} onAsked={setAsked} onClose={close} />}
    </>
  )
}

/** The rooms in which the answers arrive, as long as the area is looked at. */
const AskedIncidents = ({ asked: { people, written, incidents } }: { asked: AskedArea }) => (
  <section
    aria-label={m.monitoring_roll_title()}
    className="shrink-0 border-t border-line px-4 py-2 lg:max-h-32 lg:overflow-y-auto"
  >
    <p role="status" className="num font-medium text-ink-strong">
      {m.monitoring_roll_asked_toast({ count: people })} · {m.monitoring_roll_written({ count: written })}
    </p>
    <ul>
      {incidents.map(({ id, number, tourName, code }) => (
        <li key={id}>
          <Link to="." search={withIncident(id)} resetScroll={false} className="link inline-block py-0.5">
            {number} {tourName} ({code})
          </Link>
        </li>
      ))}
    </ul>
  </section>
)
