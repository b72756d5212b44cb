import { type SupplierAct, supplierActs } from '@tour-ops/contract/links/supplier-messages'
import { getSupplierTexts, saveSupplierTexts } from '@tour-ops/contract/links/supplier-texts'
import { locales } from '@tour-ops/contract/locales'
import type { RuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { saveOwnTexts } from '../../platform/operations/own-texts.ts'
import { type Verb, verb } from '../../platform/verb.ts'
import { supplierStarter } from './supplier-message-texts.ts'

/** As it is stored with the texts. */
const eventOf = (act: SupplierAct): string => `supplier_${act}`

interface OwnTexts {
  readonly version: number
  readonly texts: readonly RuleText[]
}

/** What suppliers read, as the organization writes it; nothing for kinds of messages of which nobody has written a text. */
export async function selectSupplierTexts({ tx, orgId }: MemberCall): Promise<ReadonlyMap<SupplierAct, OwnTexts>> {
  const { rows } = await sql<OwnTexts & { event: string }>`
    select event, texts, texts_version as version from notification_rules where org_id = ${orgId} and audience = 'suppliers'`.execute(
    tx,
  )
  return new Map(
    supplierActs.flatMap((act) => rows.filter(({ event }) => event === eventOf(act)).map((row) => [act, row] as const)),
  )
}

const get = verb(getSupplierTexts, async (call) => {
  const kept = await selectSupplierTexts(call)
  return {
    acts: supplierActs.map((act) => ({
      act,
      version: kept.get(act)?.version ?? 0,
      own: [...(kept.get(act)?.texts ?? [])],
      starters: locales.map((language) => supplierStarter(act, language)),
    })),
  }
})

const save = verb(saveSupplierTexts, async (call, { act, version, texts }) => ({
  version: await saveOwnTexts(
    call.tx,
    call.orgId,
    { event: eventOf(act), audience: 'suppliers', isOn: true, offset: 0 },
    { version, texts },
  ),
}))

export const supplierTextVerbs: Verb[] = [get, save]
