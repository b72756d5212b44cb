import type { Verb } from '../../platform/verb.ts'
import { deviceVerbs } from './devices-service.ts'
import { dutyVerbs } from './duty-service.ts'
import { positionAskVerbs } from './position-ask-service.ts'
import { trackedSubjectVerbs } from './tracked-subjects.ts'
import { dayTrackVerbs } from './tracks/day-tracks-service.ts'
import { drivenVerbs } from './tracks/driven-service.ts'
import { trackVerbs } from './tracks/tracks-service.ts'

export const trackingVerbs: Verb[] = [
  ...deviceVerbs,
  ...dutyVerbs,
  ...positionAskVerbs,
  ...trackedSubjectVerbs,
  ...trackVerbs,
  ...dayTrackVerbs,
  ...drivenVerbs,
]
