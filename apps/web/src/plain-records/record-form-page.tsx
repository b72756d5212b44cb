import { useNavigate, useParams } from '@tanstack/react-router'
import type { Callable, In } from '@tour-ops/contract/callable'
import { isChoice, isReference, isReferences } from '@tour-ops/contract/record'
import type { NumberField, RecordField, ReferenceField, ReferencesField } from '@tour-ops/contract/record-fields'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type * as z from 'zod/mini'
import { callQuery, useCall } from '../backend/queries.ts'
import { m } from '../paraglide/messages.js'
import { ComboboxFor, DateFor, NumberFor, SelectFor, SeveralFor, TextAreaFor, TextFor } from '../ui/form/field-for.tsx'
import { FormPage, FormSection, LeaveDialog } from '../ui/form/form.tsx'
import { useAppForm, type AppForm } from '../ui/form/use-app-form.ts'
import { toast } from '../ui/toast.tsx'
import { useLookup } from '../app/lookup-query.ts'
import { useScreenQuery } from '../app/screen-query.ts'
import { useUnsavedChanges } from '../app/unsaved-changes.ts'
import { labelOf, titleOf, wordOf, type RecordScreen, type RecordValues } from './record-screen.ts'

type Values = FieldValues
type Form = AppForm<Values, Values>

/** Choices of a field that searches another list. */
const choicesAtOnce = 20

/** Adds a plain record. */
export const RecordCreatePage = ({ screen }: { screen: RecordScreen }) => <RecordForm screen={screen} row={null} />

/** Changes the plain record that the address names. */
export function RecordEditPage({ screen }: { screen: RecordScreen }) {
  const { id = '' } = useParams({ strict: false })
  const { data } = useScreenQuery(callQuery(screen.record.get, { id }))
  return data && <RecordForm key={id} screen={screen} row={data as RecordValues} />
}

/** What an untouched field holds: what a write takes where it is left out, else nothing. */
function emptyValueOf({ kind, input }: RecordField): unknown {
  const left = input.safeParse(undefined)
  if (left.success) return left.data
  return kind === 'number' ? null : ''
}

const valuesOf = ({ record }: RecordScreen, row: RecordValues | null): Values =>
  Object.fromEntries(
    Object.entries(record.fields).map(([name, field]) => [name, row ? row[name] : emptyValueOf(field)]),
  )

function RecordForm({ screen, row: latest }: { screen: RecordScreen; row: RecordValues | null }) {
  const { record, path } = screen
  // What the person saw when they began: a save may not overwrite what came later.
  const [row] = useState(latest)
  const navigate = useNavigate()
  const [isDirty, setDirty] = useState(false)
  const leaving = useUnsavedChanges(isDirty)
  const schema = record.form as z.ZodMiniType<Values, Values>
  const form = useAppForm({ schema, defaultValues: valuesOf(screen, row), onDirtyChange: setDirty })
  const create = useCall(record.create)
  const update = useCall(record.update)
  const back = () => void navigate({ to: row && screen.open ? screen.open(row.id) : path })
  return (
    <>
      <FormPage
        form={form}
        title={row ? titleOf(screen, row) : screen.add()}
        onSubmit={(fields) =>
          row ? update.mutateAsync({ ...fields, id: row.id, version: row.version }) : create.mutateAsync(fields)
        }
        onSaved={() => {
          toast(m.plain_records_saved({ name: String(form.getValues(record.title)) }))
          back()
        }}
        onCancel={back}
      >
        <FormSection title={row ? screen.edit() : screen.title()}>
          {Object.entries(record.fields).map(([name, field]) => (
            <FieldOf key={name} {...{ screen, form, name, field, row }} />
          ))}
        </FormSection>
      </FormPage>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

interface FieldOfProps {
  screen: RecordScreen
  form: Form
  name: string
  field: RecordField
  row: RecordValues | null
}

/** The control for a kind of field. */
function FieldOf({ screen, form, name, field, row }: FieldOfProps) {
  const common = { form, name, label: labelOf(screen, name), required: field.isRequired, nullable: !field.isRequired }
  const known = [row?.labels[name] ?? []].flat()
  if (isReference(field)) return <ReferenceFor {...common} field={field} known={known[0] ?? null} />
  if (isReferences(field)) return <ReferencesFor {...common} field={field} known={known} />
  if (isChoice(field)) {
    const options = field.options.map((value) => ({ value, label: wordOf(screen, name, value) }))
    return <SelectFor {...common} options={options} placeholder={m.plain_records_choose()} />
  }
  switch (field.kind) {
    case 'number': {
      const { min, max } = field as NumberField
      return <NumberFor {...common} min={min} max={max} />
    }
    case 'date':
      return <DateFor {...common} />
    case 'text':
      return <TextAreaFor {...common} className="col-span-full" />
    default:
      return <TextFor {...common} />
  }
}

interface ReferenceForProps {
  form: Form
  name: string
  label: string
  field: ReferenceField
  /** What the record that is chosen already is called. */
  known: string | null
}

/** Records of another list, found by typing. */
function useRecordSearch(field: ReferenceField | ReferencesField) {
  const [words, setWords] = useState('')
  const query = { q: words, size: choicesAtOnce } as In<Callable>
  const { data, isLooking } = useLookup(callQuery(field.list, query))
  const { rows } = (data ?? { rows: [] }) as { rows: Readonly<Record<string, string>>[] }
  const options = rows.map((row) => ({ value: row['id'] ?? '', label: row[field.label] ?? '' }))
  return { options, onSearch: setWords, loading: isLooking, placeholder: m.plain_records_none() }
}

/** A record of another list, found by typing. */
function ReferenceFor({ form, name, label, field, known }: ReferenceForProps) {
  const search = useRecordSearch(field)
  const [value] = useState((): unknown => form.getValues(name))
  return (
    <ComboboxFor
      form={form}
      name={name}
      label={label}
      selected={typeof value === 'string' && known !== null ? { value, label: known } : null}
      {...search}
    />
  )
}

type ReferencesForProps = Omit<ReferenceForProps, 'field' | 'known'> & {
  field: ReferencesField
  /** What those are called that are chosen already, in their order. */
  known: readonly string[]
}

/** Several records of another list. */
function ReferencesFor({ form, name, label, field, known }: ReferencesForProps) {
  const search = useRecordSearch(field)
  const [values] = useState((): unknown => form.getValues(name))
  const selected = Array.isArray(values)
    ? values.map((value: string, at) => ({ value, label: known[at] ?? value }))
    : []
  return <SeveralFor form={form} name={name} label={label} selected={selected} {...search} />
}
