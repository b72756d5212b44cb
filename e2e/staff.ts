import type { In } from '@tour-ops/contract/callable'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { apiAs } from './api.ts'
import type { JourneyTour } from './operations.ts'

// Field staff of a journey's own, and days on which nobody else works.

/** A word that nothing else of the demo has. */
export const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

/**
 * Languages that nobody in the demo speaks: people who do are listed first where one is wanted. Six are suggested, so that a journey which chooses
 * among them takes a language that no other one has.
 */
type JourneyLanguage = 'th' | 'fi' | 'ko' | 'vi'

interface PersonOptions {
  language?: JourneyLanguage
  certificates?: In<typeof createFieldStaff>['certificates']
}

/** Somebody who guides in a language of the journeys. */
export async function addPerson(
  lastName: string,
  { language = 'th', certificates = [] }: PersonOptions = {},
): Promise<string> {
  const api = await apiAs('operations_manager')
  const { id } = await api.call(createFieldStaff, {
    firstName: 'Siri',
    lastName,
    kinds: ['guide'],
    employment: 'employee',
    languages: [{ tag: language, level: 'C2' }],
    certificates,
  })
  return id
}

/** Days far ahead, where the demo plans nothing; every test takes one of its own. */
export const farDay = (): string =>
  new Date(Date.now() + (200 + Math.floor(Math.random() * 400)) * 86_400_000).toISOString().slice(0, 10)

export async function addDeparture(
  tour: JourneyTour,
  localDate: string,
  startTimeLocal: string,
  language: JourneyLanguage = 'th',
) {
  const api = await apiAs('operations_manager')
  const { id } = await api.call(createDeparture, { tourId: tour.id, language, localDate, startTimeLocal })
  return api.call(getDeparture, { id })
}
