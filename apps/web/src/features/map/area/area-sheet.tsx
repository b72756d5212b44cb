import { createPortal } from 'react-dom'
import { useAuthStore } from '../../../identity/auth-store.ts'
import { m } from '../../../paraglide/messages.js'
import { usePageNumbers } from '../../../ui/page-numbers.ts'
import './area-sheet.css'

interface AreaSheetProps {
  /** When it was looked at, and how many are inside. */
  summary: string
  /** Heads first. */
  table: readonly (readonly string[])[]
}

/** Who is in an area, on paper. Seen only in print. */
export function AreaSheet({ summary, table: [heads = [], ...rows] }: AreaSheetProps) {
  usePageNumbers('area-sheet')
  const organization = useAuthStore((state) => state.organization?.name)
  return createPortal(
    <section className="area-sheet" aria-hidden>
      <h1>{m.map_area()}</h1>
      <p>
        {organization} · {summary}
      </p>
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
