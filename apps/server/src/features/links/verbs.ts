import type { Verb } from '../../platform/verb.ts'
import { linkMessageVerbs } from './link-messages.ts'
import { linkVerbs } from './links-service.ts'
import { shareVerbs } from './share-service.ts'
import { supplierMessageVerbs } from './supplier-messages.ts'
import { supplierTextVerbs } from './supplier-texts.ts'

export const linksVerbs: Verb[] = [
  ...linkVerbs,
  ...linkMessageVerbs,
  ...supplierMessageVerbs,
  ...supplierTextVerbs,
  ...shareVerbs,
]
