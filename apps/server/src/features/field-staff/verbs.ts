import type { Verb } from '../../platform/verb.ts'
import { assignmentVerbs } from './assignments-service.ts'
import { rosterVerbs } from './field-staff-service.ts'
import { plannerVerbs } from './planner-service.ts'

export const fieldStaffVerbs: Verb[] = [...rosterVerbs, ...assignmentVerbs, ...plannerVerbs]
