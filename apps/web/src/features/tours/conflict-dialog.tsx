import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { Tour } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { contentOf } from './tour-content.ts'
import { valuesOf, type TourOutput, type TourValues } from './tour-values.ts'
import { stepsText } from './tour-labels.ts'
import type { TourEditing } from './use-tour-editing.ts'

const fieldLabels: Partial<Record<keyof TourValues, () => string>> = {
  name: m.tours_name,
  code: m.tours_code,
  kind: m.tours_kind,
  timeZone: m.tours_time_zone,
  category: m.tours_category,
  durationMin: m.tours_duration_min,
  durationDays: m.tours_duration_days,
  difficulty: m.tours_difficulty,
  languages: m.tours_languages,
  inclusions: m.tours_inclusions,
  exclusions: m.tours_exclusions,
  cancellationPolicy: m.tours_cancellation_policy,
  cancellationSteps: m.tours_cancellation_steps,
  color: m.tours_color,
  requirements: m.tours_step_crew,
  defaultCapacity: m.tours_capacity,
  minPax: m.tours_min_pax,
  overbookLimit: m.tours_overbook,
  cutoffMinutes: m.tours_cutoff,
  releaseDays: m.tours_release_days,
}

interface Difference {
  label: string
  mine: string
  theirs: string
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
const shownField = (key: string, value: unknown): string =>
  key === 'cancellationSteps' ? shown(stepsText((value ?? []) as TourOutput['cancellationSteps'])) : shown(value)

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/** Fields that the two versions do not agree about. */
function fieldDifferences(mine: Record<string, unknown>, theirs: Tour): Difference[] {
  return Object.entries(valuesOf(theirs)).flatMap(([key, value]) => {
    const label = fieldLabels[key as keyof TourValues]
    return label && !same(mine[key], value)
      ? [{ label: label(), mine: shownField(key, mine[key]), theirs: shownField(key, value) }]
      : []
  })
}

function contentDifferences(mine: TourContent, theirs: TourContent): Difference[] {
  const parts: [label: string, of: (content: TourContent) => unknown, words: (content: TourContent) => string][] = [
    [m.tours_step_itinerary(), (c) => [c.days, c.stops], (c) => m.tours_stop_count({ count: c.stops.length })],
    [m.tours_step_prices(), (c) => c.units, (c) => m.tours_price_count({ count: c.units.length })],
    [m.tours_texts(), (c) => c.texts, (c) => shown(c.texts.description ?? c.texts.meetingNote)],
  ]
  return parts
    .filter(([, of]) => !same(of(mine), of(theirs)))
    .map(([label, , words]) => ({ label, mine: words(mine), theirs: words(theirs) }))
}

export interface ConflictDialogProps {
  editing: TourEditing
  /** After the other version was taken; a form then shows it. */
  onTaken?: ((theirs: Tour) => void) | undefined
}

/** Both versions side by side, and the choice between them. See docs/screens.md, "Rules for all screens". */
export function ConflictDialog({ editing, onTaken }: ConflictDialogProps) {
  const [isPending, setPending] = useState(false)
  const { conflict, reset, keepMine } = editing
  if (!conflict) return null
  const { theirs, mine: change } = conflict
  const { fields, content } = change
  const takeTheirs = () => {
    reset()
    onTaken?.(theirs)
  }
  const differences = [
    ...(fields ? fieldDifferences(fields, theirs) : []),
    ...(content ? contentDifferences(content, contentOf(theirs)) : []),
  ]
  const keep = async () => {
    setPending(true)
    try {
      await keepMine()
    } catch {
      // A second conflict opens this dialog again; any other error is next to the form.
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog
      open
      wide
      locked={isPending}
      onClose={takeTheirs}
      title={m.tours_conflict_title()}
      description={m.tours_conflict_text()}
      actions={
        <>
          <Button onClick={takeTheirs} disabled={isPending}>
            {m.tours_conflict_theirs()}
          </Button>
          <Button variant="primary" pending={isPending} onClick={() => void keep()}>
            {m.tours_conflict_mine()}
          </Button>
        </>
      }
    >
      <table className="w-full table-fixed border-collapse text-start">
        <thead>
          <tr className="border-b border-line text-xs text-ink-2">
            <th scope="col" className="w-1/4 py-1.5 pe-3 text-start font-medium">
              {m.tours_conflict_field()}
            </th>
            <th scope="col" className="py-1.5 pe-3 text-start font-medium">
              {m.tours_conflict_yours()}
            </th>
            <th scope="col" className="py-1.5 text-start font-medium">
              {m.tours_conflict_now()}
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ label, mine, theirs: now }) => (
            <tr key={label} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-1.5 pe-3 text-start font-medium text-ink-strong">
                {label}
              </th>
              <td className="py-1.5 pe-3 break-words">{mine}</td>
              <td className="py-1.5 break-words">{now}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p className="pt-2 text-ink-2">{m.tours_conflict_none()}</p>}
    </Dialog>
  )
}
