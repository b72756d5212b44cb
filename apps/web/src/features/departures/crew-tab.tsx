import { useQuery } from '@tanstack/react-query'
import type { Departure } from '@tour-ops/contract/departures/departures'
import { declineAssignment, releaseAssignment, withdrawAssignment } from '@tour-ops/contract/field-staff/assignments'
import { releaseVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import { BusFront, Check, Clock, MoreHorizontal, Phone, Plus, UserMinus, UserX, X } from 'lucide-react'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Avatar } from '../../ui/avatar.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Calm, Chip } from '../../ui/chip.tsx'
import { formatDayTime, formatLanguage, formatList } from '../../ui/format.ts'
import { formatTimesOrSpan } from '../../ui/format-span.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { assignmentLabel, roleLabel, useAccepting } from '../field-staff/index.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { forgetDrawerRequest, useRequestedDialog } from '../../records/drawer-request.ts'
import { ReasonDialog } from '../../records/reason-dialog.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { VehicleDialog } from './vehicle-dialog.tsx'

type CrewMember = Departure['crew'][number]

/** Crew writes change the planner and who is free as well. */
const over: readonly Departure['status'][] = ['completed', 'cancelled', 'aborted']

/** Who goes, in which vehicle. */
export function CrewTab({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [pressed, setOpen] = useState<'assign' | 'vehicle' | null>(null)
  const asked = useRequestedDialog(departure.id)
  const mayChange = can('departures:dispatch') && !over.includes(departure.status)
  const open = mayChange ? (pressed ?? asked) : null
  const close = () => {
    setOpen(null)
    forgetDrawerRequest()
  }
  return (
    <>
      <section aria-labelledby="crew-heading" className="border-b border-line">
        <div className="flex min-h-12 items-center gap-2 px-4 pt-2 lg:px-6">
          <h3 id="crew-heading" className="flex-1 text-base font-semibold">
            {m.departures_crew()}
          </h3>
          {mayChange && (
            <Button size="sm" icon={Plus} onClick={() => setOpen('assign')}>
              {m.departures_assign()}
            </Button>
          )}
        </div>
        {!departure.leadGuide && !over.includes(departure.status) && (
          <div className="px-4 pb-2 lg:px-6">
            <Banner tone="gap">{m.departures_no_lead_guide()}</Banner>
          </div>
        )}
        {departure.crew.length === 0 ? (
          <p className="px-4 pb-4 text-ink-2 lg:px-6">{m.departures_crew_empty()}</p>
        ) : (
          <ul>
            {departure.crew.map((member) => (
              <CrewRow key={member.assignmentId} member={member} departure={departure} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </section>
      <Vehicles departure={departure} mayChange={mayChange} onAssign={() => setOpen('vehicle')} />
      {open === 'assign' && <AssignDialog departure={departure} onClose={close} />}
      {open === 'vehicle' && <VehicleDialog departure={departure} onClose={close} />}
    </>
  )
}

interface CrewRowProps {
  member: CrewMember
  departure: Departure
  mayChange: boolean
}

function CrewRow({ member, departure, mayChange }: CrewRowProps) {
  const [asks, setAsks] = useState<'release' | 'decline' | null>(null)
  const options = {
    onSuccess: () => {
      setAsks(null)
      toast(m.departures_crew_changed({ name: member.name }))
    },
  }
  const accepting = useAccepting(options.onSuccess)
  const decline = useCall(declineAssignment, options)
  const withdraw = useCall(withdrawAssignment, options)
  const release = useCall(releaseAssignment, options)
  const at = { id: member.assignmentId, version: member.version }
  const refusal = accepting.refusal ?? (withdraw.error && refusalText(withdraw.error))
  const actions: MenuAction[] =
    member.status === 'offered'
      ? [
          { key: 'accept', label: m.departures_accept_for(), icon: Check, onSelect: () => accepting.accept(at) },
          { key: 'decline', label: m.departures_decline_for(), icon: X, onSelect: () => setAsks('decline') },
          {
            key: 'withdraw',
            label: m.departures_withdraw(),
            icon: UserX,
            danger: true,
            onSelect: () => withdraw.mutate(at),
          },
        ]
      : member.status === 'accepted'
        ? [
            {
              key: 'release',
              label: m.departures_release(),
              icon: UserMinus,
              danger: true,
              onSelect: () => setAsks('release'),
            },
          ]
        : []
  const details = [
    member.languages.length > 0 && formatList(member.languages.map((tag) => formatLanguage(tag))),
    member.reportAt &&
      member.releaseAt &&
      m.departures_report({ times: formatTimesOrSpan(member.reportAt, member.releaseAt, departure.timeZone) }),
    member.status === 'offered' &&
      member.respondBy &&
      m.departures_respond_by({ time: formatDayTime(member.respondBy, departure.timeZone) }),
  ]
  return (
    <li className="border-t border-line first:border-t-0">
      <div className="flex min-h-14 items-center gap-3 px-4 py-1.5 lg:px-6">
        <Avatar name={member.name} size={32} />
        <span className="min-w-0 flex-1">
          <span className="block truncate">
            <b className="font-medium text-ink-strong">{member.name}</b>{' '}
            <span className="text-ink-2">· {roleLabel(member.role)}</span>
          </span>
          <span className="block text-xs text-ink-2">{details.filter(Boolean).join(' · ')}</span>
        </span>
        <CrewState status={member.status} />
        {member.phone && (
          <a
            className="icon-btn"
            href={`tel:${member.phone}`}
            aria-label={m.departures_call({ name: member.name })}
            title={member.phone}
          >
            <Phone size={16} aria-hidden />
          </a>
        )}
        {mayChange && actions.length > 0 && (
          <Menu
            label={m.departures_crew_acts({ name: member.name })}
            icon={MoreHorizontal}
            align="end"
            items={actions}
          />
        )}
      </div>
      {refusal && (
        <p role="alert" className="px-4 pb-2 font-medium text-bad lg:px-6">
          {refusal}
        </p>
      )}
      {accepting.question}
      {asks === 'release' && (
        <ReasonDialog
          title={m.departures_release_title({ name: member.name })}
          text={m.departures_release_text()}
          confirmLabel={m.departures_release()}
          danger
          isRequired
          pending={release.isPending}
          error={release.error}
          onClose={() => setAsks(null)}
          onConfirm={(reason) => release.mutate({ ...at, reason })}
        />
      )}
      {asks === 'decline' && (
        <ReasonDialog
          title={m.departures_decline_title({ name: member.name })}
          confirmLabel={m.departures_decline_for()}
          pending={decline.isPending}
          error={decline.error}
          onClose={() => setAsks(null)}
          onConfirm={(reason) => decline.mutate({ ...at, reason })}
        />
      )}
    </li>
  )
}

function CrewState({ status }: { status: CrewMember['status'] }) {
  if (status === 'offered') {
    return (
      <Chip tone="info" icon={Clock}>
        {assignmentLabel(status)}
      </Chip>
    )
  }
  return (
    <Calm
      icon={status === 'released' || status === 'replaced' ? UserMinus : Check}
      tone={status === 'accepted' || status === 'on_duty' ? 'ok' : 'neutral'}
    >
      {assignmentLabel(status)}
    </Calm>
  )
}

interface VehiclesProps {
  departure: Departure
  mayChange: boolean
  onAssign: () => void
}

function Vehicles({ departure, mayChange, onAssign }: VehiclesProps) {
  const release = useCall(releaseVehicle, {
    onSuccess: () => toast(m.departures_vehicle_released()),
  })
  const { data: free } = useQuery({
    ...callQuery(vehicleRecord.list, { filters: { freeForDepartureId: departure.id }, size: 1 }),
    enabled: mayChange && departure.vehicles.length === 0,
  })
  return (
    <section aria-labelledby="vehicle-heading">
      <div className="flex min-h-12 items-center gap-2 px-4 pt-2 lg:px-6">
        <h3 id="vehicle-heading" className="flex-1 text-base font-semibold">
          {m.departures_vehicles()}
        </h3>
        {mayChange && (
          <Button size="sm" icon={Plus} onClick={onAssign}>
            {m.departures_vehicle_assign()}
          </Button>
        )}
      </div>
      {departure.vehicles.length === 0 && (
        <p className="px-4 pb-4 text-ink-2 lg:px-6">
          {m.departures_vehicles_empty()} {free && m.departures_vehicles_free({ count: free.total })}
        </p>
      )}
      <ul>
        {departure.vehicles.map((vehicle) => (
          <li
            key={vehicle.assignmentId}
            className="flex min-h-14 items-center gap-3 border-t border-line px-4 py-1.5 first:border-t-0 lg:px-6"
          >
            <span className="grid size-8 place-items-center rounded-full bg-surface-2">
              <BusFront size={16} className="text-ink-2" aria-hidden />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate">
                <b className="font-medium text-ink-strong">{vehicle.label}</b>{' '}
                {vehicle.plate && <Ltr className="text-ink-2">· {vehicle.plate}</Ltr>}
              </span>
              <span className="block truncate text-xs text-ink-2">
                {[
                  m.departures_seats({ count: vehicle.seats }),
                  vehicle.wheelchairPlaces > 0 && m.departures_wheelchairs({ count: vehicle.wheelchairPlaces }),
                  vehicle.childSeats > 0 && m.departures_child_seats({ count: vehicle.childSeats }),
                  vehicle.driverName && m.departures_driver({ name: vehicle.driverName }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            {mayChange && (
              <Button
                size="sm"
                pending={release.isPending}
                onClick={() => release.mutate({ assignmentId: vehicle.assignmentId })}
              >
                {m.departures_release()}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {release.error && (
        <p role="alert" className="px-4 pb-2 font-medium text-bad lg:px-6">
          {refusalText(release.error)}
        </p>
      )}
    </section>
  )
}
