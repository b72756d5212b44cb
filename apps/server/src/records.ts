import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { recordVerbs } from './platform/records/record-verbs.ts'
import type { Verb } from './platform/verb.ts'

/** Plain records of which the server has nothing more to say than their definition does. */
export const recordsVerbs: readonly Verb[] = [recordVerbs(equipmentRecord)].flat()
