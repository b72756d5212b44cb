import * as z from 'zod/mini'
import { callable } from '../callable.ts'
import { Id } from '../fields.ts'
import { TrackedRef } from './tracked-ref.ts'
import { TrackGap, TrackPoint } from './tracks.ts'

/** Points of one way on the map of the day. */
export const maxDrivenPoints = 500

/** What somebody, or a vehicle, has gone since the present duty on a departure began. */
export const DrivenWay = z.object({
  subject: TrackedRef,
  /** By time, simplified. */
  points: z.array(z.pick(TrackPoint, { at: true, lat: true, lng: true })),
  gaps: z.array(TrackGap),
})
export type DrivenWay = z.output<typeof DrivenWay>

export const drivenWays = callable({
  name: 'tracks-driven',
  kind: 'read',
  permission: 'departures:dispatch',
  summary:
    'The driven routes of everyone on duty on a departure under way, since that duty began. Earlier duties are track history.',
  input: z.object({ departureId: Id }),
  output: z.object({ ways: z.array(DrivenWay) }),
  topics: ['departures', 'duty_sessions', 'field_staff', 'vehicles'],
})
