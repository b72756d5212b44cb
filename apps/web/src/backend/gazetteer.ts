import { useQuery } from '@tanstack/react-query'
import { FetchError, type $Fetch } from 'ofetch'
import { makeHttpClient } from './http-client.ts'
import { withoutAccents, shardOf } from '../ui/gazetteer-shard.ts'

/** A town of GeoNames (CC BY 4.0), shipped with the map. */
export interface Town {
  readonly name: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly lat: number
  readonly lng: number
}

type Row = readonly [name: string, country: string, lat: number, lng: number]

const offered = 12
const http = makeHttpClient('/')

/** Towns whose name begins with the words, larger ones first; a name that is exactly that comes before. */
export function townsLike(rows: readonly Row[], words: string): Town[] {
  const wanted = withoutAccents(words.trim())
  const found = rows.filter(([name]) => withoutAccents(name).startsWith(wanted))
  return found
    .toSorted((a, b) => Number(withoutAccents(b[0]) === wanted) - Number(withoutAccents(a[0]) === wanted))
    .slice(0, offered)
    .map(([name, country, lat, lng]) => ({ name, country, lat, lng }))
}

/**
 * The towns of a file. There is none for letters that no town begins with.
 *
 * @throws FetchError where it cannot be loaded: that is not the same, and is tried again.
 */
export async function townsOfShard(shard: string, client: $Fetch = http): Promise<Row[]> {
  try {
    return await client<Row[]>(`/tiles/names/${shard}.json`)
  } catch (error) {
    if (error instanceof FetchError && error.status === 404) return []
    throw error
  }
}

export interface FoundTowns {
  readonly towns: readonly Town[]
  readonly isFetching: boolean
  /** The names could not be loaded. */
  readonly error: Error | null
  readonly retry: () => void
}

/** Finds towns by name in the files next to the map; nothing until two letters are typed. */
export function useTowns(words: string): FoundTowns {
  const shard = shardOf(words.trim())
  const { data, isFetching, error, refetch } = useQuery<Row[], Error>({
    queryKey: ['gazetteer', shard],
    queryFn: () => townsOfShard(shard ?? ''),
    enabled: shard !== undefined,
    staleTime: Infinity,
  })
  return { towns: data ? townsLike(data, words) : [], isFetching, error, retry: () => void refetch() }
}
