import type { Tour, TourStep } from '@tour-ops/contract/tours/tours'
import type { ScheduleFields } from '../schedule/schedule-rule.ts'
import type { TourForm } from '../tour-values.ts'
import type { TourEditing } from '../use-tour-editing.ts'

export interface WizardStepProps {
  step: TourStep
  tour: Tour
  editing: TourEditing
  form: TourForm
  schedule: ScheduleFields
  onSchedule: (change: Partial<ScheduleFields>) => void
  isDirty: boolean
  onPublished: () => void
}
