import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import type { AppError } from '@tour-ops/contract/errors'

export interface Lookup<Data> {
  /** While the answer to new words is on its way, still what was found for those before. */
  readonly data: Data | undefined
  /** What is shown is not the answer to the words that are typed now, or is being requested again. */
  readonly isLooking: boolean
}

/**
 * The query behind a field that searches as somebody types.
 *
 * @example const { data, isLooking } = useLookup(callQuery(listFieldStaff, { q }))
 */
export function useLookup<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, AppError, Data, Key>,
): Lookup<Data> {
  const { data, isFetching, isPlaceholderData } = useQuery({ ...options, placeholderData: keepPreviousData })
  // Without a network nothing is fetched, and what is shown is old all the same.
  return { data, isLooking: isFetching || isPlaceholderData }
}
