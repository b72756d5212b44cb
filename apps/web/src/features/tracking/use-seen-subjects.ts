import { useQuery } from '@tanstack/react-query'
import { scopeOf } from '@tour-ops/contract/identity/access'
import { type LivePosition, livePath } from '@tour-ops/contract/live/live-paths'
import { type Signal, signalOfAge } from '@tour-ops/contract/tracking/link-state'
import { type DutySession, listDuty } from '@tour-ops/contract/tracking/duty'
import { useEffect, useMemo, useState } from 'react'
import { currentBackend } from '../../backend/port.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAuthStore } from '../../identity/auth-store.ts'

/** Somebody, or a vehicle, on duty with a position. */
export interface SeenSubject extends LivePosition {
  readonly name: string
}

/** @param now Epoch milliseconds. */
export const signalOf = ({ recordedAt }: Pick<LivePosition, 'recordedAt'>, now: number): Signal =>
  signalOfAge(now - Date.parse(recordedAt))

/**
 * Everyone on duty whom the reader may see, as they move. Positions come as values over the stream; only names are requested. Guides, who may follow
 * themselves only, see nobody here.
 */
export function useSeenSubjects(): readonly SeenSubject[] {
  const positions = useLivePositions()
  const duty = useQuery({
    ...callQuery(listDuty, { filters: { status: ['open'] }, size: 500 }),
    enabled: positions.length > 0,
  })
  const names = useMemo(() => namesOf(duty.data?.rows ?? []), [duty.data])
  return useMemo(
    () => positions.map((position) => ({ ...position, name: names.get(position.subjectId) ?? '' })),
    [positions, names],
  )
}

/** The same positions without names, for screens that know who they are of. */
export function useLivePositions(): readonly LivePosition[] {
  const organization = useAuthStore((state) => state.organization)
  const orgId = organization && scopeOf(organization.role, 'tracking:read') === 'all' ? organization.id : undefined
  const [positions, setPositions] = useState<readonly LivePosition[]>([])
  useEffect(() => {
    if (orgId === undefined) return
    const stop = currentBackend().documents.listen(livePath.positions(orgId), {
      next: ({ documents }) => setPositions(documents.map(({ data }) => data as LivePosition)),
      error: (error) => {
        setPositions([])
        console.warn('Positions cannot be followed.', error)
      },
    })
    return () => {
      stop()
      setPositions([])
    }
  }, [orgId])
  return positions
}

const namesOf = (sessions: readonly DutySession[]): ReadonlyMap<string, string> =>
  new Map(
    sessions.flatMap(({ staff, vehicle }) => {
      const subject = staff ?? vehicle
      return subject ? [[subject.id, subject.name]] : []
    }),
  )
