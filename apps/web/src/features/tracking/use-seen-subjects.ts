import { useQuery } from '@tanstack/react-query'
import type { In, Out } from '@tour-ops/contract/callable'
import { scopeOf } from '@tour-ops/contract/identity/access'
import { type LivePosition, livePath } from '@tour-ops/contract/live/live-paths'
import { type Signal, signalOfAge } from '@tour-ops/contract/tracking/link-state'
import { type DutySession, listDuty } from '@tour-ops/contract/tracking/duty'
import { useEffect, useMemo, useReducer, useState } from 'react'
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

/** What the stream has said of everyone on duty. */
interface Heard {
  readonly positions: readonly LivePosition[]
  /** `loading` until the first positions have come, `failed` once the stream of them has ended. */
  readonly state: 'loading' | 'ready' | 'failed'
}

const nothing: Heard = { positions: [], state: 'loading' }

/** The organization whose positions the reader sees, if they see everybody's; guides see nobody's. */
export const useWatchedOrganization = (): string | undefined =>
  useAuthStore(({ organization }) =>
    organization && scopeOf(organization.role, 'tracking:read') === 'all' ? organization.id : undefined,
  )

/** The positions of everyone on duty whom the reader may see, for screens that know who they are of; and what begins again after a failure. */
export function useLivePositions(): readonly [Heard, () => void] {
  const orgId = useWatchedOrganization()
  const [heard, setHeard] = useState(nothing)
  const [attempt, retry] = useReducer((last: number) => last + 1, 0)
  useEffect(() => {
    if (orgId === undefined) return
    const stop = currentBackend().documents.listen(livePath.positions(orgId), {
      next: ({ documents }) =>
        setHeard({ positions: documents.map(({ data }) => data as LivePosition), state: 'ready' }),
      error: (error) => {
        setHeard({ ...nothing, state: 'failed' })
        console.warn(`No live positions (attempt ${attempt + 1}).`, error)
      },
    })
    return () => {
      stop()
      setHeard(nothing)
    }
  }, [orgId, attempt])
  return [heard, retry]
}

/** The same with names, which are requested: `loading` ends with them. Somebody whose name is not known has an empty one. */
export function useSeenSubjects(): {
  readonly people: readonly SeenSubject[]
  readonly state: Heard['state']
  readonly retry: () => void
} {
  const [{ positions, state }, retry] = useLivePositions()
  const { data, isPending } = useQuery({ ...everyDuty(onDuty), enabled: positions.length > 0 })
  const names = useMemo(() => namesOf(data?.rows ?? []), [data])
  const people = useMemo(
    () => positions.map((position) => ({ ...position, name: names.get(position.subjectId) ?? '' })),
    [positions, names],
  )
  return { people, state: positions[0] && isPending ? 'loading' : state, retry }
}

/** Most that one answer holds. */
const pageRows = 500
const onDuty: DutyFilters = { status: ['open'] }
type DutyFilters = NonNullable<In<typeof listDuty>['filters']>

/** All duty sessions that a filter finds: the first answer says how many more there are. */
export function everyDuty(filters: DutyFilters) {
  const input = { filters, size: pageRows }
  return {
    ...callQuery(listDuty, input),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Out<typeof listDuty>> => {
      const page = (number: number) => currentBackend().call(listDuty, { ...input, page: number }, { signal })
      const { rows, total } = await page(1)
      const sessions = [...rows]
      for (let number = 2; number <= Math.ceil(total / pageRows); number += 1)
        sessions.push(...(await page(number)).rows)
      return { rows: sessions, total }
    },
  }
}

const namesOf = (sessions: readonly DutySession[]): ReadonlyMap<string, string> =>
  new Map(
    sessions.flatMap(({ staff, vehicle }) => {
      const subject = staff ?? vehicle
      return subject ? [[subject.id, subject.name]] : []
    }),
  )
