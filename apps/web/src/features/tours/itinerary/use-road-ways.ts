import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import { roadWays } from '@tour-ops/contract/places/places'
import { callQuery } from '../../../backend/queries.ts'
import { roadQuestion } from './itinerary-checks.ts'
import type { Itinerary } from './itinerary.ts'

/**
 * What the router of the organization says about the ways of an itinerary; undefined until it has answered, and when that fails. Ways that
 * were known stay while others are asked for.
 */
export function useRoadWays(itinerary: Itinerary, isWalking: boolean): Out<typeof roadWays> | undefined {
  const question = roadQuestion(itinerary, isWalking)
  const { data } = useQuery({
    ...callQuery(roadWays, question),
    enabled: question.pairs.length > 0,
    placeholderData: (before, query) => (query?.queryKey[1].mode === question.mode ? before : undefined),
  })
  return data
}
