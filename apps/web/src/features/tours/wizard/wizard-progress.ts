import { tourSteps, type Tour, type TourStep } from '@tour-ops/contract/tours/tours'
import { unitLabels } from '../../../records/unit-labels.ts'
import { vehicleClassLabels } from '../../../records/vehicle-classes.ts'
import { m } from '../../../paraglide/messages.js'
import { formatDuration, formatLanguage, formatList } from '../../../ui/format.ts'
import { fieldsOf, gapOf } from '../schedule/schedule-rule.ts'
import { sentenceOf } from '../schedule/schedule-text.ts'
import { contentOf } from '../tour-content.ts'
import { kindLabels, problemText, roleLabels } from '../tour-labels.ts'

/** Steps that were visited and have nothing left to fix; a published tour has been through all but its schedule. */
export function doneSteps(tour: Pick<Tour, 'wizard' | 'problems' | 'revision'>): ReadonlySet<TourStep> {
  const open = new Set(tour.problems.map((problem) => problem.step))
  const through = tour.revision ? tourSteps.filter((step) => step !== 'schedule') : []
  return new Set([...through, ...tour.wizard.done].filter((step) => !open.has(step)))
}

/** One line about a step: what is missing, or what was chosen. */
export function noteOf(tour: Tour, step: TourStep): string {
  const problem = tour.problems.find((found) => found.step === step)
  if (problem) return problemText(problem)
  if (!doneSteps(tour).has(step)) return m.tours_not_started()
  const content = contentOf(tour)
  switch (step) {
    case 'basics':
      return `${tour.code}, ${kindLabels[tour.kind]()}, ${formatList(tour.languages.map(formatLanguage))}`
    case 'itinerary':
      return m.tours_stop_count({ count: content.stops.length })
    case 'capacity':
      return m.tours_note_capacity({ seats: tour.defaultCapacity, minimum: tour.minPax })
    case 'prices':
      return content.units.map((unit) => unitLabels[unit.unitType]()).join(', ')
    case 'crew':
      return [
        ...tour.requirements.roles.map((role) => roleLabels[role]()),
        ...(tour.requirements.vehicleClass ? [vehicleClassLabels[tour.requirements.vehicleClass]()] : []),
      ].join(', ')
    case 'schedule': {
      const fields = tour.wizard.schedule && fieldsOf(tour.wizard.schedule)
      return fields && gapOf(fields) === null ? sentenceOf(fields) : m.tours_no_schedule()
    }
    case 'messages':
      return content.texts.meetingNote ?? formatDuration(tour.durationMin)
  }
}
