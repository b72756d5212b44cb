import { useQuery } from '@tanstack/react-query'
import { type Device, listDevices, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useNow } from '../../ui/clock.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatDuration, formatPastAge, formatPercent } from '../../ui/format.ts'
import { loadLater } from '../../ui/load-later.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { onlyOf, type Subject } from './subject.ts'

const AddDeviceDialog = loadLater(() => import('./pair-dialog.tsx').then((loaded) => loaded.AddDeviceDialog))
const PairDialog = loadLater(() => import('./pair-dialog.tsx').then((loaded) => loaded.PairDialog))

type Question = { kind: 'add' } | { kind: 'pair' | 'revoke'; device: Pick<Device, 'id' | 'label' | 'version'> }

/** Phones and trackers of a person or a vehicle: when they last sent something, and for dispatchers how another one is paired. */
export function DevicesCard({ of: subject }: { of: Subject }) {
  const { can } = useAccess()
  const mayManage = can('departures:dispatch')
  const [question, setQuestion] = useState<Question | null>(null)
  const { data } = useQuery(callQuery(listDevices, { filters: onlyOf(subject) }))
  const close = () => setQuestion(null)
  return (
    <Card
      title={m.tracking_devices()}
      actions={
        mayManage && (
          <Button onClick={() => setQuestion({ kind: 'add' })} onPointerEnter={AddDeviceDialog.preload}>
            {m.tracking_device_add()}
          </Button>
        )
      }
    >
      {data ? (
        <Devices devices={data.rows} subject={subject} onAsk={mayManage ? setQuestion : undefined} />
      ) : (
        <SkeletonRows rows={1} />
      )}
      {question?.kind === 'add' && (
        <AddDeviceDialog
          subject={subject}
          onClose={close}
          onAdded={(device) => setQuestion({ kind: 'pair', device })}
        />
      )}
      {question?.kind === 'pair' && <PairDialog device={question.device} subject={subject} onClose={close} />}
      {question?.kind === 'revoke' && <RevokeDialog device={question.device} onClose={close} />}
    </Card>
  )
}

interface DevicesProps {
  devices: readonly Device[]
  subject: Subject
  /** Only for those who may. */
  onAsk: ((question: Question) => void) | undefined
}

function Devices({ devices, subject, onAsk }: DevicesProps) {
  if (devices.length === 0) {
    const none = 'staffId' in subject ? m.tracking_devices_none() : m.tracking_devices_none_vehicle()
    return <p className="px-4 pb-4 text-ink-2">{none}</p>
  }
  return (
    <ul className="divide-y divide-line">
      {devices.map((device) => (
        <li key={device.id} className="grid gap-1 px-4 py-2.5">
          <b className="font-medium text-ink-strong">
            <bdi>{device.label}</bdi>
          </b>
          <DeviceState device={device} />
          {onAsk && (
            <div className="mt-1 flex flex-wrap gap-2">
              <Button onClick={() => onAsk({ kind: 'pair', device })} onPointerEnter={PairDialog.preload}>
                {device.pairing === 'paired' ? m.tracking_pair_again() : m.tracking_pair()}
              </Button>
              <Button onClick={() => onAsk({ kind: 'revoke', device })}>{m.tracking_revoke()}</Button>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Clocks that differ less do no harm, seconds. */
const rightWithinS = 60

function DeviceState({ device }: { device: Device }) {
  const now = useNow(15_000)
  const { lastSeenAt, batteryPct, clockSkewS, pairing } = device
  const skew = Math.abs(clockSkewS ?? 0)
  const isHeard = pairing === 'paired' && lastSeenAt !== null
  const parts = isHeard
    ? [
        m.tracking_last_seen({ age: formatPastAge(lastSeenAt, now) }),
        batteryPct !== null && m.tracking_battery({ percent: formatPercent(batteryPct / 100) }),
      ]
    : [pairingLabels[pairing]()]
  return (
    <>
      <span className="text-ink-2">{parts.filter(Boolean).join(' · ')}</span>
      {isHeard && skew >= rightWithinS && (
        <span className="font-medium text-warn">
          {m.tracking_clock_wrong({ time: formatDuration(Math.round(skew / 60)) })}
        </span>
      )}
    </>
  )
}

const pairingLabels: Readonly<Record<Device['pairing'], () => string>> = {
  none: () => m.tracking_state_none(),
  waiting: () => m.tracking_state_waiting(),
  paired: () => m.tracking_state_paired(),
}

interface RevokeDialogProps {
  device: Pick<Device, 'id' | 'label' | 'version'>
  onClose: () => void
}

function RevokeDialog({ device, onClose }: RevokeDialogProps) {
  const revoke = useCall(revokeDevice, {
    onSuccess: () => {
      onClose()
      toast(m.tracking_revoked({ name: device.label }))
    },
  })
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: device.id, version: device.version })}
      title={m.tracking_revoke_title({ name: device.label })}
      confirmLabel={m.tracking_revoke()}
      pending={revoke.isPending}
      error={revoke.error ? refusalText(revoke.error) : undefined}
    >
      {m.tracking_revoke_text()}
    </ConfirmDialog>
  )
}
