import { useQuery } from '@tanstack/react-query'
import { makeHttpClient } from '../backend/http-client.ts'
import { bareLetters, shardOf } from '../ui/gazetteer-shard.ts'

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
  const wanted = bareLetters(words.trim())
  const found = rows.filter(([name]) => bareLetters(name).startsWith(wanted))
  return found
    .toSorted((a, b) => Number(bareLetters(b[0]) === wanted) - Number(bareLetters(a[0]) === wanted))
    .slice(0, offered)
    .map(([name, country, lat, lng]) => ({ name, country, lat, lng }))
}

/** Finds towns by name in the files beside the map; nothing until two letters are there. */
export function useTowns(words: string): { towns: readonly Town[]; isFetching: boolean } {
  const shard = shardOf(words.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['gazetteer', shard],
    queryFn: () => http<Row[]>(`/tiles/names/${shard}.json`).catch(() => []),
    enabled: shard !== undefined,
    staleTime: Infinity,
  })
  return { towns: data ? townsLike(data, words) : [], isFetching }
}
