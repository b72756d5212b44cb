import type { RouterKind } from '@tour-ops/contract/settings/settings'
import type { TravelMode } from '@tour-ops/contract/tours/tour-terms'
import type { Point } from '@tour-ops/contract/tracking/arrivals/travel'
import * as z from 'zod/mini'
import { askOutside } from '../http/outside-request.ts'

/** A program that knows roads, run by the organization or by somebody for them. */
export interface Router {
  readonly kind: RouterKind
  readonly address: string
}

export interface RoadWay {
  readonly seconds: number
  readonly meters: number
}

export interface RouterQuestion {
  readonly from: Point
  readonly to: Point
  readonly mode: TravelMode
}

/** Whatever answers at the address is not the router that was named. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer'
}

/** Long enough for a way across a country, short enough for a minute's work. */
const timeoutMs = 4000
const maxBytes = 200_000

/**
 * The way by road or path, or null where the router knows none (an island, water, a country that it has no map of, or a mode that it does not
 * do). Sources: OSRM's HTTP API, route service, v1; Valhalla's API, turn-by-turn `route`.
 *
 * @throws OutsideError; StrangeAnswer; the reason of the signal.
 */
export async function askRouter(
  router: Router,
  question: RouterQuestion,
  { trustedHosts, signal }: { trustedHosts: readonly string[]; signal?: AbortSignal },
): Promise<RoadWay | null> {
  const asked = dialects[router.kind](router.address, question)
  if (asked === null) return null
  const { bytes } = await askOutside({ ...asked.request, trustedHosts, timeoutMs, maxBytes, ...(signal && { signal }) })
  return asked.read(jsonOf(bytes.toString('utf8')))
}

/** Whether a router is asked for a way of this kind at all. */
export const knowsMode = ({ kind }: Router, mode: TravelMode): boolean =>
  mode === 'drive' || (kind === 'valhalla' && mode === 'walk')

interface Asked {
  readonly request: { readonly url: URL; readonly body?: unknown }
  readonly read: (answer: unknown) => RoadWay | null
}

/** Longer is no way of a tour; the answer is stored as whole numbers. */
const wayLimit = { seconds: 30 * 86_400, kilometers: 100_000 }
const upTo = (limit: number) => z.number().check(z.minimum(0), z.maximum(limit))

const OsrmAnswer = z.object({
  code: z.string(),
  routes: z.optional(
    z.array(z.object({ duration: upTo(wayLimit.seconds), distance: upTo(wayLimit.kilometers * 1000) })),
  ),
})
/** What OSRM says where there is no road. */
const osrmNoWay = ['NoRoute', 'NoSegment']

const ValhallaAnswer = z.union([
  z.object({
    trip: z.object({ summary: z.object({ time: upTo(wayLimit.seconds), length: upTo(wayLimit.kilometers) }) }),
  }),
  z.object({ error_code: z.number(), error: z.string() }),
])
/**
 * Valhalla's errors from 100 on are about the request and the way, as "No path could be found for input" (442) and "Path distance exceeds the max
 * distance limit" (154).
 */
const valhallaNoWay = [154, 170, 171, 442, 443]

const dialects: Readonly<Record<RouterKind, (address: string, question: RouterQuestion) => Asked | null>> = {
  osrm: (address, { from, to, mode }) =>
    // a server of OSRM has one profile, whatever the address says: that of cars
    mode !== 'drive'
      ? null
      : {
          request: { url: below(address, `route/v1/driving/${pair(from)};${pair(to)}?overview=false`) },
          read: (answer) => {
            const { code, routes } = parsed(OsrmAnswer, answer)
            if (osrmNoWay.includes(code)) return null
            const [way] = routes ?? []
            if (code !== 'Ok' || !way) throw new StrangeAnswer(`OSRM says ${code}`)
            return { seconds: way.duration, meters: way.distance }
          },
        },
  valhalla: (address, { from, to, mode }) =>
    mode !== 'drive' && mode !== 'walk'
      ? null
      : {
          request: {
            url: below(address, 'route'),
            body: {
              locations: [from, to].map(({ lat, lng }) => ({ lat, lon: lng })),
              costing: mode === 'walk' ? 'pedestrian' : 'auto',
              units: 'kilometers',
              directions_type: 'none',
            },
          },
          read: (answer) => {
            const said = parsed(ValhallaAnswer, answer)
            if ('trip' in said) {
              const { time, length } = said.trip.summary
              return { seconds: time, meters: length * 1000 }
            }
            if (valhallaNoWay.includes(said.error_code)) return null
            throw new StrangeAnswer(`Valhalla says ${said.error_code}`)
          },
        },
}

/** OSRM and GeoJSON name the longitude first. Six digits are a decimeter. */
const pair = ({ lat, lng }: Point): string => `${lng.toFixed(6)},${lat.toFixed(6)}`

const below = (address: string, path: string): URL => new URL(path, address.endsWith('/') ? address : `${address}/`)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StrangeAnswer('no JSON', { cause: error })
  }
}

function parsed<S extends z.ZodMiniType>(shape: S, answer: unknown): z.output<S> {
  const { success, data, error } = shape.safeParse(answer)
  if (!success) throw new StrangeAnswer('another shape', { cause: error })
  return data
}
