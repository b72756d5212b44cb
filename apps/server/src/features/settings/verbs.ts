import type { Verb } from '../../platform/verb.ts'
import { generalVerbs } from './general-service.ts'
import { phoneChannelVerbs } from './phone-channels-service.ts'
import { rulesVerbs } from './rules-service.ts'
import { securityVerbs } from './security-service.ts'

export const settingsVerbs: Verb[] = [...generalVerbs, ...rulesVerbs, ...phoneChannelVerbs, ...securityVerbs]
