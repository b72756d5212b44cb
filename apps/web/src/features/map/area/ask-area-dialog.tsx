import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { incidentCategories } from '@tour-ops/contract/monitoring/incidents'
import { askDepartures, countRollCall } from '@tour-ops/contract/monitoring/roll-call-of-departures'
import { useState } from 'react'
import { callQuery, useCall } from '../../../backend/queries.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { categoryLabels, gravityLabels, type IncidentCategory } from '../../../records/incident-labels.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Checkbox } from '../../../ui/choice.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'

/** What was opened, and how many people are asked. */
export type AskedArea = Out<typeof askDepartures>

export interface AskAreaDialogProps {
  departureIds: readonly string[]
  onAsked: (asked: AskedArea) => void
  onClose: () => void
}

/** Whoever is asked may be hurt: grave, unless the office knows better. */
const usualSeverity = 2

/** Opens an incident for each departure and asks its people whether they are safe, once the office has seen how many they are. */
export function AskAreaDialog({ departureIds, onAsked, onClose }: AskAreaDialogProps) {
  const [isTold, setTold] = useState(true)
  const [title, setTitle] = useState('')
  const [category, setCategory] = useState<IncidentCategory>('other')
  const [severity, setSeverity] = useState(usualSeverity)
  const [question, setQuestion] = useState('')
  const { data: counted, error } = useQuery(callQuery(countRollCall, { departureIds: [...departureIds] }))
  const ask = useCall(askDepartures, {
    onSuccess: (asked) => {
      onAsked(asked)
      onClose()
    },
  })
  const disabledReason =
    counted === undefined
      ? m.notifications_write_counting()
      : counted.departures === 0
        ? m.map_area_ask_nobody()
        : title.trim() === ''
          ? m.monitoring_title_first()
          : undefined
  const failure = ask.error ?? error
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={m.map_area_ask_title()}
      confirmLabel={counted?.guests ? m.map_area_ask_confirm({ count: counted.guests }) : m.monitoring_roll_ask()}
      pending={ask.isPending}
      disabledReason={disabledReason}
      error={failure ? refusalText(failure) : undefined}
      onConfirm={() =>
        ask.mutate({
          departureIds: [...departureIds],
          title: title.trim(),
          category,
          severity,
          question: question.trim() || null,
          isTold,
        })
      }
    >
      <div className="grid gap-3">
        <AskedCounts counted={counted} />
        {counted && counted.asked > 0 && (
          <Banner tone="warn" role="status">
            {m.map_area_ask_again({ count: counted.asked })}
          </Banner>
        )}
        <p>
          {m.map_area_ask_text()} {m.monitoring_roll_ask_text()}
        </p>
        <Field label={m.monitoring_what_happened()} required>
          <TextInput value={title} maxLength={160} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={m.monitoring_category()}>
            <Select
              value={category}
              options={incidentCategories.map((value) => ({ value, label: categoryLabels[value]() }))}
              onChange={(event) => setCategory(event.target.value as IncidentCategory)}
            />
          </Field>
          <Field label={m.monitoring_gravity()}>
            <Select
              value={String(severity)}
              options={Object.entries(gravityLabels).map(([value, label]) => ({ value, label: label() }))}
              onChange={(event) => setSeverity(Number(event.target.value))}
            />
          </Field>
        </div>
        <Field label={m.monitoring_roll_question()} hint={m.monitoring_roll_question_hint()}>
          <TextArea rows={3} value={question} maxLength={300} onChange={(event) => setQuestion(event.target.value)} />
        </Field>
        <Checkbox
          className="coarse:min-h-11 coarse:items-center"
          label={m.monitoring_roll_write()}
          checked={isTold}
          onChange={(event) => setTold(event.target.checked)}
        />
      </div>
    </ConfirmDialog>
  )
}

/** Dashes until they are known, so that nothing moves. */
function AskedCounts({ counted }: { counted: Out<typeof countRollCall> | undefined }) {
  const counts = [
    [m.map_area_guests(), counted?.guests],
    [m.map_area_ask_with_link(), counted?.withLink],
    [m.map_area_ask_crew(), counted?.crew],
    [m.map_area_ask_departures(), counted?.departures],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4" aria-busy={counted === undefined}>
      {counts.map(([label, count]) => (
        <div key={label} className="note flex flex-col-reverse justify-end px-3 py-2">
          <dt className="text-xs text-ink-2">{label}</dt>
          <dd className="num text-xl font-semibold text-ink-strong">
            {count === undefined ? '–' : formatNumber(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
