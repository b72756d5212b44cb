import { fileDelimiters, fileEncodings } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'
import { Field, Select } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { encodingLabel, separatorLabels } from './reading-labels.ts'
import type { ReadingEditor } from './use-reading.ts'

interface Props {
  batch: ImportBatch
  reader: ReadingEditor
  /** Decisions about columns are being saved; both at once would be about different versions. */
  isBusy: boolean
}

/** How the bytes of the file become text and cells, with a line by which that can be judged. */
export function ReadingForm({ batch, reader, isBusy }: Props) {
  const { encoding, delimiter, form } = batch
  if (encoding === 'xlsx' || delimiter === null) return null
  const detected = (isChosen: boolean, label: string) => (isChosen ? label : m.imports_detected({ value: label }))
  return (
    <>
      <Field label={m.imports_encoding()} hint={<SampleLine batch={batch} />}>
        <Select
          value={reader.reading.encoding ?? encoding}
          disabled={isBusy}
          options={fileEncodings.map((value) => ({
            value,
            label:
              value === encoding
                ? detected(form.reading.encoding !== null, encodingLabel(value))
                : encodingLabel(value),
          }))}
          onChange={(event) =>
            reader.change({ encoding: fileEncodings.find((each) => each === event.target.value) ?? null })
          }
        />
      </Field>
      <Field label={m.imports_separator()}>
        <Select
          value={reader.reading.delimiter ?? delimiter}
          disabled={isBusy}
          options={fileDelimiters.map((value) => ({
            value,
            label:
              value === delimiter
                ? detected(form.reading.delimiter !== null, separatorLabels[value]())
                : separatorLabels[value](),
          }))}
          onChange={(event) =>
            reader.change({ delimiter: fileDelimiters.find((each) => each === event.target.value) ?? null })
          }
        />
      </Field>
    </>
  )
}

function SampleLine({ batch }: { batch: ImportBatch }) {
  const { sample } = batch.form
  if (!sample) return m.imports_letters_plain()
  if (sample.text === '') return m.imports_letters_hidden()
  return (
    <bdi className="break-words">{m.imports_letters_line({ line: formatNumber(sample.line), text: sample.text })}</bdi>
  )
}
