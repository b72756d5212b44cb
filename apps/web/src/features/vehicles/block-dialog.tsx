import {
  addVehicleBlock,
  changeVehicleBlock,
  removeVehicleBlock,
  vehicleBlockKinds,
  type VehicleBlockKind,
  type VehicleEntry,
} from '@tour-ops/contract/vehicles/vehicle-calendar'
import { useId, useState, type FormEvent } from 'react'
import { useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { DateTimeInput } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatZone } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { momentOfWall, wallTimeOf } from '../../ui/wall-time.ts'
import { kindLabels } from './kind-labels.ts'

/** An entry that a person made. */
export type Block = VehicleEntry & { readonly kind: VehicleBlockKind }

interface BlockDialogProps {
  vehicleId: string
  /** Of the times that are typed. */
  zone: string
  /** The day on which something new is entered. */
  day?: string
  /** What is changed. */
  entry?: Block
  onClose: () => void
}

/** Enters maintenance, hire or cleaning, changes it or takes it away; each can be undone. */
export function BlockDialog({ vehicleId, zone, day = '', entry, onClose }: BlockDialogProps) {
  const formId = useId()
  const [kind, setKind] = useState<VehicleBlockKind>(entry?.kind ?? 'maintenance')
  const [from, setFrom] = useState(entry ? wallTimeOf(entry.startsAt, zone) : `${day}T08:00`)
  const [to, setTo] = useState(entry ? wallTimeOf(entry.endsAt, zone) : `${day}T17:00`)
  const [note, setNote] = useState(entry?.note ?? '')
  const { save, remove, error, isPending } = useBlockWrites(vehicleId, onClose)
  const startsAt = momentOfWall(from, zone)
  const endsAt = momentOfWall(to, zone)
  const problem = entryProblem(error, 'endsAt')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (startsAt && endsAt && !isPending) void save(entry, { kind, startsAt, endsAt, note: note || null })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={entry ? m.vehicles_entry_change() : m.vehicles_entry_add()}
      description={m.vehicles_entry_zone({ zone: formatZone(zone) })}
      locked={isPending}
      actions={
        <>
          {entry && (
            <Button variant="ghost" disabled={isPending} className="me-auto" onClick={() => void remove(entry)}>
              {m.vehicles_entry_remove()}
            </Button>
          )}
          <Button onClick={onClose} disabled={isPending}>
            {m.ui_cancel()}
          </Button>
          <Button type="submit" form={formId} variant="primary" disabled={!startsAt || !endsAt} pending={isPending}>
            {m.ui_form_save()}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={send}>
        {error && !problem && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
        <Field label={m.vehicles_entry_kind()} hint={kind === 'cleaning' ? m.vehicles_cleaning_hint() : undefined}>
          <Select
            value={kind}
            onChange={(event) => setKind(event.target.value as VehicleBlockKind)}
            options={vehicleBlockKinds.map((value) => ({ value, label: kindLabels[value]() }))}
          />
        </Field>
        <Field label={m.vehicles_entry_from()}>
          <DateTimeInput value={from} onChange={setFrom} />
        </Field>
        <Field label={m.vehicles_entry_to()} error={problem}>
          <DateTimeInput value={to} onChange={setTo} />
        </Field>
        <Field label={m.vehicles_entry_note()}>
          <TextInput value={note} maxLength={300} onChange={(event) => setNote(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}

type Values = Pick<Block, 'kind' | 'startsAt' | 'endsAt' | 'note'>

const valuesOf = ({ kind, startsAt, endsAt, note }: Values): Values => ({ kind, startsAt, endsAt, note })

/** Writes entries; the result is shown with an undo action. */
function useBlockWrites(vehicleId: string, onDone: () => void) {
  const adding = useCall(addVehicleBlock)
  const changing = useCall(changeVehicleBlock)
  const removing = useCall(removeVehicleBlock)
  const undo = (run: () => Promise<unknown>) => ({
    label: m.ui_undo(),
    onPress: () => void run().catch((error: unknown) => toast(refusalText(error))),
  })
  /** What is refused stays on the dialog, by the states of the calls. */
  const write = async (run: () => Promise<void>) => {
    for (const call of [adding, changing, removing]) call.reset()
    try {
      await run()
      onDone()
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  }
  const add = (values: Values) =>
    write(async () => {
      const { id } = await adding.mutateAsync({ vehicleId, ...values })
      toast(
        m.vehicles_entry_added(),
        undo(() => removing.mutateAsync({ id })),
      )
    })
  const change = (entry: Block, values: Values) =>
    write(async () => {
      const saved = await changing.mutateAsync({ id: entry.id, version: entry.version, ...values })
      toast(
        m.vehicles_entry_changed(),
        undo(() => changing.mutateAsync({ ...saved, ...valuesOf(entry) })),
      )
    })
  return {
    save: (entry: Block | undefined, values: Values) => (entry ? change(entry, values) : add(values)),
    remove: (entry: Block) =>
      write(async () => {
        await removing.mutateAsync({ id: entry.id })
        toast(
          m.vehicles_entry_removed(),
          undo(() => adding.mutateAsync({ vehicleId, ...valuesOf(entry) })),
        )
      }),
    error: adding.error ?? changing.error ?? removing.error,
    isPending: adding.isPending || changing.isPending || removing.isPending,
  }
}
