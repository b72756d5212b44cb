import { createPortal } from 'react-dom'
import { m } from '../../../paraglide/messages.js'
import { usePageNumbers } from '../../../ui/page-numbers.ts'
import './roll-call-sheet.css'

interface RollCallSheetProps {
  /** When it was looked at, and how many are inside. */
  summary: string
  /** Heads first. */
  table: readonly (readonly string[])[]
}

/** The roll call on paper. Seen only in print. */
export function RollCallSheet({ summary, table: [heads = [], ...rows] }: RollCallSheetProps) {
  usePageNumbers('roll-call-sheet')
  return createPortal(
    <section className="roll-call-sheet" aria-hidden>
      <h1>{m.map_area()}</h1>
      <p>{summary}</p>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((text, column) => (
                <td key={heads[column]}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>,
    document.body,
  )
}
