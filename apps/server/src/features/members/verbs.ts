import type { Verb } from '../../platform/verb.ts'
import { explainVerbs } from './explain-service.ts'
import { invitationVerbs } from './invitations-service.ts'
import { memberVerbs } from './members-service.ts'
import { sessionVerbs } from './session-service.ts'

export const membersVerbs: Verb[] = [...memberVerbs, ...invitationVerbs, ...explainVerbs, ...sessionVerbs]
