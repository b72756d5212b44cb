import type { Callable, In, Out } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import {
  onlineManager,
  QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
} from '@tanstack/react-query'
import type { LiveTopic } from '@tour-ops/contract/live/live-paths'
import { currentBackend } from './port.ts'
import { isMadeOf, refreshAfter } from './refresh.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: AppError
    queryMeta: { topics?: readonly LiveTopic[]; rowTopics?: readonly LiveTopic[] }
    mutationMeta: { writes?: readonly LiveTopic[] }
  }
}

/**
 * Server data of the application. Nothing is repeated unless `callQuery` says so: the HTTP client has its own rules, and both at once would
 * send eight requests where one fails.
 */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true, networkMode: 'online' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

/**
 * Aborts running reads and holds back every new one, whatever triggers it (a change notification, a window that comes to the
 * front, a screen that opens), as if the network were gone. While somebody signs out: the server would refuse them.
 */
export function pauseReads(cache: QueryClient): void {
  onlineManager.setOnline(false)
  void cache.cancelQueries()
}

/** Lets reads go out again, as far as there is a network; what is on screen is read again. */
export function resumeReads(cache: QueryClient): void {
  onlineManager.setOnline(navigator.onLine)
  void cache.invalidateQueries()
}

/** Whether a failed read may be sent once more: nothing answered, and not because time ran out. See ARCHITECTURE.md, "Where the specification is silent". */
export const mayRepeat = (callable: Pick<Callable, 'kind'>, failures: number, error: unknown): boolean =>
  callable.kind === 'read' && failures < 1 && error instanceof AppError && error.code === 'unavailable'

/**
 * Query options of a read; the key and the request come from one callable and cannot disagree. A component that shows the answer is notified of changes of what
 * it is made of (`useLiveQueries`): reading is all that a screen has to do for it.
 *
 * @throws Error for a write: a query is asked again by itself, and a write is sent once.
 * @example useQuery(callQuery(listTours, { filters: { status: ['published'] } }))
 */
export const callQuery = <C extends Callable>(callable: C, input: In<C>) => {
  if (callable.kind !== 'read') throw new Error(`${callable.name} is a write: send it with useCall.`)
  const { topics = [], rowTopics = [] } = callable
  return queryOptions<Out<C>, AppError, Out<C>, readonly [string, In<C>]>({
    queryKey: [callable.name, input],
    queryFn: ({ signal }) => currentBackend().call(callable, input, { signal }),
    retry: (failures, error) => mayRepeat(callable, failures, error),
    retryDelay: 1_000,
    meta: { topics, rowTopics },
  })
}

/** Reads again, whatever is kept: also where an answer is on its way, which may be from before the write that somebody has just made. */
export async function readAfresh<C extends Callable>(cache: QueryClient, callable: C, input: In<C>): Promise<Out<C>> {
  const query = callQuery(callable, input)
  await cache.cancelQueries({ queryKey: query.queryKey, exact: true })
  return cache.fetchQuery({ ...query, staleTime: 0 })
}

/** The key under which all answers of a callable are cached, whatever their input. */
export const callKey = (callable: Pick<Callable, 'name'>): QueryKey => [callable.name]

type WithoutCallbacks<M> = M extends unknown ? Omit<M, 'mutate' | 'mutateAsync'> : never

export interface UseCallOptions<C extends Callable> {
  onSuccess?: ((output: Out<C>, input: In<C>) => void) | undefined
  onError?: ((error: AppError, input: In<C>) => void) | undefined
}

/**
 * A write of a screen. What is to happen afterwards is passed once, to `useCall`: callbacks handed to a single `mutate` are forgotten when
 * the row or menu that sent it has left the screen by the time of the answer, which a list that is notified of the change does by itself.
 */
export type CallMutation<C extends Callable> = WithoutCallbacks<UseMutationResult<Out<C>, AppError, In<C>>> & {
  readonly mutate: (input: In<C>) => void
  readonly mutateAsync: (input: In<C>) => Promise<Out<C>>
}

/**
 * A write as a mutation: `mutate(input)` sends it once, never twice. What is made of the tables that it writes to is read again afterwards,
 * also where no live changes arrive.
 *
 * @example const publish = useCall(publishTour)
 */
export function useCall<C extends Callable>(
  callable: C,
  { onSuccess, onError }: UseCallOptions<C> = {},
): CallMutation<C> {
  const cache = useQueryClient()
  return useMutation<Out<C>, AppError, In<C>>({
    mutationKey: [callable.name],
    mutationFn: (input) => currentBackend().call(callable, input),
    meta: { writes: callable.writes ?? [] },
    onSuccess: async (output, input) => {
      takeVersions(cache, callable, output)
      onSuccess?.(output, input)
      await refreshAfter(cache, callable)
    },
    ...(onError && { onError }),
  })
}

/**
 * A write answers with the version that its record has now. It counts at once: a second act right after the first must not be
 * refused as outdated while the record is still being read again.
 */
export function takeVersions(cache: QueryClient, callable: Pick<Callable, 'writes'>, output: unknown): void {
  const written = [output, ...Object.values(output ?? {})].filter(isVersioned)
  if (written.length === 0) return
  cache.setQueriesData({ predicate: (query) => isMadeOf(query, callable) }, (data: unknown) =>
    withVersions(data, written),
  )
}

interface Versioned {
  readonly id: string
  readonly version: number
}

const isVersioned = (value: unknown): value is Versioned =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'version' in value &&
  typeof value.version === 'number'

/** A record, or the rows of a list. What did not change stays the same object, so that nothing is drawn again. */
function withVersions(data: unknown, written: readonly Versioned[]): unknown {
  if (isVersioned(data)) {
    const found = written.find(({ id }) => id === data.id)
    return found && found.version > data.version ? { ...data, version: found.version } : data
  }
  if (typeof data !== 'object' || data === null || !('rows' in data) || !Array.isArray(data.rows)) return data
  const rows = data.rows.map((row: unknown) => withVersions(row, written))
  return rows.some((row, index) => row !== (data.rows as unknown[])[index]) ? { ...data, rows } : data
}
