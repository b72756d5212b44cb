import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'
import { formatNumber } from '../../ui/format.ts'

/** People whom an undo leaves alone, and how many more there are. */
export function RemainingGuests({ people, more }: { people: ImportBatch['keptBecauseEdited']; more: number }) {
  return (
    <ul className="mt-2 grid gap-1">
      {people.map(({ name, departureCode }, place) => (
        // two people may have one name
        <li key={`${place} ${name}`} className="flex gap-3">
          <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
          <span className="num text-ink-2">{departureCode}</span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-2">{m.imports_and_more({ count: formatNumber(more) })}</li>}
    </ul>
  )
}
