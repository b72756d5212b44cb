import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import type { ImportField } from '@tour-ops/contract/imports/import-mapping'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { formatLocalDate, formatNumber } from '../../ui/format.ts'
import { fieldLabel, problemText } from './import-labels.ts'
import { valueLabel } from './value-labels.ts'

type Sample = ImportBatch['sample'][number]

/** Shown together with others, or of no interest in the first line. */
const together = new Set<ImportField>([
  'first_name',
  'last_name',
  'full_name',
  'unit_type',
  'departure_code',
  'tour_code',
  'start_local',
  'pickup_place',
  'pickup_time',
  'room_key',
  'room_type',
])

/** Both readings of a date whose day and month are ambiguous. */
function eitherDate(text: string): string | null {
  const [, first = '', second = '', year = ''] = /^(\d{1,2})\D+(\d{1,2})\D+(\d{4})/.exec(text) ?? []
  if (year === '') return null
  const civil = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return m.imports_sample_either({
    one: formatLocalDate(civil(second, first)),
    other: formatLocalDate(civil(first, second)),
  })
}

/** The first line of the file as it will be read: what is wrong with it shows before anything is checked. */
export function SampleCard({ batch }: { batch: ImportBatch }) {
  const said = new Map(batch.sample.map((entry) => [entry.field, entry]))
  const join = (fields: readonly ImportField[], mark = ' ') =>
    fields
      .flatMap((field) => {
        const entry = said.get(field)
        return entry && !entry.problem ? [valueLabel(field, entry.value)] : []
      })
      .join(mark)
  const name = join(['first_name', 'last_name'])
  const lines: { label: string; value: string; problem: Sample['problem'] }[] = [
    { label: m.imports_sample_departure(), value: join(['departure_code', 'tour_code', 'start_local']), problem: null },
    {
      label: m.imports_sample_traveler(),
      value: [name, join(['unit_type']).toLowerCase()].filter(Boolean).join(', '),
      problem: null,
    },
    ...batch.sample
      .filter((entry) => !together.has(entry.field) || entry.problem)
      .map(({ field, value, problem }) => ({
        label: fieldLabel(field),
        value: problem
          ? (problem.code === 'date_order_unknown' && eitherDate(value)) || problemText(problem)
          : valueLabel(field, value),
        problem,
      })),
    { label: fieldLabel('pickup'), value: join(['pickup_time', 'pickup_place']), problem: null },
    { label: fieldLabel('room'), value: join(['room_key', 'room_type'], ', '), problem: null },
  ]
  return (
    <Card
      title={m.imports_sample_title({ line: batch.sampleLine })}
      actions={<span className="num text-ink-2">{m.imports_sample_of({ rows: formatNumber(batch.rows) })}</span>}
    >
      <dl className="border-t border-line px-4 py-2">
        {lines
          .filter((line) => line.value !== '')
          .map(({ label, value, problem }) => (
            <div key={label} className="flex min-h-7 gap-3 py-1">
              <dt className="w-[92px] shrink-0 text-ink-2">{label}</dt>
              <dd
                className={
                  problem ? 'min-w-0 font-medium break-words text-warn' : 'min-w-0 break-words text-ink-strong'
                }
              >
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </Card>
  )
}
