import { useQuery } from '@tanstack/react-query'
import { addDevice, type Device, listDevices, pairDevice } from '@tour-ops/contract/tracking/devices'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { paths } from '../../addresses/paths.ts'
import { publicAddressOf } from '../../app/public-address.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { QrCode } from '../../identity/widgets/security/qr-code.tsx'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatTime } from '../../ui/format.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { onlyOf, type Subject } from './subject.ts'

type NamedDevice = Pick<Device, 'id' | 'label' | 'version'>

interface AddDeviceDialogProps {
  subject: Subject
  onClose: () => void
  onAdded: (device: NamedDevice) => void
}

/** Names a device; what follows is pairing it. */
export function AddDeviceDialog({ subject, onClose, onAdded }: AddDeviceDialogProps) {
  const [label, setLabel] = useState('')
  const add = useCall(addDevice, { onSuccess: (saved) => onAdded({ ...saved, label: label.trim() }) })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => add.mutate({ label, ...subject, kind: 'staffId' in subject ? 'phone' : 'tracker' })}
      title={m.tracking_device_add()}
      confirmLabel={m.tracking_device_add()}
      pending={add.isPending}
      error={add.error ? refusalText(add.error, true) : undefined}
    >
      <Field label={m.tracking_device_label()} error={entryProblem(add.error, 'label')}>
        <TextInput
          value={label}
          maxLength={80}
          placeholder={'staffId' in subject ? m.tracking_device_label_example() : m.tracking_device_label_tracker()}
          onChange={(event) => setLabel(event.target.value)}
        />
      </Field>
    </ConfirmDialog>
  )
}

interface PairDialogProps {
  device: NamedDevice
  subject: Subject
  onClose: () => void
}

/** A code as it is read out: two groups of five. */
const readable = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`

/** Shows a code until a phone has used it. The code is after the `#`: browsers do not send that, so it is in no log. */
export function PairDialog({ device, subject, onClose }: PairDialogProps) {
  const pair = useCall(pairDevice)
  const { mutate } = pair
  const { id } = device
  useEffect(() => mutate({ id }), [mutate, id])
  const { data: devices } = useQuery(callQuery(listDevices, { filters: onlyOf(subject) }))
  const shown = devices?.rows.find((each) => each.id === id)
  const code = pair.data?.code
  // the version of the code's own change is shown first; whatever is paired in a later one was paired with it
  const isDone = shown?.pairing === 'paired' && pair.data !== undefined && shown.version > pair.data.version
  const address = publicAddressOf(paths.pair())
  const pairText = 'staffId' in subject ? m.tracking_pair_text : m.tracking_pair_text_tracker
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.tracking_pair_title({ name: device.label })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {m.ui_close()}
        </Button>
      }
    >
      {pair.error && <Banner tone="bad">{refusalText(pair.error)}</Banner>}
      {isDone && (
        <p role="status" className="flex items-center gap-2.5 text-ink-strong">
          <CircleCheck size={20} className="text-ok" aria-hidden />
          {m.tracking_pair_done()}
        </p>
      )}
      {!code && !pair.error && <SkeletonRows rows={3} />}
      {code && pair.data && !isDone && (
        <div className="grid justify-items-center gap-3">
          <p className="justify-self-start">
            {pairText({
              address: address.replace(/^https?:\/\//, ''),
              time: formatTime(pair.data.expiresAt),
            })}
          </p>
          <QrCode label={m.tracking_pair_qr()} text={`${address}#${code}`} />
          <output
            aria-label={m.tracking_pair_code()}
            className="text-2xl font-semibold tracking-widest text-ink-strong"
          >
            <Ltr>{readable(code)}</Ltr>
          </output>
          {shown?.pairing === 'paired' && <p className="text-ink-2">{m.tracking_pair_earlier()}</p>}
        </div>
      )}
    </Dialog>
  )
}
