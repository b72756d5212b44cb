import { useQuery } from '@tanstack/react-query'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { importTemplates } from '@tour-ops/contract/imports/imports'
import { Wand } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatCountry, formatDayTimeThere, formatNumber } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { countryOptions } from '../../records/countries.ts'
import { amountReasonText, uploadErrorText } from './import-labels.ts'
import { PlaceForm } from './place-form.tsx'
import { ReadingForm } from './reading-form.tsx'
import { SampleCard } from './sample-card.tsx'
import type { MappingEditor } from './use-mapping.ts'
import type { ReadingEditor } from './use-reading.ts'
import { notLeftStatuses } from '@tour-ops/contract/state-machines'

interface Props {
  batch: ImportBatch
  editor: MappingEditor
  reader: ReadingEditor
}

/** Next to the columns: how the file is read, its first line, and what counts as the same row. */
export const ReadingCards = ({ batch, editor, reader }: Props) => (
  <>
    <HowCard batch={batch} editor={editor} reader={reader} />
    <SampleCard batch={batch} />
    <Card title={m.imports_same_title()} padded>
      <ol className="grid gap-1.5">
        {[m.imports_same_external(), m.imports_same_booking(), m.imports_same_person()].map((sentence, place) => (
          <li key={sentence} className="flex gap-3">
            <span className="num w-2 text-ink-2" aria-hidden>
              {formatNumber(place + 1)}
            </span>
            {sentence}
          </li>
        ))}
      </ol>
      <p className="mt-3 text-ink-2">{m.imports_same_twice()}</p>
    </Card>
  </>
)

function HowCard({ batch, editor, reader }: Props) {
  const { mapping } = editor
  const diet = batch.columns.find((column) => mapping.columns[column.header] === 'dietary')
  return (
    <Card title={m.imports_how_title()} padded>
      <div className="grid gap-3">
        {reader.error && (
          <p role="alert" className="font-medium text-bad">
            {uploadErrorText(reader.error)}
          </p>
        )}
        {batch.corrections > 0 && (
          <p className="font-medium text-warn">{m.imports_corrections_dropped({ count: batch.corrections })}</p>
        )}
        <ReadingForm batch={batch} reader={reader} isBusy={editor.isSaving || reader.isReading} />
        <PlaceForm batch={batch} reader={reader} isBusy={editor.isSaving || reader.isReading} />
        <TemplateChoice batch={batch} editor={editor} />
        {batch.needsDeparture && <DepartureChoice editor={editor} />}
        {diet && (
          <Field label={m.imports_after_comma({ column: diet.header })}>
            <Select
              value={mapping.afterComma}
              options={[
                { value: 'need', label: m.imports_after_comma_need() },
                { value: 'note', label: m.imports_after_comma_note() },
              ]}
              onChange={(event) => editor.change({ afterComma: event.target.value === 'note' ? 'note' : 'need' })}
            />
          </Field>
        )}
        <AmountChoices batch={batch} editor={editor} />
        <PhoneCountryChoice batch={batch} editor={editor} />
        <RepeatedLinesChoice editor={editor} />
        <Field label={m.imports_empty_cells()}>
          <Select
            value={mapping.emptyCells}
            options={[
              { value: 'keep', label: m.imports_empty_cells_keep() },
              { value: 'clear', label: m.imports_empty_cells_clear() },
            ]}
            onChange={(event) => editor.change({ emptyCells: event.target.value === 'clear' ? 'clear' : 'keep' })}
          />
        </Field>
        <SaveTemplate editor={editor} />
      </div>
    </Card>
  )
}

const moneyFields: readonly string[] = ['total', 'paid', 'balance']

const amountLabels = [
  { value: 'booking', label: m.imports_amounts_of_booking },
  { value: 'guest', label: m.imports_amounts_of_guest },
] as const

/** For files with amounts: what they are amounts of, and what happens to those in another currency. */
function AmountChoices({ batch, editor }: Omit<Props, 'reader'>) {
  const { mapping } = editor
  if (!Object.values(mapping.columns).some((field) => moneyFields.includes(field))) return null
  const { amounts } = batch
  const of = mapping.amountsOf ?? (amounts ? amounts.of : 'booking')
  return (
    <>
      <Field label={m.imports_amounts_of()} hint={amounts ? amountReasonText(amounts) : undefined}>
        <Select
          value={of ?? ''}
          {...(of === null && { placeholder: m.imports_word_choose() })}
          options={amountLabels.map(({ value, label }) => ({
            value,
            label: mapping.amountsOf === null && of === value ? m.imports_detected({ value: label() }) : label(),
          }))}
          onChange={(event) => editor.change({ amountsOf: event.target.value === 'guest' ? 'guest' : 'booking' })}
        />
      </Field>
      {!Object.values(mapping.columns).includes('currency') && (
        <Field label={m.imports_file_currency()} hint={m.imports_file_currency_hint()}>
          <Select
            value={mapping.currency ?? ''}
            options={[
              { value: '', label: m.imports_file_currency_departure() },
              ...Intl.supportedValuesOf('currency').map((value) => ({ value, label: value })),
            ]}
            onChange={(event) => editor.change({ currency: event.target.value || null })}
          />
        </Field>
      )}
      <Field label={m.imports_other_currency()}>
        <Select
          value={mapping.otherCurrency}
          options={[
            { value: 'refuse', label: m.imports_other_currency_refuse() },
            { value: 'accept', label: m.imports_other_currency_accept() },
          ]}
          onChange={(event) => editor.change({ otherCurrency: event.target.value === 'accept' ? 'accept' : 'refuse' })}
        />
      </Field>
    </>
  )
}

/** For files with phone numbers: which country those without one are of. */
function PhoneCountryChoice({ batch, editor }: Omit<Props, 'reader'>) {
  const { mapping } = editor
  const fields = Object.values(mapping.columns)
  if (!fields.includes('phone') && !fields.includes('emergency_phone')) return null
  const { homeCountry } = batch
  const isHome = homeCountry !== null && mapping.phoneCountry === homeCountry
  return (
    <Field
      label={m.imports_phone_country()}
      hint={
        isHome ? m.imports_phone_country_home({ country: formatCountry(homeCountry) }) : m.imports_phone_country_hint()
      }
    >
      <Select
        value={mapping.phoneCountry ?? ''}
        options={[{ value: '', label: m.imports_phone_country_none() }, ...countryOptions()]}
        onChange={(event) => editor.change({ phoneCountry: event.target.value || null })}
      />
    </Field>
  )
}

/** For files with references that do not say which line of a booking is the newest. */
function RepeatedLinesChoice({ editor }: Pick<Props, 'editor'>) {
  const { mapping } = editor
  const fields = new Set(Object.values(mapping.columns))
  if (fields.has('changed_at') || !(fields.has('booking_ref') || fields.has('external_ref'))) return null
  return (
    <Field label={m.imports_repeated_lines()}>
      <Select
        value={mapping.repeatedLines}
        options={[
          { value: 'refuse', label: m.imports_repeated_lines_refuse() },
          { value: 'last', label: m.imports_repeated_lines_last() },
        ]}
        onChange={(event) => editor.change({ repeatedLines: event.target.value === 'last' ? 'last' : 'refuse' })}
      />
    </Field>
  )
}

const presetLabels = { tourplan: m.imports_preset_tourplan, trovatrip: m.imports_preset_trovatrip }

function TemplateChoice({ batch, editor }: Omit<Props, 'reader'>) {
  const { data } = useQuery(callQuery(importTemplates, {}))
  const templates = data?.templates ?? []
  const suggested = batch.preset ? presetLabels[batch.preset]() : m.imports_template_suggested()
  const chosen = templates.find((template) => template.name === batch.template)
  return (
    <Field label={m.imports_template()}>
      <Select
        value={chosen?.id ?? ''}
        options={[
          { value: '', label: suggested },
          ...templates.map(({ id, name, savedByName }) => ({
            value: id,
            label: savedByName === null ? name : m.imports_template_by({ name, person: savedByName }),
          })),
        ]}
        onChange={(event) => {
          const template = templates.find((each) => each.id === event.target.value)
          if (template) editor.take({ ...template.mapping, departureCode: editor.mapping.departureCode }, template.name)
          else editor.take(editor.mapping, null)
        }}
      />
    </Field>
  )
}

/** For files that name no departure: every row is for this one. */
function DepartureChoice({ editor }: { editor: MappingEditor }) {
  const [query, setQuery] = useState('')
  const { data, isFetching } = useQuery(
    callQuery(listDepartures, { q: query, size: 20, filters: { status: [...notLeftStatuses] } }),
  )
  const options: ComboboxOption[] = (data?.rows ?? []).map((departure) => ({
    value: departure.code,
    label: departure.code,
    detail: `${departure.tourName} · ${formatDayTimeThere(departure.startsAt, departure.timeZone)}`,
  }))
  const { departureCode } = editor.mapping
  return (
    <Field label={m.imports_departure_all()}>
      <Combobox
        options={options}
        value={departureCode === null ? null : { value: departureCode, label: departureCode }}
        onSearch={setQuery}
        loading={isFetching}
        placeholder={m.imports_departure_search()}
        onChange={(option) => editor.change({ departureCode: option?.value ?? null })}
      />
    </Field>
  )
}

function SaveTemplate({ editor }: { editor: MappingEditor }) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const save = () => {
    editor.saveAs(name.trim())
    setOpen(false)
    setName('')
    toast(m.imports_template_saved({ name: name.trim() }))
  }
  return (
    <div>
      <Button variant="ghost" icon={Wand} onClick={() => setOpen(true)}>
        {m.imports_save_template()}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={m.imports_save_template()}
        actions={
          <Button variant="primary" disabled={name.trim() === ''} onClick={save}>
            {m.imports_template_save()}
          </Button>
        }
      >
        <Field label={m.imports_template_name()}>
          <TextInput value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />
        </Field>
      </Dialog>
    </div>
  )
}
