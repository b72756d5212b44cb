import type { ImportForm } from '@tour-ops/contract/imports/import-reading'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatList, formatNumber } from '../../ui/format.ts'

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
