import { useQueries } from '@tanstack/react-query'
import { roadWays } from '@tour-ops/contract/places/places'
import { callQuery } from '../../../backend/queries.ts'
import { type KnownRoads, roadModes, roadQuestion } from './itinerary-checks.ts'
import type { Itinerary } from './itinerary.ts'

/**
 * What the router of the organization says about the ways of an itinerary, driven and walked; nothing of a mode until it has answered, and when
 * that fails. Ways that were known stay while others are asked for.
 */
export function useRoadWays(itinerary: Itinerary, isWalking: boolean): readonly KnownRoads[] {
  return useQueries({
    queries: roadModes.map((mode) => {
      const question = roadQuestion(itinerary, { mode, isWalking })
      return {
        ...callQuery(roadWays, question),
        enabled: question.pairs.length > 0,
        placeholderData: <Known>(before: Known) => before,
      }
    }),
    combine: (answers) =>
      answers.flatMap(({ data }, at) => (data ? [{ ...data, mode: roadModes[at] ?? 'drive' }] : [])),
  })
}
