import type { Verb } from '../../platform/verb.ts'
import { deviceVerbs } from './devices-service.ts'
import { dutyVerbs } from './duty-service.ts'

export const trackingVerbs: Verb[] = [...deviceVerbs, ...dutyVerbs]
