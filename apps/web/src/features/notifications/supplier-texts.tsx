import { useQuery } from '@tanstack/react-query'
import type { Out } from '@tour-ops/contract/callable'
import type { SupplierAct } from '@tour-ops/contract/links/supplier-messages'
import {
  getSupplierTexts,
  saveSupplierTexts,
  type SupplierVariable,
  supplierTextsOf,
  supplierVariablesOf,
} from '@tour-ops/contract/links/supplier-texts'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { useAccess } from '../../identity/access.ts'
import { Card } from '../../ui/card.tsx'
import { formatList } from '../../ui/format.ts'
import { currentLocale, localeNames } from '../../ui/locale.ts'
import { toast } from '../../ui/toast.tsx'
import { draftOf } from './guest-draft.ts'
import { OwnTextDialog } from './own-text-dialog.tsx'

type TextsOfAct = Out<typeof getSupplierTexts>['acts'][number]

const actLabels: Readonly<Record<SupplierAct, () => string>> = {
  request: m.notifications_suppliers_request,
  confirm: m.notifications_suppliers_confirm,
  update: m.notifications_suppliers_update,
  cancel: m.notifications_suppliers_cancel,
}

const variableLabels: Readonly<Record<SupplierVariable, () => string>> = {
  name: m.notifications_write_var_name,
  tour: m.notifications_write_var_tour,
  code: m.notifications_write_var_code,
  start: m.notifications_write_var_start,
  services: m.notifications_write_var_services,
  guests: m.notifications_write_var_seats,
  diets: m.notifications_write_var_diets,
  note: m.notifications_write_var_note,
  company: m.notifications_write_var_company,
  phone: m.notifications_write_var_phone,
  link: m.notifications_write_var_supplier_link,
}

/** "What do suppliers read?" The texts of their four messages; each is written in the place of the one that comes with the product. */
export function SupplierTexts() {
  const mayChange = useAccess().can('notifications:manage')
  const { data } = useQuery(callQuery(getSupplierTexts, {}))
  // what is typed belongs to the version that was read when it was begun
  const [chosen, setChosen] = useState<TextsOfAct | null>(null)
  if (!data) return null
  return (
    <Card title={m.notifications_suppliers()} className="self-start">
      <ul>
        {data.acts.map((texts) => (
          <li key={texts.act} className="border-t border-line">
            <button
              type="button"
              className="min-h-14 w-full px-4 py-2 text-start"
              disabled={!mayChange}
              onClick={() => setChosen(texts)}
            >
              <b className="block font-medium text-ink-strong">{actLabels[texts.act]()}</b>
              <span className="block text-ink-2">{stateOf(texts)}</span>
            </button>
          </li>
        ))}
      </ul>
      {chosen && <SupplierTextDialog known={chosen} onClose={() => setChosen(null)} />}
    </Card>
  )
}

const stateOf = ({ own }: TextsOfAct): string =>
  own.length === 0
    ? m.notifications_template_shipped()
    : m.notifications_rules_own_badge({ languages: formatList(own.map(({ language }) => localeNames[language])) })

function SupplierTextDialog({ known, onClose }: { known: TextsOfAct; onClose: () => void }) {
  const { act, version, own, starters } = known
  const save = useCall(saveSupplierTexts, {
    onSuccess: () => {
      toast(m.notifications_rules_own_saved())
      onClose()
    },
  })
  return (
    <OwnTextDialog
      title={actLabels[act]()}
      language={currentLocale()}
      own={draftOf(own)}
      starters={draftOf(starters)}
      check={supplierTextsOf(act)}
      variables={supplierVariablesOf(act).map((name) => ({ name, label: variableLabels[name]() }))}
      noText={m.notifications_suppliers_none()}
      noLink={act === 'cancel' ? undefined : m.notifications_suppliers_no_link()}
      pending={save.isPending}
      error={save.error}
      onSave={(texts) => save.mutate({ act, version, texts })}
      onClose={onClose}
    />
  )
}
