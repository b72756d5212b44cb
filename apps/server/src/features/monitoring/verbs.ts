import type { Verb } from '../../platform/verb.ts'
import { alertMuteVerbs } from './alert-mutes.ts'
import { alertVerbs } from './alerts-service.ts'
import { boardVerbs } from './board-service.ts'
import { incidentVerbs } from './incidents-service.ts'
import { incidentFileVerbs } from './incident-files-service.ts'
import { incidentMergeVerbs } from './incident-merge-service.ts'
import { incidentPeopleVerbs } from './incident-people-service.ts'
import { incidentTaskVerbs } from './incident-tasks-service.ts'
import { monitoringListVerbs } from './monitoring-list-service.ts'
import { shiftNoteVerbs } from './shift-notes-service.ts'
import { toldSoFarVerbs } from './told-so-far-service.ts'
import { weatherSourceVerbs } from './weather-source-service.ts'
import { weatherWarningVerbs } from './weather-warnings-service.ts'
import { rollCallOfDeparturesVerbs } from './roll-call-of-departures-service.ts'
import { rollCallVerbs } from './roll-calls-service.ts'

export const monitoringVerbs: Verb[] = [
  ...boardVerbs,
  ...alertVerbs,
  ...alertMuteVerbs,
  ...incidentVerbs,
  ...incidentFileVerbs,
  ...incidentMergeVerbs,
  ...incidentPeopleVerbs,
  ...incidentTaskVerbs,
  ...rollCallVerbs,
  ...rollCallOfDeparturesVerbs,
  ...toldSoFarVerbs,
  ...shiftNoteVerbs,
  ...monitoringListVerbs,
  ...weatherWarningVerbs,
  ...weatherSourceVerbs,
]
