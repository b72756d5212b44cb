import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Count, Id, optionalText, text, whole, write } from '../fields.ts'
import { incidentCategories } from './incidents.ts'
import { isTold, written } from './roll-calls.ts'

// Apart from the other roll calls: every screen that shows incidents loads those.

/** Departures that are asked with one press; each gets an incident. */
export const maxAskedDepartures = 50

const departureIds = z.array(Id).check(z.minLength(1), z.maxLength(maxAskedDepartures))

export const countRollCall = callable({
  name: 'roll-calls-count',
  kind: 'read',
  permission: 'incidents:manage',
  summary: 'Whom a roll call of departures would ask.',
  input: z.object({ departureIds }),
  output: z.object({
    guests: Count,
    /** Guests who can answer on the page of their booking. */
    withLink: Count,
    crew: Count,
    /** With anybody on them. */
    departures: Count,
    /** Of these departures, those with an open incident whose roll call asks already. */
    asked: Count,
  }),
  topics: ['assignments', 'incidents', 'manifest_entries', 'roll_calls', 'shared_links'],
  rowTopics: ['departures'],
})

export const askDepartures = callable({
  name: 'roll-calls-ask-departures',
  kind: 'write',
  permission: 'incidents:manage',
  summary:
    'Opens an incident with the same title for each departure that has anybody on it, and asks them all whether they are safe: all of it or nothing.',
  input: write({
    departureIds,
    category: z.enum(incidentCategories),
    severity: whole(1, 4),
    title: text(160, 'title_missing'),
    /** What guests read. */
    question: optionalText(300),
    isTold,
  }),
  output: z.object({
    /** Who is asked, crew included. */
    people: Count,
    written,
    incidents: z.array(z.object({ id: Id, number: z.string(), code: z.string(), tourName: z.string() })),
  }),
  writes: ['deliveries', 'incident_entries', 'incidents', 'messages', 'roll_call_responses', 'roll_calls'],
})
