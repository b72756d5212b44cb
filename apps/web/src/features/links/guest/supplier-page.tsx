import type { SharedManifest } from '@tour-ops/contract/links/shared-manifest'
import { CircleX, Printer } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { roomLabels } from '../../../records/room-labels.ts'
import { serviceKindLabels, serviceStatusLabels } from '../../../records/service-labels.ts'
import { dietLabel, mobilityLabel } from '../../../records/traveler-flags.tsx'
import { unitLabel } from '../../../records/unit-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { formatList, formatLocalLongDay, formatTime } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { dayText } from './headline.ts'
import { Block, ShareFoot } from './share-block.tsx'
import { isOneDay, StopList } from './stop-list.tsx'

interface SupplierPageProps {
  page: SharedManifest
  /** The server's clock now, milliseconds. */
  now: number
}

/** What a hotel, a restaurant or a coach company prepares for one departure: on a screen, and on paper. */
export function SupplierPage({ page, now }: SupplierPageProps) {
  const { departure, guests, needs, rooms, names, services } = page
  return (
    <>
      <div className="share-block">
        <p className="text-lg text-ink-2">{dayText(departure.localDate, departure.timeZone, now)}</p>
        <h1 className="text-[26px] leading-8 font-semibold tracking-tight text-ink-strong">{departure.tourName}</h1>
        <p className="text-ink-2">
          {page.supplierName !== null && <bdi>{m.links_supplier_for({ name: page.supplierName })} · </bdi>}
          <Ltr className="whitespace-nowrap">{departure.code}</Ltr>
        </p>
        <Off page={page} />
        {guests && <GuestCount guests={guests} />}
      </div>
      {page.meeting && <Start page={page} />}
      {services.length > 0 && (
        <Block title={m.links_supplier_services()}>
          <ul className="grid gap-3">
            {services.map((service, index) => (
              <li key={index}>
                <b className="block font-semibold text-ink-strong">
                  <bdi>{service.description}</bdi> <Ltr>× {service.quantity}</Ltr>
                </b>
                <span className="text-ink-2">
                  {[
                    serviceKindLabels[service.kind](),
                    formatLocalLongDay(service.date),
                    // what the office has yet to ask for is no news for the supplier
                    service.status !== 'to_request' && serviceStatusLabels[service.status](),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {needs && <Needs needs={needs} />}
      {rooms.length > 0 && <Rooms rooms={rooms} />}
      {page.stops.length > 0 && (
        <Block title={isOneDay(departure) ? m.links_guest_the_day() : m.links_guest_day_by_day()} flush>
          <StopList page={page} now={now} isWhole />
        </Block>
      )}
      {names.length > 0 && (
        <Block title={m.links_supplier_names()}>
          <ul className="grid gap-1.5 sm:grid-cols-2">
            {names.map(({ name, unitType }, index) => (
              <li key={index} className="text-ink-strong">
                <bdi>{name}</bdi> <span className="text-ink-2">{unitLabel(unitType)}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {guests && (
        <div className="no-print px-4 pt-4">
          <Button size="lg" icon={Printer} className="w-full" onClick={() => window.print()}>
            {m.links_print_page()}
          </Button>
        </div>
      )}
      <ShareFoot page={page} timeZone={departure.timeZone} />
    </>
  )
}

/** Why nothing is to be prepared. */
function Off({ page: { state } }: { page: SharedManifest }) {
  const text =
    state === 'cancelled'
      ? m.links_supplier_cancelled()
      : state === 'released'
        ? m.links_supplier_released()
        : state === 'after'
          ? m.links_supplier_over()
          : null
  if (text === null) return null
  return (
    <p className="mt-3 flex items-center gap-2 text-lg font-semibold text-ink-strong" role="status">
      {state !== 'after' && <CircleX size={22} className="shrink-0 text-bad" aria-hidden />}
      {text}
    </p>
  )
}

const counted = (n: number, name: string): string => m.links_supplier_count({ count: n, name })

/** How many come: the number that is cooked, roomed and seated for. */
function GuestCount({ guests }: { guests: NonNullable<SharedManifest['guests']> }) {
  const { total, units, unnamed, noShow, childSeats } = guests
  const notes = [
    noShow > 0 && m.links_supplier_no_show({ count: noShow }),
    unnamed > 0 && m.links_supplier_unnamed({ count: unnamed }),
    childSeats > 0 && m.links_supplier_child_seats({ count: childSeats }),
  ].filter((note) => note !== false)
  return (
    <div className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-1">
      <Ltr className="text-[56px] leading-[56px] font-semibold tracking-tight text-ink-strong">{total}</Ltr>
      <p className="pb-1 text-lg">
        <span className="block text-ink-strong">{m.links_supplier_guests({ count: total })}</span>
        <span className="block text-ink-2">
          {units.map(({ unitType, n }) => counted(n, unitLabel(unitType))).join(' · ')}
        </span>
        {notes.map((note) => (
          <span key={note} className="block text-ink-2">
            {note}
          </span>
        ))}
      </p>
    </div>
  )
}

/** When and where the tour starts, and how late it is. */
function Start({ page: { meeting, departure } }: { page: SharedManifest }) {
  if (!meeting) return null
  const lateMin = Math.round(departure.delaySeconds / 60)
  return (
    <Block title={m.links_supplier_start()}>
      <p className="text-ink-strong">
        <Ltr className="font-semibold">{formatTime(meeting.at, departure.timeZone)}</Ltr>{' '}
        <bdi>{[meeting.placeName, meeting.address].filter(Boolean).join(', ')}</bdi>
      </p>
      {lateMin > departure.onTimeToleranceMin && (
        <p className="font-medium text-warn" role="status">
          {m.links_supplier_late({ minutes: lateMin })}
        </p>
      )}
    </Block>
  )
}

const isAllergy = (need: string): boolean => need.endsWith('_allergy')

/** Allergies first and marked: they are what must not be overlooked. */
function Needs({ needs: { dietary, mobility } }: { needs: NonNullable<SharedManifest['needs']> }) {
  const rows = [
    ...dietary.map(({ need, n }) => ({ label: dietLabel(need), n, isWarning: isAllergy(need) })),
    ...mobility.map(({ need, n }) => ({ label: mobilityLabel(need), n, isWarning: false })),
  ].toSorted((a, b) => Number(b.isWarning) - Number(a.isWarning))
  return (
    <Block title={m.links_supplier_needs()}>
      {rows.length === 0 ? (
        <p className="text-ink-2">{m.links_supplier_no_needs()}</p>
      ) : (
        <ul className="grid gap-1.5 sm:grid-cols-2">
          {rows.map(({ label, n, isWarning }) => (
            <li key={label} className={isWarning ? 'font-semibold text-warn' : 'text-ink-strong'}>
              {counted(n, label)}
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

type Room = SharedManifest['rooms'][number]

/** Night by night: each room with who sleeps in it, or how many there are of each kind. */
function Rooms({ rooms }: { rooms: Room[] }) {
  const nights = Map.groupBy(rooms, ({ night, placeName }) => `${night} ${placeName ?? ''}`)
  return (
    <Block title={m.links_supplier_rooms()}>
      <ul className="grid gap-3">
        {[...nights].map(([key, ofNight]) => (
          <li key={key}>
            <b className="block font-semibold text-ink-strong">
              {formatLocalLongDay(ofNight[0]?.night ?? '')}
              {ofNight[0]?.placeName && (
                <>
                  {' · '}
                  <bdi>{ofNight[0].placeName}</bdi>
                </>
              )}
            </b>
            <Night rooms={ofNight} />
          </li>
        ))}
      </ul>
    </Block>
  )
}

function Night({ rooms }: { rooms: Room[] }) {
  if (rooms.some(({ names }) => names.length > 0)) {
    return (
      <ul>
        {rooms.map(({ type, names }, index) => (
          <li key={index}>
            {roomLabels[type]()}: <bdi>{formatList(names)}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  const types = Map.groupBy(rooms, ({ type }) => type)
  return <p>{[...types].map(([type, ofType]) => counted(ofType.length, roomLabels[type]())).join(' · ')}</p>
}
