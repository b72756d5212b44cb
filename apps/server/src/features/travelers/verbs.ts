import type { Verb } from '../../platform/verb.ts'
import { sensitiveVerbs } from './sensitive-service.ts'
import { profileVerbs } from './travelers-service.ts'

export const travelersVerbs: Verb[] = [...profileVerbs, ...sensitiveVerbs]
