import { type ImportForm, maxHeaderRows, maxLine } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Field, NumberInput, Select } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import type { ReadingEditor } from './use-reading.ts'

interface Props {
  batch: ImportBatch
  reader: ReadingEditor
  /** Decisions about columns are being saved; both at once would be about different versions. */
  isBusy: boolean
}

/** Which sheet, which row is the header, and where the table ends. */
export function PlaceForm({ batch, reader, isBusy }: Props) {
  const { sheets, sheet, headerLine, headerRows, lastLine, head, reading } = batch.form
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
            onChange={(event) =>
              reader.change({ sheet: Number(event.target.value), headerLine: null, headerRows: null, lastLine: null })
            }
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
      <Field label={m.imports_header_rows()}>
        <Select
          value={String(reader.reading.headerRows ?? headerRows)}
          disabled={isBusy}
          options={Array.from({ length: maxHeaderRows }, (_, index) => index + 1).map((count) => {
            const label = m.imports_header_rows_count({ count })
            const isDetected = count === headerRows && reading.headerRows === null
            return { value: String(count), label: isDetected ? m.imports_detected({ value: label }) : label }
          })}
          onChange={(event) => reader.change({ headerRows: Number(event.target.value) })}
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
