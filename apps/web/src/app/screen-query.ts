import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { AppError } from '@tour-ops/contract/errors'
import { screenErrorOf } from './page-error.ts'

/**
 * The query a screen cannot do without: when it fails and nothing was read before, the screen is replaced by the error page, to 'Page Not
 * Found' for a record that is absent or of another organization, or to the page that names the missing permission.
 *
 * @example const tour = useScreenQuery(callQuery(getTour, { id })).data
 */
export function useScreenQuery<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, AppError, Data, Key>,
): UseQueryResult<Data> {
  const result = useQuery(options)
  if (result.error && result.data === undefined) throw screenErrorOf(result.error, location.pathname)
  return result
}
