import { type ImportForm, maxLine } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/imports'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Field, NumberInput, Select } from '../../ui/field.tsx'
import { formatList, formatNumber } from '../../ui/format.ts'
import type { ReadingEditor } from './use-reading.ts'

interface Props {
  batch: ImportBatch
  reader: ReadingEditor
  /** Decisions about columns are being saved; both at once would be about different versions. */
  isBusy: boolean
}

/** Which sheet, which row is the header, and where the table ends. */
export function PlaceForm({ batch, reader, isBusy }: Props) {
  const { sheets, sheet, headerLine, lastLine, head, reading } = batch.form
  if (headerLine === null) return null
  const shown = head.some(({ line }) => line === headerLine) ? head : [{ line: headerLine, cells: [] }, ...head]
  return (
    <>
      {sheets.length > 1 && (
        <Field label={m.imports_sheet()}>
          <Select
            value={String(reader.reading.sheet ?? sheet ?? 0)}
            disabled={isBusy}
            options={sheets.map(({ name, isHidden }, place) => ({
              value: String(place),
              label: isHidden ? m.imports_sheet_hidden({ name }) : name,
            }))}
            // lines of one sheet say nothing about another
            onChange={(event) => reader.change({ sheet: Number(event.target.value), headerLine: null, lastLine: null })}
          />
        </Field>
      )}
      <Field label={m.imports_header_row()}>
        <Select
          value={String(reader.reading.headerLine ?? headerLine)}
          disabled={isBusy}
          options={shown.map((row) => ({
            value: String(row.line),
            label: rowLabel(row, headerLine, reading.headerLine),
          }))}
          onChange={(event) => reader.change({ headerLine: Number(event.target.value) })}
        />
      </Field>
      <LastRow key={lastLine} batch={batch} reader={reader} isBusy={isBusy} />
    </>
  )
}

type Row = Pick<ImportForm['head'][number], 'line' | 'cells'>

/** Characters of a row in a list of rows. */
const labelLength = 40

function rowLabel({ line, cells }: Row, headerLine: number, chosen: number | null): string {
  const text = cells.filter((cell) => cell !== null && cell !== '').join(', ')
  const label = m.imports_letters_line({ line: formatNumber(line), text: text.slice(0, labelLength) })
  return line === headerLine && chosen === null ? m.imports_detected({ value: label }) : label
}

/** Sent when the field is left, or with Enter. */
function LastRow({ batch, reader, isBusy }: Props) {
  const { lastLine } = batch.form
  const [typed, setTyped] = useState(lastLine === null ? '' : String(lastLine))
  const number = typed.trim() === '' ? null : Number(typed)
  const isWrong =
    number !== null && !(Number.isInteger(number) && number > (batch.form.headerLine ?? 0) && number <= maxLine)
  const send = () => {
    // Enter disables the field, which leaves it: what is on its way is not sent twice
    if (!isBusy && !isWrong && number !== reader.reading.lastLine) reader.change({ lastLine: number })
  }
  return (
    <Field
      label={m.imports_last_row()}
      hint={m.imports_last_row_hint()}
      error={isWrong ? m.imports_last_row_wrong({ line: formatNumber(batch.form.headerLine ?? 0) }) : undefined}
    >
      <NumberInput
        value={typed}
        disabled={isBusy}
        min={1}
        placeholder={m.imports_last_row_end()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={send}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send()
        }}
      />
    </Field>
  )
}

/** What of the file is no row of the table, in a sentence; null where everything is. */
export function leftOutText({ leftOut }: ImportForm): string | null {
  const parts = [
    leftOut.titles > 0 ? m.imports_left_out_titles({ count: leftOut.titles }) : '',
    leftOut.repeatedHeaders > 0 ? m.imports_left_out_headers({ count: leftOut.repeatedHeaders }) : '',
    leftOut.totals.length > 0
      ? m.imports_left_out_totals({
          count: leftOut.totals.length,
          lines: formatList(leftOut.totals.map((line) => formatNumber(line))),
        })
      : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : formatList(parts)
}

const roleLabels: Record<ImportForm['head'][number]['role'], () => string> = {
  title: m.imports_role_title,
  header: m.imports_role_header,
  row: m.imports_role_row,
  repeated_header: m.imports_role_repeated,
  total: m.imports_role_total,
  after: m.imports_role_after,
}

/** The first rows as they are in the file, and what each of them is taken for. */
export function RawRows({ batch }: { batch: ImportBatch }) {
  const { head, headerLine } = batch.form
  if (headerLine === null || head.length === 0) return null
  return (
    <Card title={m.imports_raw_title()}>
      {/* the keyboard scrolls what is wider than the screen */}
      <div
        className="overflow-x-auto border-t border-line"
        tabIndex={0}
        role="region"
        aria-label={m.imports_raw_title()}
      >
        <table className="w-full text-start">
          <thead className="sr-only">
            <tr>
              <th scope="col">{m.imports_raw_line()}</th>
              <th scope="col">{m.imports_raw_role()}</th>
            </tr>
          </thead>
          <tbody>
            {head.map(({ line, role, cells }) => (
              <tr
                key={line}
                className={classNames(
                  'border-b border-line last:border-0',
                  role === 'header' && 'bg-brand-tint font-medium text-ink-strong',
                  role !== 'header' && role !== 'row' && 'text-ink-2',
                )}
              >
                <td className="num px-4 py-1.5 text-end text-ink-2">{formatNumber(line)}</td>
                <td className="px-2 py-1.5 whitespace-nowrap text-ink-2">{roleLabels[role]()}</td>
                {cells.map((cell, place) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its place only
                  <td key={place} className="max-w-48 truncate px-2 py-1.5" title={cell ?? m.imports_hidden_values()}>
                    {cell === null ? '•••' : <bdi>{cell}</bdi>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
