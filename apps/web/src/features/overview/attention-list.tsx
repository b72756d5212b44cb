import { Link } from '@tanstack/react-router'
import { acknowledgeAlert } from '@tour-ops/contract/monitoring/alerts'
import { type AttentionItem } from '@tour-ops/contract/overview/overview'
import { HeartPulse, TriangleAlert, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { alertKindLabels, alertTitle } from '../monitoring/index.ts'
import type { DrawerTab } from '../../records/drawer-request.ts'
import { DepartureLink } from '../../records/departure-link.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Chip, type Tone } from '../../ui/chip.tsx'
import { formatPastAge, formatMoment, formatTime } from '../../ui/format.ts'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { toast } from '../../ui/toast.tsx'
import { unansweredIcon } from './overview-labels.ts'

const DecideDialog = loadLater(async () => (await import('./decide-dialog.tsx')).DecideDialog)

/** Kinds that are in a separate list: they may wait a week. */
const isPaper = (item: AttentionItem): boolean =>
  item.kind === 'certificate_expiring' || item.kind === 'vehicle_inspection'

export const documentsOf = (items: readonly AttentionItem[]): AttentionItem[] => items.filter(isPaper)
export const urgentOf = (items: readonly AttentionItem[]): AttentionItem[] => items.filter((item) => !isPaper(item))

/**
 * What needs a person, gravest first, each with its own action. An empty list states that nothing does, which is only shown to those who would
 * see alerts and incidents in it.
 */
export function AttentionList({ items, now }: { items: readonly AttentionItem[]; now: number }) {
  const [deciding, setDeciding] = useState<string | null>(null)
  const { can } = useAccess()
  if (items.length === 0 && !can('monitoring:read')) return null
  return (
    <section className="card overflow-hidden" aria-labelledby="attention-title">
      <div className="flex h-12 items-center gap-2 px-4">
        <TriangleAlert size={16} className={items.length > 0 ? 'text-bad' : 'text-ink-2'} aria-hidden />
        <h2 id="attention-title" className="text-base font-semibold">
          {m.overview_attention()}
        </h2>
        <span className="num text-ink-2">{items.length}</span>
      </div>
      {items.length === 0 ? (
        <p className="border-t border-line px-4 py-3 text-ink-2">{m.overview_attention_none()}</p>
      ) : (
        <ul className="lg:max-h-[420px] lg:overflow-y-auto">
          {items.map((item) => (
            <li key={item.key} className="border-t border-line px-4 py-2">
              <Item item={item} now={now} onDecide={setDeciding} />
            </li>
          ))}
        </ul>
      )}
      {deciding && <DecideDialog key={deciding} departureId={deciding} onClose={() => setDeciding(null)} />}
    </section>
  )
}

interface ItemProps {
  item: AttentionItem
  now: number
  onDecide: (departureId: string) => void
}

function Item({ item, now, onDecide }: ItemProps) {
  const { departure } = item
  const when = departure && formatMoment(departure.startsAt, departure.timeZone, now)
  // A time alone comes before the name; with its day or zone it would leave no room for the name.
  const isToday = departure !== null && when === formatTime(departure.startsAt, departure.timeZone)
  return (
    <>
      <div className="flex items-center gap-2">
        {isToday && <Ltr className="font-semibold text-ink-strong">{when}</Ltr>}
        <b className="min-w-0 truncate font-medium text-ink-strong">{departure?.tourName ?? item.staff?.name}</b>
        <span className="ms-auto">{chipOf(item)}</span>
      </div>
      {!isToday && when && <p className="num text-xs text-ink-2">{when}</p>}
      <p className="mt-0.5">
        {textOf(item, now)}{' '}
        {item.due === null && (
          <span className="num text-xs whitespace-nowrap text-ink-2">{formatPastAge(item.since, now)}</span>
        )}
      </p>
      {item.feedback?.comment && (
        <p className="mt-0.5 line-clamp-3 break-words">
          <bdi>{item.feedback.comment}</bdi>
        </p>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
        <ItemActions item={item} onDecide={onDecide} />
      </div>
    </>
  )
}

const severityTones: Record<AttentionItem['severity'], Tone> = { critical: 'bad', warning: 'warn', info: 'info' }

function chipOf(item: AttentionItem): ReactNode {
  switch (item.kind) {
    case 'incident':
      return (
        <Chip tone="bad" icon={HeartPulse}>
          {m.overview_chip_incident()}
        </Chip>
      )
    case 'decide':
      return (
        <Chip tone="bad" icon={TriangleAlert}>
          {m.overview_chip_at_risk({
            confirmed: item.departure?.seatsConfirmed ?? 0,
            minimum: item.departure?.minPax ?? 0,
          })}
        </Chip>
      )
    case 'rebook':
      return (
        <Chip tone="warn" icon={Users}>
          {m.overview_chip_rebook()}
        </Chip>
      )
    case 'guests_wrote':
      return (
        <Chip tone="warn" icon={Users}>
          {m.overview_chip_wrote()}
        </Chip>
      )
    case 'poor_rating':
      return (
        <Chip tone="warn" icon={Users}>
          {m.overview_chip_rating()}
        </Chip>
      )
    case 'offer_unanswered':
      return (
        <Chip tone="gap" icon={unansweredIcon}>
          {m.overview_chip_offer()}
        </Chip>
      )
    default:
      return (
        <Chip tone={severityTones[item.severity]} icon={TriangleAlert}>
          {item.alertKind ? alertKindLabels[item.alertKind]() : item.title}
        </Chip>
      )
  }
}

function textOf(item: AttentionItem, now: number): string {
  const { departure } = item
  const due = item.due ? formatMoment(item.due, departure?.timeZone, now) : ''
  switch (item.kind) {
    case 'decide':
      return m.overview_text_decide({
        confirmed: departure?.seatsConfirmed ?? 0,
        minimum: departure?.minPax ?? 0,
        due,
      })
    case 'rebook':
      return m.overview_text_rebook({ count: departure?.seatsConfirmed ?? 0 })
    case 'guests_wrote':
      return m.overview_text_wrote({ count: Number(item.evidence['messages']) })
    case 'poor_rating':
      return m.overview_text_rating({ name: item.feedback?.contactName ?? '', stars: item.feedback?.stars ?? 0 })
    case 'offer_unanswered':
      return m.overview_text_offer({ name: item.staff?.name ?? '', due })
    default:
      return titleOf(item)
  }
}

/** Alerts in the reader's language; incidents in the reporter's words. */
const titleOf = ({ alertKind, ...item }: AttentionItem): string =>
  alertKind ? alertTitle({ ...item, kind: alertKind }) : item.title

function ItemActions({ item, onDecide }: Omit<ItemProps, 'now'>) {
  const { can } = useAccess()
  const { departure } = item
  return (
    <>
      {item.kind === 'decide' && departure && can('departures:dispatch') && (
        <Button size="sm" onClick={() => onDecide(departure.id)} {...onIntent(DecideDialog)}>
          {m.overview_run_or_cancel()}
        </Button>
      )}
      <OpenLink item={item} />
      {item.kind === 'alert' && <Take item={item} />}
      {item.ownerName && <span className="text-xs text-ink-2">{m.overview_owner({ name: item.ownerName })}</span>}
    </>
  )
}

/** Tab of the drawer where the matter is dealt with. */
const tabs: Partial<Record<AttentionItem['kind'], DrawerTab>> = {
  rebook: 'bookings',
  guests_wrote: 'bookings',
  poor_rating: 'bookings',
  offer_unanswered: 'crew',
}

function OpenLink({ item }: { item: AttentionItem }) {
  const { can } = useAccess()
  const { departure } = item
  const words =
    item.kind === 'rebook'
      ? m.overview_move_guests()
      : item.kind === 'offer_unanswered'
        ? m.overview_see_crew()
        : m.overview_open()
  if (departure) {
    const label = `${words}: ${departure.tourName} ${formatMoment(departure.startsAt, departure.timeZone)}`
    return (
      <DepartureLink
        id={departure.id}
        tab={tabs[item.kind]}
        className={buttonClass({ size: 'sm', variant: item.kind === 'decide' ? 'ghost' : 'secondary' })}
        aria-label={label}
      >
        {words}
      </DepartureLink>
    )
  }
  if (!can('monitoring:read')) return null
  const search = item.incidentId ? { incident: item.incidentId } : { alert: item.alertId ?? undefined }
  return (
    <Link
      to="/tools/monitoring"
      search={search}
      className={buttonClass({ size: 'sm' })}
      aria-label={m.overview_open_what({ what: titleOf(item) })}
    >
      {words}
    </Link>
  )
}

/** Assigns the alert to the reader, so that two people do not work on the same one. */
function Take({ item }: { item: AttentionItem }) {
  const { can } = useAccess()
  const take = useCall(acknowledgeAlert, {
    onSuccess: () => toast(m.overview_taken()),
    onError: (error) => toast(refusalText(error)),
  })
  const { alertId, alertVersion } = item
  if (!alertId || alertVersion === null || item.ownerName || !can('alerts:manage')) return null
  return (
    <Button
      size="sm"
      variant="ghost"
      pending={take.isPending}
      onClick={() => take.mutate({ id: alertId, version: alertVersion })}
    >
      {m.overview_take()}
    </Button>
  )
}
