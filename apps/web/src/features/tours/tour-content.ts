import { TourContent } from '@tour-ops/contract/tours/tour-content'
import { type Tour } from '@tour-ops/contract/tours/tours'
import { closeItinerary, openItinerary } from './itinerary/itinerary.ts'
import { freshItinerary, type ItineraryHistory } from './itinerary/itinerary-editor.tsx'
import { closePrices, openPrices, type EditPrices } from './units-editor.tsx'

type Texts = TourContent['texts']

/** Everything a publication freezes, while it is edited. */
export interface EditContent {
  itinerary: ItineraryHistory
  prices: EditPrices
  texts: { description: string; meetingNote: string; whatToBring: string }
  routes: TourContent['routes']
}

/** What the tour will be after the next publication: its draft, else what is published. */
export const contentOf = (tour: Pick<Tour, 'draft' | 'revision'>): TourContent =>
  tour.draft ?? tour.revision?.content ?? TourContent.parse({})

export function openContent(tour: Tour, currency: string): EditContent {
  const content = contentOf(tour)
  const { description, meetingNote, whatToBring } = content.texts
  return {
    itinerary: freshItinerary(openItinerary(content, tour.durationDays)),
    prices: openPrices(content.units, currency),
    texts: { description: description ?? '', meetingNote: meetingNote ?? '', whatToBring: whatToBring ?? '' },
    routes: content.routes,
  }
}

const orNull = (typed: string): string | null => typed.trim() || null

/** The content as it is saved, and the prices that cannot be. */
export function closeContent(content: EditContent): { content: TourContent; problems: Map<number, string> } {
  const { units, problems } = closePrices(content.prices)
  const texts: Texts = {
    description: orNull(content.texts.description),
    meetingNote: orNull(content.texts.meetingNote),
    whatToBring: orNull(content.texts.whatToBring),
  }
  return {
    problems,
    content: { ...closeItinerary(content.itinerary.present), routes: content.routes, units, texts },
  }
}
