import { useQuery } from '@tanstack/react-query'
import { scheduleDepartures } from '@tour-ops/contract/departures/departure-schedule'
import { getTour, tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { refusalText } from '../../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday } from '../../../app/shell/today.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { SchedulePreview } from './schedule-preview.tsx'
import { freshSchedule, gapOf, ruleOf, toggleDate } from './schedule-rule.ts'
import { useSchedulePreview } from './use-schedule-preview.ts'

export interface ScheduleDialogProps {
  /** The tour to begin with; null lets the person choose. */
  tourId: string | null
  onClose: () => void
}

/** Many departures of a tour at once: a rule, its preview, then all or none. */
export function ScheduleDialog({ tourId: givenId, onClose }: ScheduleDialogProps) {
  const today = useToday()
  const [tourId, setTourId] = useState(givenId)
  const [optionId, setOptionId] = useState('')
  const [fields, setFields] = useState(() => freshSchedule(today))
  const { data: names } = useQuery(callQuery(tourOptionsForPickers, { status: ['published'] }))
  const { data: tour } = useQuery({ ...callQuery(getTour, { id: tourId ?? '' }), enabled: tourId !== null })
  const { preview, isFetching, error } = useSchedulePreview(tourId, fields)
  const create = useCall(scheduleDepartures, {
    onSuccess: ({ created }) => {
      toast(m.tours_scheduled({ count: created }))
      onClose()
    },
  })
  const options = (names?.tours ?? []).map(({ id, name, code }) => ({ value: id, label: name, detail: code }))
  const refused = create.error ?? error
  const chooseOption = (id: string) => {
    setOptionId(id)
    const option = tour?.options.find((each) => each.id === id)
    if (option) setFields((before) => ({ ...before, startTimes: option.startTimesLocal }))
  }
  const chooseTour = (id: string | null) => {
    setTourId(id)
    setOptionId('')
  }
  const confirm = () => {
    if (!tourId) return
    const { capacity, ...rule } = ruleOf(fields)
    create.mutate({ tourId, optionId: optionId || null, ...rule, ...(capacity !== null && { capacity }) })
  }
  const reason = disabledReason(tourId, preview?.willCreate, gapOf(fields) !== null)
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      locked={create.isPending}
      title={m.tours_schedule_departures()}
      description={m.tours_schedule_text()}
      actions={
        <Button variant="primary" pending={create.isPending} disabledReason={reason} onClick={confirm}>
          {m.tours_create_departures({ count: preview?.willCreate ?? 0 })}
        </Button>
      }
    >
      <div className="grid gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={m.tours_tour()} required>
            <Combobox
              options={options}
              value={options.find((option) => option.value === tourId) ?? null}
              onChange={(option) => chooseTour(option?.value ?? null)}
              placeholder={m.tours_choose_tour()}
              emptyText={m.tours_none_published()}
            />
          </Field>
          {tour && tour.options.length > 0 && (
            <Field label={m.tours_option()}>
              <Select
                value={optionId}
                placeholder={m.tours_no_option()}
                onChange={(event) => chooseOption(event.target.value)}
                options={tour.options.map(({ id, name }) => ({ value: id, label: name }))}
              />
            </Field>
          )}
        </div>
        <ScheduleForm
          fields={fields}
          onChange={(change) => setFields((before) => ({ ...before, ...change }))}
          defaultCapacity={tour?.defaultCapacity}
          refused={refused}
        />
        {refused && !refused.details.fieldErrors && (
          <Banner tone="bad" role="alert">
            {refusalText(refused)}
          </Banner>
        )}
        {tourId && !preview && isFetching && <SkeletonRows rows={4} />}
        {preview && (
          <SchedulePreview
            preview={preview}
            from={fields.from}
            to={fields.to}
            exceptDates={fields.exceptDates}
            capacity={fields.capacity ?? tour?.defaultCapacity ?? 0}
            onToggleDate={(date) =>
              setFields((before) => ({ ...before, exceptDates: toggleDate(before.exceptDates, date) }))
            }
          />
        )}
      </div>
    </Dialog>
  )
}

function disabledReason(tourId: string | null, willCreate: number | undefined, hasGap: boolean): string | undefined {
  if (!tourId) return m.tours_choose_tour()
  if (hasGap || willCreate === undefined) return m.tours_rule_incomplete()
  return willCreate === 0 ? m.tours_nothing_to_create() : undefined
}
