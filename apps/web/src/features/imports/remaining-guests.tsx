import type { EditedGuest } from '@tour-ops/contract/imports/import-batch'
import { m } from '../../paraglide/messages.js'
import { formatMoment, formatNumber, viewerZone } from '../../ui/format.ts'

/** People whom an undo leaves alone, with who worked on them last, and how many more there are. */
export function RemainingGuests({ people, more }: { people: readonly EditedGuest[]; more: number }) {
  return (
    <ul className="mt-2 grid gap-1">
      {people.map((guest, place) => (
        // two people may have one name
        <li key={`${place} ${guest.name}`} className="flex flex-wrap gap-x-3">
          <bdi className="min-w-0 flex-1 truncate">{guest.name}</bdi>
          <span className="num text-ink-2">{guest.departureCode}</span>
          <span className="num basis-full text-ink-2">{editedText(guest)}</span>
        </li>
      ))}
      {more > 0 && <li className="text-ink-2">{m.imports_and_more({ count: formatNumber(more) })}</li>}
    </ul>
  )
}

/** Guests themselves and the system have no name here. */
function editedText({ editedByName, editedAt }: EditedGuest): string | null {
  if (editedAt === null) return editedByName
  const time = formatMoment(editedAt, viewerZone())
  return editedByName === null ? m.imports_edited_at({ time }) : m.imports_edited_by({ name: editedByName, time })
}
