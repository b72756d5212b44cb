import {
  canShow,
  createLink,
  creatableLinkKinds,
  type LinkScopes,
  positionBlurs,
  positionDelays,
} from '@tour-ops/contract/links/links'
import { isSendable } from '@tour-ops/contract/links/link-messages'
import type { ReportOfLink } from '@tour-ops/contract/links/report-of-link'
import { useState } from 'react'
import { localeNames, locales } from '../../ui/locale.ts'
import { publicAddressOf } from '../../app/public-address.ts'
import { useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { reportTitles } from '../../records/report-words.ts'
import { Checkbox, RadioCards } from '../../ui/choice.tsx'
import type { ComboboxOption } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatDistance, formatDuration } from '../../ui/format.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { type Expiry, ExpiryChoice, expiryMoment } from './expiry-choice.tsx'
import { AddressDialog } from './link-dialogs.tsx'
import { linkKindLabels, scopeLook, scopesFor, takesPasscode } from './link-labels.ts'
import {
  BookingField,
  DepartureField,
  SupplierField,
  TourField,
  TravelerField,
  useGivenDeparture,
  useGivenTraveler,
} from './link-subject-fields.tsx'
import { SendLinkDialog } from './send-link-later.ts'
import { isPasscode, PasscodeField } from './passcode-field.tsx'
import { draftOf, type ReportDraft, ReportFields, reportOf } from './report-fields.tsx'

type Kind = (typeof creatableLinkKinds)[number]

const kindHints: Record<Kind, () => string> = {
  departure_guest: m.links_kind_departure_hint,
  booking_guest: m.links_kind_booking_hint,
  traveler: m.links_kind_traveler_hint,
  staff_runsheet: m.links_kind_run_sheet_hint,
  supplier_manifest: m.links_kind_supplier_hint,
  live_map: m.links_kind_map_hint,
  report: m.links_kind_report_hint,
}

const usualScopes: LinkScopes = {
  stops: true,
  crew: true,
  contacts: true,
  map: true,
  position: true,
  manifestNames: false,
  needs: true,
  rooms: true,
  pickups: false,
  details: true,
  offer: true,
  feedback: true,
  messages: true,
  documents: true,
  checkin: false,
  money: false,
}

interface CreateLinkDialogProps {
  /** Chosen already, when another screen sends people here. */
  kind?: Kind | undefined
  /** A traveler where the kind is that of one, else a departure. */
  subjectId?: string | undefined
  supplierId?: string | undefined
  /** Of the screen of a report that is to be shared. */
  report?: ReportOfLink | undefined
  onClose: () => void
}

/** What, for whom, showing what, until when; then the address, this once. */
export function CreateLinkDialog({
  kind: givenKind,
  subjectId,
  supplierId,
  report: givenReport,
  onClose,
}: CreateLinkDialogProps) {
  const maySend = useAccess().can('notifications:send')
  const [kind, setKind] = useState<Kind>(givenKind ?? 'departure_guest')
  const [supplier, setSupplier] = useState(supplierId ?? '')
  const [draft, setDraft] = useState(() => draftOf(givenReport))
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const [label, setLabel] = useState('')
  const [scopes, setScopes] = useState(usualScopes)
  const [delay, setDelay] = useState<(typeof positionDelays)[number]>(60)
  const [blur, setBlur] = useState<(typeof positionBlurs)[number]>(100)
  const [expiry, setExpiry] = useState<Expiry>({ preset: 'tour', date: '' })
  const [language, setLanguage] = useState('')
  const [passcode, setPasscode] = useState('')
  // Of the moment when the dialog was opened: presets count from here.
  const [now] = useState(() => Date.now())
  const isOfTraveler = givenKind === 'traveler'
  const departureId = isOfTraveler ? undefined : subjectId
  const given = useGivenDeparture(departureId)
  const traveler = useGivenTraveler(isOfTraveler ? subjectId : undefined)
  const subject = chosen ?? givenFor(kind, { departure: given, traveler })
  const report = kind === 'report' ? reportOf(draft) : null
  // what is about no record in particular follows no tour, and ends in a while unless somebody says more
  const isForAll = kind === 'live_map' || kind === 'report'
  const usualName = subject?.label ?? nameOfAll(kind, draft)
  const name = label.trim() || usualName
  // there is no money in who travels
  const shown = kind === 'report' && draft.name !== 'tour-performance' ? [] : scopesFor(kind)
  const create = useCall(createLink)
  const [isSending, setSending] = useState(false)
  const ends: Expiry =
    isForAll && expiry.preset === 'tour' ? { ...expiry, preset: kind === 'report' ? 'month' : 'day' } : expiry
  if (create.data && isSending) return <SendLinkDialog id={create.data.id} name={name} onClose={onClose} />
  if (create.data) {
    return (
      <AddressDialog
        title={m.links_made()}
        name={name}
        address={publicAddressOf(create.data.path)}
        onSend={maySend && isSendable(kind) ? () => setSending(true) : undefined}
        onClose={onClose}
      />
    )
  }
  const mayHavePasscode = takesPasscode({ kind, scopes })
  const missing =
    subject === null && !isForAll
      ? m.links_subject_first()
      : kind === 'report' && report === null
        ? m.links_report_dates_first()
        : ends.preset === 'date' && ends.date === ''
          ? m.links_date_first()
          : mayHavePasscode && passcode.trim() !== '' && !isPasscode(passcode)
            ? m.links_passcode_first()
            : undefined
  const send = () => {
    if (!subject && !isForAll) return
    const expiresAt = expiryMoment(ends, now)
    create.mutate({
      kind,
      subjectId: subject?.value ?? null,
      report,
      supplierId: (kind === 'supplier_manifest' && supplier) || null,
      label: name.slice(0, 120),
      scopes: Object.fromEntries(shown.map((scope) => [scope, scopes[scope]])),
      positionDelayS: delay,
      positionBlurM: blur,
      language: language || null,
      passcode: (mayHavePasscode && passcode.trim()) || null,
      ...(expiresAt && { expiresAt }),
    })
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={send}
      title={m.links_new()}
      confirmLabel={m.links_create()}
      pending={create.isPending}
      disabledReason={missing}
      error={create.error ? refusalText(create.error) : undefined}
    >
      <div className="grid gap-4">
        <RadioCards
          label={m.links_kind()}
          columns={2}
          value={kind}
          onChange={(next) => {
            setKind(next)
            setChosen(null)
          }}
          options={creatableLinkKinds.map((value) => ({
            value,
            label: linkKindLabels[value](),
            hint: kindHints[value](),
          }))}
        />
        {kind === 'report' ? (
          <ReportFields value={draft} onChange={setDraft} />
        ) : kind === 'live_map' ? (
          <TourField value={subject} onChange={setChosen} />
        ) : kind === 'traveler' ? (
          <TravelerField value={subject} onChange={setChosen} />
        ) : kind === 'booking_guest' ? (
          <BookingField value={chosen} onChange={setChosen} departureId={departureId} />
        ) : (
          <DepartureField
            value={subject}
            onChange={(option) => {
              setChosen(option)
              setSupplier('')
            }}
          />
        )}
        {kind === 'supplier_manifest' && (
          <SupplierField departureId={subject?.value ?? null} value={supplier} onChange={setSupplier} />
        )}
        <Field label={m.links_label()} hint={m.links_label_hint()}>
          <TextInput
            value={label}
            maxLength={120}
            placeholder={usualName || undefined}
            onChange={(event) => setLabel(event.target.value)}
          />
        </Field>
        <fieldset hidden={shown.length === 0}>
          <legend className="lbl">{m.links_shows()}</legend>
          <div className="grid gap-1 sm:grid-cols-2">
            {shown.map((scope) => (
              <Checkbox
                key={scope}
                label={scopeLook(kind, scope).label()}
                hint={scopeLook(kind, scope).hint()}
                checked={scopes[scope]}
                onChange={(event) => setScopes(withScope(scopes, scope, event.target.checked))}
              />
            ))}
          </div>
        </fieldset>
        {scopes.position && canShow(kind, 'position') && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={m.links_position_delay()}>
              <Select
                value={String(delay)}
                options={positionDelays.map((value) => ({ value: String(value), label: formatDuration(value / 60) }))}
                onChange={(event) =>
                  setDelay(positionDelays.find((value) => String(value) === event.target.value) ?? 60)
                }
              />
            </Field>
            <Field label={m.links_position_blur()}>
              <Select
                value={String(blur)}
                options={positionBlurs.map((value) => ({ value: String(value), label: formatDistance(value) }))}
                onChange={(event) =>
                  setBlur(positionBlurs.find((value) => String(value) === event.target.value) ?? 100)
                }
              />
            </Field>
          </div>
        )}
        <ExpiryChoice value={ends} onChange={setExpiry} now={now} hasTour={!isForAll} hasMonth={kind === 'report'} />
        {mayHavePasscode && <PasscodeField label={m.links_passcode()} value={passcode} onChange={setPasscode} />}
        <Field label={m.links_language()}>
          <Select
            value={language}
            placeholder={m.links_language_guest()}
            options={locales.map((locale) => ({ value: locale, label: localeNames[locale] }))}
            onChange={(event) => setLanguage(event.target.value)}
          />
        </Field>
      </div>
    </ConfirmDialog>
  )
}

interface GivenSubjects {
  departure: ComboboxOption | null
  traveler: ComboboxOption | null
}

/** What another screen has chosen, where a link of this kind can be about it. */
function givenFor(kind: Kind, { departure, traveler }: GivenSubjects): ComboboxOption | null {
  if (kind === 'traveler') return traveler
  return kind === 'booking_guest' || kind === 'live_map' || kind === 'report' ? null : departure
}

/** What a link is called that is about no record in particular. */
function nameOfAll(kind: Kind, { name }: ReportDraft): string {
  if (kind === 'report') return reportTitles[name]()
  return kind === 'live_map' ? m.links_all_tours() : ''
}

/** The tour's position is useless without its stops. */
function withScope(scopes: LinkScopes, scope: keyof LinkScopes, shows: boolean): LinkScopes {
  const next = { ...scopes, [scope]: shows }
  if (scope === 'position' && shows) return { ...next, map: true }
  return scope === 'map' && !shows ? { ...next, position: false } : next
}
