import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { previewSchedule } from '@tour-ops/contract/departures/departure-schedule'
import type { AppError } from '@tour-ops/contract/errors'
import { useEffect, useState } from 'react'
import { callQuery } from '../../../backend/queries.ts'
import { gapOf, ruleOf, type ScheduleFields } from './schedule-rule.ts'

/** Pause after the last change before the server plans. */
const settleMs = 250

export interface SchedulePreviewState {
  preview: Out<typeof previewSchedule> | undefined
  isFetching: boolean
  error: AppError | null
}

/** What the rule would create, as the server plans it; the last answer stays while a new one comes. */
export function useSchedulePreview(tourId: string | null, fields: ScheduleFields): SchedulePreviewState {
  const settled = useSettled(fields)
  const isWhole = tourId !== null && gapOf(settled) === null
  const { capacity: _, ...rule } = ruleOf(settled)
  const { data, isFetching, error } = useQuery({
    ...callQuery(previewSchedule, { tourId: tourId ?? '', ...rule }),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  })
  return { preview: isWhole ? data : undefined, isFetching: isFetching || settled !== fields, error }
}

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
