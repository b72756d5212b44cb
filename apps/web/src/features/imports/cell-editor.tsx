import { useQuery } from '@tanstack/react-query'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { type ImportCell, maxCorrectedCell, wordProblems } from '@tour-ops/contract/imports/import-corrections'
import type { ImportProblem, ImportProblemCode } from '@tour-ops/contract/imports/import-problems'
import { readImportCell } from '@tour-ops/contract/imports/imports'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { PencilLine } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { countryOptions } from '../../records/countries.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { cellKey, type CorrectionsEditor, type PendingCorrection } from './use-corrections.ts'
import {
  channelOptions,
  dietOptions,
  genderOptions,
  languageOptions,
  roomOptions,
  statusOptions,
  unitOptions,
} from './value-labels.ts'

interface Props {
  batch: ImportBatch
  line: number
  problem: ImportProblem
  corrections: CorrectionsEditor
}

/** A cell with a problem, corrected in place. Nothing for problems of a whole line, and for cells that the person may not see. */
export function CorrectableCell({ batch, line, problem, corrections }: Props) {
  const column = batch.columns.find(({ header }) => header === problem.column)
  if (!column || column.hidden) return null
  const cell = { line, column: column.header }
  const key = cellKey(cell)
  const pending = corrections.pendingFor(cell, problem)
  if (corrections.open === key) {
    return (
      <div data-cell={key}>
        <CellEditor key={key} batch={batch} cell={cell} problem={problem} corrections={corrections} />
      </div>
    )
  }
  return (
    <span
      data-cell={key}
      data-wrong={pending ? undefined : ''}
      className={classNames('inline-flex flex-wrap items-center gap-x-2', pending ? 'w-full' : 'ms-2')}
    >
      {pending && (
        <>
          <span className="text-info">
            <bdi>{m.imports_correct_pending({ value: pending.label })}</bdi>
          </span>
          <Button size="sm" variant="ghost" onClick={() => corrections.drop(pending)}>
            {m.ui_undo()}
          </Button>
        </>
      )}
      <Button
        id={buttonId(key)}
        size="sm"
        variant="ghost"
        icon={PencilLine}
        aria-label={m.imports_correct_cell({ column: cell.column, line: formatNumber(line) })}
        onClick={() => corrections.setOpen(key)}
      >
        {m.imports_correct()}
      </Button>
    </span>
  )
}

const buttonId = (key: string): string => `correct ${key}`.replaceAll(/\s/g, '-')

interface EditorProps {
  batch: ImportBatch
  cell: ImportCell
  problem: ImportProblem
  corrections: CorrectionsEditor
}

/** Asks what the file holds, and whom else it is about, before it opens. */
function CellEditor(props: EditorProps) {
  const { batch, cell, corrections } = props
  const { data, error } = useQuery({
    ...callQuery(readImportCell, { id: batch.id, ...cell }),
    staleTime: 0,
    gcTime: 0,
  })
  const mine = corrections.pending.find((each) => cellKey(each) === cellKey(cell))
  if (error) return <p className="font-medium text-bad">{entryProblem(error, 'line') ?? refusalText(error)}</p>
  if (!data) return <SkeletonRows rows={1} />
  return <EditorForm {...props} text={data.text} equal={data.equal} mine={mine} />
}

interface FormProps extends EditorProps {
  text: string
  equal: number
  mine: PendingCorrection | undefined
}

const isWordProblem = (code: ImportProblemCode): boolean => (wordProblems as readonly string[]).includes(code)

function EditorForm({ batch, cell, problem, corrections, text, equal, mine }: FormProps) {
  const isWord = isWordProblem(problem.code)
  const options = useMeanings(problem.code)
  const list = isWord ? undefined : fixedListOf(batch, cell)
  const [value, setValue] = useState(mine?.value ?? (isWord ? '' : text))
  const [everywhere, setEverywhere] = useState(mine?.everywhere ?? (isWord && equal > 1))
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const control = form.current?.querySelector<HTMLElement>('input, select')
    control?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'nearest' })
    if (control instanceof HTMLInputElement) control.select()
  }, [])
  const leave = () => {
    corrections.setOpen(null)
    const key = cellKey(cell)
    // the button is there again once the editor is gone
    requestAnimationFrame(() => document.getElementById(buttonId(key))?.focus())
  }
  const isEmptyChoice = isWord && value === ''
  const apply = () => {
    if (isEmptyChoice) return
    const label = (options ?? list)?.find((option) => option.value === value)?.label ?? value
    corrections.apply({
      ...cell,
      value: value.trim(),
      everywhere: everywhere && equal > 1,
      text,
      label: label === '' ? m.imports_empty() : label,
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      leave()
    } else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault()
      apply()
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the fields inside bubble up here; the form itself is no control
    <form
      ref={form}
      className="mt-2 grid max-w-md scroll-my-32 gap-2 rounded-lg border border-line bg-surface-2 p-3"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <Field
        label={<bdi>{m.imports_correct_label({ column: cell.column, line: formatNumber(cell.line) })}</bdi>}
        hint={
          <>
            <bdi className="break-words">
              {m.imports_correct_holds({ text: text === '' ? m.imports_empty() : text })}
            </bdi>
            {'. '}
            {m.imports_correct_keys()}
          </>
        }
      >
        {options ? (
          <Select
            placeholder={m.imports_word_choose()}
            options={options}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        ) : (
          <TextInput maxLength={maxCorrectedCell} value={value} onChange={(event) => setValue(event.target.value)} />
        )}
      </Field>
      {list && (
        <Field label={m.imports_correct_list()}>
          <Select
            placeholder={m.imports_word_choose()}
            options={list}
            value={list.some((option) => option.value === value) ? value : ''}
            onChange={(event) => setValue(event.target.value)}
          />
        </Field>
      )}
      {equal > 1 && (
        <Checkbox
          label={<bdi>{m.imports_correct_all({ count: equal, text })}</bdi>}
          checked={everywhere}
          onChange={(event) => setEverywhere(event.target.checked)}
        />
      )}
      <div className="flex gap-2">
        <Button type="submit" size="sm">
          {m.imports_correct_apply()}
        </Button>
        <Button size="sm" variant="ghost" onClick={leave}>
          {m.ui_cancel()}
        </Button>
      </div>
    </form>
  )
}

/** Columns whose words are those of a list, though anything may be typed: a seller, and a diet as it was written. */
function fixedListOf(batch: ImportBatch, cell: ImportCell): { value: string; label: string }[] | undefined {
  switch (batch.columns.find(({ header }) => header === cell.column)?.field) {
    case 'channel':
      return channelOptions()
    case 'dietary':
      return dietOptions()
    default:
      return undefined
  }
}

/** What a word that a column does not know can mean; undefined where anything may be typed. */
function useMeanings(code: ImportProblemCode): { value: string; label: string }[] | undefined {
  const { data } = useQuery({ ...callQuery(tourOptionsForPickers, {}), enabled: code === 'tour_unknown' })
  switch (code) {
    case 'unit_unknown':
      return unitOptions()
    case 'status_unknown':
    case 'status_open':
      return statusOptions()
    case 'gender_unknown':
      return genderOptions()
    case 'room_type_unknown':
      return roomOptions()
    case 'nationality_unknown':
      return countryOptions()
    case 'language_unknown':
      return languageOptions()
    case 'tour_unknown':
      return (data?.tours ?? []).map(({ code: value, name }) => ({ value, label: `${name} (${value})` }))
    default:
      return undefined
  }
}
