import { useQuery } from '@tanstack/react-query'
import { Email } from '@tour-ops/contract/fields'
import { isLocale } from '@tour-ops/contract/locales'
import {
  type listSupplierMessages,
  maxSupplierNote,
  previewSupplierMessage,
  type SupplierAct,
  type SupplierOnDeparture,
  writeToSupplier,
} from '@tour-ops/contract/links/supplier-messages'
import type { Out } from '@tour-ops/contract/callable'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { withShownLink } from '../../records/shown-link.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { localeNames, locales } from '../../ui/locale.ts'
import { useDebounced } from '../../ui/settled-value.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDepartureWrite } from './use-departure-write.ts'

/** Of the buttons, and of the dialogs that they open. */
export const actLabels: Readonly<Record<SupplierAct, () => string>> = {
  request: m.departures_supplier_request,
  confirm: m.departures_supplier_confirm,
  update: m.departures_supplier_update,
  cancel: m.departures_supplier_cancel,
}

interface SupplierMessageDialogProps {
  departureId: string
  supplier: SupplierOnDeparture
  act: SupplierAct
  delivery: Out<typeof listSupplierMessages>['delivery']
  onClose: () => void
}

/** What a supplier reads, with own words; its address is kept where it has none, or another one. */
export function SupplierMessageDialog({ departureId, supplier, act, delivery, onClose }: SupplierMessageDialogProps) {
  const [email, setEmail] = useState(supplier.email ?? '')
  const [language, setLanguage] = useState(supplier.language)
  const [note, setNote] = useState('')
  const shownNote = useDebounced(note.trim())
  const meant = { departureId, supplierId: supplier.id, act }
  const { data, error, refetch } = useQuery({
    ...callQuery(previewSupplierMessage, { ...meant, note: shownNote, language }),
    placeholderData: (before) => before,
  })
  const write = useDepartureWrite(writeToSupplier, ({ to }) => {
    toast(m.departures_supplier_sent({ to }))
    onClose()
  })
  const wanted = email.trim()
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() =>
        write.mutate({
          ...meant,
          note: note.trim() || null,
          toldAt: supplier.told?.at ?? null,
          email: wanted,
          language,
        })
      }
      title={m.departures_supplier_title({ act: actLabels[act](), name: supplier.name })}
      confirmLabel={m.departures_supplier_send()}
      pending={write.isPending}
      disabledReason={
        data === undefined
          ? m.ui_loading()
          : Email.safeParse(wanted).success
            ? undefined
            : m.departures_supplier_email_first()
      }
      error={write.error ? refusalText(write.error) : undefined}
    >
      <div className="grid gap-4">
        <Field label={m.departures_supplier_email()} hint={m.departures_supplier_email_hint()} required>
          <TextInput type="email" dir="ltr" value={email} onChange={(event) => setEmail(event.target.value)} />
        </Field>
        <Field label={m.departures_supplier_language()} hint={m.departures_supplier_language_hint()}>
          <Select
            value={language}
            options={locales.map((value) => ({ value, label: localeNames[value] }))}
            onChange={({ target: { value } }) => isLocale(value) && setLanguage(value)}
          />
        </Field>
        <Field label={m.departures_supplier_note()} hint={m.departures_optional()}>
          <TextArea
            rows={3}
            maxLength={maxSupplierNote}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        {error && !data && <ErrorPanel message={refusalText(error)} onRetry={() => void refetch()} />}
        {!data && !error && <SkeletonRows rows={6} />}
        {data && (
          <section aria-label={m.departures_supplier_reads()} className="rounded-lg border border-line px-3 py-2">
            <h3 className="pb-1 font-semibold">{m.departures_supplier_reads()}</h3>
            <div lang={data.language} className="leading-6 text-ink-strong">
              <p className="pb-2 font-semibold break-words">{data.subject}</p>
              <p className="break-words whitespace-pre-line">{withShownLink(data.body)}</p>
            </div>
          </section>
        )}
        {delivery === 'outbox' && <Banner tone="info">{m.departures_supplier_no_mail_server()}</Banner>}
      </div>
    </ConfirmDialog>
  )
}
