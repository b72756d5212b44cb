import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { currentAccountSecurity, type SecurityOverview } from '../../account-security-port.ts'

const securityKey = ['account-security'] as const

/** The security of the own account; asked for at every visit, since another device may have changed it. */
export const useSecurity = (): UseQueryResult<SecurityOverview> =>
  useQuery({ queryKey: securityKey, queryFn: () => currentAccountSecurity().read(), staleTime: 0 })

/** Reads it again after a change. */
export function useSecurityRefresh(): () => void {
  const cache = useQueryClient()
  return () => void cache.invalidateQueries({ queryKey: securityKey })
}
