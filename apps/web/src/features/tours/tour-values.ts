import type { Tour, TourFields } from '@tour-ops/contract/tours/tours'
import type * as z from 'zod/mini'
import type { AppForm } from '../../ui/form/use-app-form.ts'

export type TourValues = z.input<typeof TourFields>
export type TourOutput = z.output<typeof TourFields>
export type TourForm = AppForm<TourValues, TourOutput>

/** Basics and rules of a tour as its form holds them. */
export function valuesOf(tour: Tour): TourValues {
  const { code, name, kind, timeZone, category, durationMin, durationDays, difficulty, languages } = tour
  const { inclusions, exclusions, cancellationPolicy, cancellationSteps, color, requirements } = tour
  const { defaultCapacity, minPax, overbookLimit, cutoffMinutes, releaseDays } = tour
  return {
    code,
    name,
    kind,
    timeZone,
    category: category ?? '',
    durationMin,
    durationDays,
    difficulty,
    languages,
    inclusions,
    exclusions,
    cancellationPolicy: cancellationPolicy ?? '',
    cancellationSteps,
    color,
    requirements,
    defaultCapacity,
    minPax,
    overbookLimit,
    cutoffMinutes,
    releaseDays,
  }
}
