import { type Departure, noteDeparture } from '@tour-ops/contract/departures/departures'
import { CloudSun, Pencil, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalText } from '../../errors/refusal-text.ts'
import { forgetDrawerRequest, useRequestedDialog } from '../../records/drawer-request.ts'
import { useDepartureWrite } from './use-departure-write.ts'

/** Weather and internal note under the run sheet. */
export function DepartureNotes({ departure }: { departure: Departure }) {
  const { can } = useAccess()
  const [isPressed, setPressed] = useState(false)
  const isAsked = useRequestedDialog(departure.id) === 'notes'
  const { weatherNote, internalNote } = departure
  const mayWrite = can('departures:dispatch')
  const close = () => {
    setPressed(false)
    forgetDrawerRequest()
  }
  if (!mayWrite && !weatherNote && !internalNote) return null
  return (
    <section className="grid gap-2 border-t border-line px-4 py-3 lg:px-6" aria-label={m.departures_notes()}>
      {weatherNote && (
        <p className="flex gap-2">
          <CloudSun size={16} className="mt-0.5 shrink-0 text-ink-2" aria-label={m.departures_weather_note()} />
          <span className="min-w-0 whitespace-pre-line">{weatherNote}</span>
        </p>
      )}
      {internalNote && (
        <p className="flex gap-2">
          <StickyNote size={16} className="mt-0.5 shrink-0 text-ink-2" aria-label={m.departures_internal_note()} />
          <span className="min-w-0 whitespace-pre-line">{internalNote}</span>
        </p>
      )}
      {mayWrite && (
        <div>
          <Button size="sm" icon={Pencil} onClick={() => setPressed(true)}>
            {weatherNote || internalNote ? m.departures_notes_edit() : m.departures_notes_add()}
          </Button>
        </div>
      )}
      {mayWrite && (isPressed || isAsked) && <NotesDialog departure={departure} onClose={close} />}
    </section>
  )
}

function NotesDialog({ departure, onClose }: { departure: Departure; onClose: () => void }) {
  const [weather, setWeather] = useState(departure.weatherNote ?? '')
  const [internal, setInternal] = useState(departure.internalNote ?? '')
  const write = useDepartureWrite(noteDeparture, () => {
    toast(m.departures_notes_saved())
    onClose()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() =>
        write.mutate({ id: departure.id, version: departure.version, weatherNote: weather, internalNote: internal })
      }
      title={m.departures_notes()}
      confirmLabel={m.departures_save()}
      pending={write.isPending}
      error={write.error ? refusalText(write.error) : undefined}
    >
      <div className="grid gap-3">
        <Field label={m.departures_weather_note()} hint={m.departures_weather_note_hint()}>
          <TextArea value={weather} maxLength={1000} onChange={(event) => setWeather(event.target.value)} />
        </Field>
        <Field label={m.departures_internal_note()} hint={m.departures_internal_note_hint()}>
          <TextArea value={internal} maxLength={2000} onChange={(event) => setInternal(event.target.value)} />
        </Field>
      </div>
    </ConfirmDialog>
  )
}
