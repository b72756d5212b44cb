import type { ImportBatch, ImportColumn } from '@tour-ops/contract/imports/import-batch'
import { importFields, type ImportField } from '@tour-ops/contract/imports/import-mapping'
import { useQuery } from '@tanstack/react-query'
import { listPlaces } from '@tour-ops/contract/places/places'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { ArrowRight, Check, Minus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ChoiceChip } from '../../ui/chip.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Select } from '../../ui/field.tsx'
import { formatLocalDate, formatLocalDayMonth, formatNumber } from '../../ui/format.ts'
import { fieldLabel } from './import-labels.ts'
import type { MappingEditor } from './use-mapping.ts'
import { channelOptions, dietOptions, statusOptions, unitOptions, valueLabel } from './value-labels.ts'

interface Props {
  batch: ImportBatch
  editor: MappingEditor
}

/** One grid for head and rows from 960 px; below it a row is a separate card. */
const grid =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-2 md:min-h-11 md:grid-cols-[112px_minmax(0,150px)_48px_16px_190px_minmax(0,1fr)] md:py-1'

/** The columns of the file, one row each: first values, where it goes, and what is to be known about it. */
export function ColumnsTable({ batch, editor }: Props) {
  return (
    <div role="table" aria-label={m.imports_columns_title()}>
      <div role="rowgroup" className="sticky top-0 z-10 rounded-t-xl bg-surface max-md:sr-only">
        <div role="row" className={classNames(grid, 'border-b border-line text-xs font-medium text-ink')}>
          <span role="columnheader">{m.imports_col_header()}</span>
          <span role="columnheader">{m.imports_col_values()}</span>
          <span role="columnheader" className="text-end">
            {m.imports_col_filled()}
          </span>
          <span role="none" />
          <span role="columnheader">{m.imports_col_target()}</span>
          <span role="columnheader">{m.imports_col_note()}</span>
        </div>
      </div>
      <div role="rowgroup">
        {batch.columns.map((column) => (
          <Row key={column.header} batch={batch} editor={editor} column={column} />
        ))}
      </div>
    </div>
  )
}

const fieldOptions = (): { value: string; label: string }[] => [
  { value: '', label: m.imports_not_imported() },
  ...importFields.map((field) => ({ value: field, label: fieldLabel(field) })),
]

function Row({ batch, editor, column }: Props & { column: ImportColumn }) {
  const field = editor.mapping.columns[column.header] ?? ''
  const isOpen = column.question !== null && field === column.field
  return (
    <div role="row" className={classNames(grid, 'border-b border-line last:border-0', isOpen && 'bg-warn-bg')}>
      <span role="cell" className="min-w-0 truncate font-medium text-ink-strong" title={column.header}>
        <bdi>{column.header}</bdi>
      </span>
      <FirstValues column={column} />
      <span role="cell" className="num text-end text-ink-2 max-md:col-start-2 max-md:row-start-1">
        <span className="md:hidden">{m.imports_filled_of({ count: column.filled })}</span>
        <span className="max-md:hidden">{formatNumber(column.filled)}</span>
      </span>
      <span role="none" className="max-md:hidden">
        <ArrowRight size={14} className="text-ink-2 rtl:-scale-x-100" aria-hidden />
      </span>
      <span role="cell" className="min-w-0 max-md:col-span-2">
        <Select
          quiet
          aria-label={m.imports_target_of({ column: column.header })}
          options={fieldOptions()}
          value={field}
          onChange={(event) => editor.assign(column.header, event.target.value as ImportField | '')}
        />
      </span>
      <span role="cell" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-md:col-span-2">
        <Note batch={batch} editor={editor} column={column} field={field} />
      </span>
    </div>
  )
}

function FirstValues({ column }: { column: ImportColumn }) {
  const text = column.firstValues.join(', ')
  return (
    <span
      role="cell"
      className="num min-w-0 truncate text-ink-2 max-md:col-span-2 max-md:row-start-2"
      title={column.hidden ? m.imports_hidden_values() : text}
    >
      {column.hidden && column.filled > 0 ? (
        <>
          <span aria-hidden>•••</span>
          <span className="sr-only">{m.imports_hidden_values()}</span>
        </>
      ) : (
        <bdi>{text}</bdi>
      )}
    </span>
  )
}

const Warn = () => <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden />

function Note({ batch, editor, column, field }: Props & { column: ImportColumn; field: ImportField | '' }) {
  if (field === '') return <Said icon={Minus}>{m.imports_left_out()}</Said>
  if (batch.refusedColumns.includes(column.header)) {
    return (
      <>
        <Warn />
        <b className="font-medium text-warn">{m.imports_no_permission()}</b>
      </>
    )
  }
  if (field === 'room_type' && !Object.values(editor.mapping.columns).includes('room_key')) {
    return <Said icon={Minus}>{m.imports_needs_room_key()}</Said>
  }
  if (field === 'commission') return <Said icon={Check}>{m.imports_commission_kept()}</Said>
  // what the server says is about the field that it knows; after a change it answers again
  if (field !== column.field) return <Understood />
  if (column.dateExample !== null || column.dayNumbers !== null) {
    return (
      <>
        {column.dateExample !== null && <DateOrder editor={editor} column={column} example={column.dateExample} />}
        {column.dayNumbers !== null && <DayNumbers editor={editor} numbers={column.dayNumbers} />}
      </>
    )
  }
  if (field === 'dietary' && column.knownWords.length + column.unknownWords.length > 0) {
    const kept = column.unknownWords.length
    return (
      <>
        <Understood>{kept > 0 ? m.imports_kept_as_text({ count: kept }) : undefined}</Understood>
        <WordMeanings editor={editor} column={column} options={dietOptions()} none={m.imports_word_kept()} />
      </>
    )
  }
  const [unknown] = column.unknownWords
  if ((field === 'unit_type' || field === 'party' || field === 'status') && unknown !== undefined) {
    const options = field === 'status' ? statusOptions() : unitOptions()
    return <WordQuestion editor={editor} word={unknown} options={options} />
  }
  if ((field === 'status' || field === 'channel') && column.knownWords.length > 0) {
    const options = field === 'status' ? statusOptions() : channelOptions()
    return (
      <>
        <Understood>{wordsText(field, column)}</Understood>
        <WordMeanings editor={editor} column={column} options={options} />
      </>
    )
  }
  if (field === 'pickup_place' && column.unknownWords.length > 0) {
    const [near] = column.proposals
    if (!near) return <Understood>{m.imports_kept_as_text({ count: column.unknownWords.length })}</Understood>
    return <PlaceQuestion editor={editor} word={near.word} near={near.meanings} />
  }
  if (field === 'tour_code' && unknown !== undefined) return <TourQuestion editor={editor} word={unknown} />
  return <Understood>{wordsText(field, column)}</Understood>
}

const wordsText = (field: ImportField, { knownWords }: ImportColumn): string =>
  knownWords
    .slice(0, 3)
    .map(({ word, meaning }) => `${word} = ${valueLabel(field, meaning)}`)
    .join(', ')

function Said({ icon: Icon, children }: { icon: typeof Minus; children: string }) {
  return (
    <span className="flex min-w-0 items-start gap-x-2">
      <Icon size={16} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
      <span className="min-w-0 text-ink-2">{children}</span>
    </span>
  )
}

const Understood = ({ children }: { children?: string | undefined }) => (
  <span className="flex min-w-0 items-start gap-x-2">
    <Check size={16} className="mt-0.5 shrink-0 text-ok" aria-hidden />
    {children ? <span className="min-w-0">{children}</span> : <span className="sr-only">{m.imports_fine()}</span>}
  </span>
)

/** `04.07.1989` in both ways, as dates of a leap year, so that every day exists. */
function readings(example: string): { day: string; month: string } | null {
  const [, first = '', second = ''] = /^(\d{1,2})\D+(\d{1,2})\D/.exec(example) ?? []
  if (first === '' || second === '') return null
  const civil = (month: string, day: string) => `2024-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return { day: formatLocalDayMonth(civil(second, first)), month: formatLocalDayMonth(civil(first, second)) }
}

/** The question of a column of dates, with both readings of one of its own values. */
function DateOrder({ editor, column, example }: { editor: MappingEditor; column: ImportColumn; example: string }) {
  const read = readings(example)
  const { dateOrder } = editor.mapping
  if (!read) return <Understood />
  return (
    <span
      role="group"
      aria-label={m.imports_which_label({ example })}
      className="flex flex-wrap items-center gap-x-2 gap-y-1"
    >
      {dateOrder === null && column.question !== null ? (
        <>
          <Warn />
          <b className="font-medium text-warn">{m.imports_which()}</b>
        </>
      ) : (
        <Check size={16} className="shrink-0 text-ok" aria-hidden />
      )}
      {column.hidden && <bdi className="num text-ink-2">{example}</bdi>}
      <ChoiceChip
        pressed={dateOrder === 'day_month_year'}
        onClick={() => editor.change({ dateOrder: 'day_month_year' })}
      >
        {read.day}
      </ChoiceChip>
      <ChoiceChip
        pressed={dateOrder === 'month_day_year'}
        onClick={() => editor.change({ dateOrder: 'month_day_year' })}
      >
        {read.month}
      </ChoiceChip>
    </span>
  )
}

/** What a number of a column of dates or times is read as; a time is the same in both calendars. */
function DayNumbers({ editor, numbers }: { editor: MappingEditor; numbers: NonNullable<ImportColumn['dayNumbers']> }) {
  const { example, since1900, since1904 } = numbers
  const reading = editor.mapping.dayNumbers ?? numbers.reading
  const isTime = since1900 === since1904
  const meanings = [
    { value: '1900', text: isTime ? since1900 : formatLocalDate(since1900) },
    ...(isTime ? [] : [{ value: '1904', text: formatLocalDate(since1904) } as const]),
    { value: 'refuse', text: m.imports_number_refused() },
  ] as const
  return (
    <span
      role="group"
      aria-label={m.imports_number_is({ number: example })}
      className="flex flex-wrap items-center gap-x-2 gap-y-1"
    >
      <Warn />
      <b className="font-medium text-warn">
        <bdi>{m.imports_number_is({ number: example })}</bdi>
      </b>
      {meanings.map(({ value, text }) => (
        <ChoiceChip
          key={value}
          pressed={reading === value || (isTime && value === '1900' && reading === '1904')}
          onClick={() => editor.change({ dayNumbers: value })}
        >
          {text}
        </ChoiceChip>
      ))}
    </span>
  )
}

/** A text that names no tour: a person says which one is meant, for this file and with its saved mapping for the next ones. */
function TourQuestion({ editor, word }: { editor: MappingEditor; word: string }) {
  const { data } = useQuery(callQuery(tourOptionsForPickers, {}))
  const options = (data?.tours ?? []).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))
  return <WordQuestion editor={editor} word={word} options={options} />
}

/** Options of one request; an organization with more places finds the likely ones among the first all the same. */
const maxPlaces = 200

/** A text that may mean a place: a person says which one, for this file and with its saved mapping for the next ones. */
function PlaceQuestion({ editor, word, near }: { editor: MappingEditor; word: string; near: readonly string[] }) {
  const { data } = useQuery(callQuery(listPlaces, { size: maxPlaces, filters: { archived: false } }))
  const names = new Set([...near, ...(data?.rows ?? []).map(({ name }) => name)])
  return <WordQuestion editor={editor} word={word} options={[...names].map((name) => ({ value: name, label: name }))} />
}

/** A word without a mapping yet: its rows would be refused. The next one is asked when this one is answered. */
function WordQuestion({
  editor,
  word,
  options,
}: {
  editor: MappingEditor
  word: string
  options: { value: string; label: string }[]
}) {
  return (
    <>
      <Warn />
      <b className="font-medium text-warn">
        <bdi>{m.imports_word_is({ word })}</bdi>
      </b>
      <Select
        quiet
        className="w-28"
        aria-label={m.imports_word_is({ word })}
        placeholder={m.imports_word_choose()}
        options={options}
        value=""
        onChange={(event) => {
          if (event.target.value !== '') {
            editor.change({ words: { ...editor.mapping.words, [word]: event.target.value } })
          }
        }}
      />
    </>
  )
}

/** Words of a column whose meaning can be chosen; more are corrected in the check. */
const maxWordsShown = 8

/** What each word of a column means here: another operator may mean something else by it. */
function WordMeanings({
  editor,
  column: { header, knownWords, unknownWords },
  options,
  none,
}: {
  editor: MappingEditor
  column: ImportColumn
  options: { value: string; label: string }[]
  /** What becomes of a word without a meaning. */
  none?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const unknown = unknownWords.map((word) => ({ word, meaning: '' }))
  if (!isOpen) {
    return (
      <Button
        size="sm"
        variant="ghost"
        aria-label={m.imports_words_change_of({ column: header })}
        onClick={() => setOpen(true)}
      >
        {m.imports_words_change()}
      </Button>
    )
  }
  return (
    <span className="flex w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      {[...unknown, ...knownWords].slice(0, maxWordsShown).map(({ word, meaning }) => (
        <span key={word} className="flex min-w-0 flex-wrap items-center gap-x-1">
          <bdi className="min-w-0 break-words">{m.imports_word_equals({ word })}</bdi>
          <Select
            quiet
            className="w-32"
            aria-label={m.imports_word_equals({ word })}
            {...(none !== undefined && { placeholder: none })}
            options={options}
            value={editor.mapping.words[word] ?? meaning}
            onChange={(event) => {
              const { [word]: _before, ...others } = editor.mapping.words
              const chosen = event.target.value
              editor.change({ words: chosen === '' ? others : { ...others, [word]: chosen } })
            }}
          />
        </span>
      ))}
    </span>
  )
}
