import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { DepartureRow, departureRowTopics } from '../departures/departures.ts'
import { Count, Id, Instant, LocalDate } from '../fields.ts'
import { incidentCategories } from '../monitoring/incidents.ts'
import { statusesOf } from '../state-machines.ts'
import { tourStopKinds } from '../tours/tour-terms.ts'
import { TourRoute } from '../tours/tour-route.ts'

export const MapStop = z.object({
  id: Id,
  order: Count,
  dayIndex: Count,
  name: z.string(),
  kind: z.enum(tourStopKinds),
  status: z.enum(statusesOf('departure_stops')),
  lat: z.number(),
  lng: z.number(),
  /** Who comes this near is there, and who is farther away than `exitM` has left; meters. */
  enterM: z.number(),
  exitM: z.number(),
  plannedArriveAt: Instant,
  actualArriveAt: z.nullable(Instant),
  actualDepartAt: z.nullable(Instant),
  etaAt: z.nullable(Instant),
  delaySeconds: z.int(),
})
export type MapStop = z.output<typeof MapStop>

export const MapDeparture = z.object({
  ...DepartureRow.shape,
  stops: z.array(MapStop),
  /** When it really set out; null before. */
  startedAt: z.nullable(Instant),
  /** Where no signal is expected on the way ahead: until about when. */
  quietUntil: z.nullable(Instant),
})
export type MapDeparture = z.output<typeof MapDeparture>

export const mapToday = callable({
  name: 'map-today',
  kind: 'read',
  permission: 'tracking:read',
  summary: 'Departures under way today or about to start, with their stops; guides see their own.',
  input: z.object({}),
  output: z.object({
    now: Instant,
    timeZone: z.string(),
    localDate: LocalDate,
    /** Where the map opens when there is nothing to show. */
    view: z.object({ lat: z.number(), lng: z.number(), zoom: z.number() }),
    departures: z.array(MapDeparture),
  }),
  topics: [...departureRowTopics, 'org_settings'],
})

export const mapRoutes = callable({
  name: 'map-routes',
  kind: 'read',
  permission: 'tracking:read',
  summary: 'The drawn routes of a departure, one a day; empty without any.',
  input: z.object({ departureId: Id }),
  output: z.object({ routes: z.array(TourRoute) }),
  topics: ['tour_revisions'],
  rowTopics: ['departures'],
})

/** Marks of incidents on one map. */
export const maxMapIncidents = 200

export const mapIncidents = callable({
  name: 'map-incidents',
  kind: 'read',
  permission: 'monitoring:read',
  summary: 'Open incidents that have a place, the gravest first.',
  input: z.object({}),
  output: z.object({
    incidents: z.array(
      z.object({
        id: Id,
        number: z.string(),
        title: z.string(),
        category: z.enum(incidentCategories),
        /** 1 is the gravest. */
        severity: z.int(),
        lat: z.number(),
        lng: z.number(),
        placeName: z.nullable(z.string()),
      }),
    ),
  }),
  topics: ['incidents', 'places'],
})
export type MapIncident = z.output<typeof mapIncidents.output>['incidents'][number]
