import { useQuery } from '@tanstack/react-query'
import type { MissingParty } from '@tour-ops/contract/imports/import-missing'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { missingFromImport } from '@tour-ops/contract/imports/imports'
import { UserX } from 'lucide-react'
import { useId, useState } from 'react'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { saleChannelLabel } from '../../records/sale-channel-labels.ts'
import { BookingLink } from '../../records/booking-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { formatList, formatNumber } from '../../ui/format.ts'
import { CancelMissingGuests } from './cancel-missing-guests.tsx'
import { CancelMissingDialog } from './cancel-missing-dialog.tsx'

/** Parties that are listed at once. */
const listed = 200

/** Who is on the departures of the file and not in it, to be cancelled by choice; nothing where the file has everybody. */
export function MissingParties({ batch }: { batch: ImportBatch }) {
  const { data } = useQuery({
    ...callQuery(missingFromImport, { id: batch.id, size: listed }),
    enabled: batch.progress === null && batch.counts !== null,
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const [opened, setOpened] = useState<MissingParty | null>(null)
  const mayCancel = useAccess().can('bookings:manage')
  const titleId = useId()
  if (!data || data.total === 0) return null
  const parties = data.rows.filter(({ bookingId }) => chosen.has(bookingId))
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <section aria-labelledby={titleId} className="border-t border-line">
      <div className="flex min-h-[38px] flex-wrap items-center gap-2 bg-surface-2 px-4 py-1">
        <h2 id={titleId} className="flex items-center gap-2 font-semibold text-ink-strong">
          <UserX size={16} strokeWidth={2.25} className="text-warn" aria-hidden />
          {m.imports_missing()} <span className="num font-normal text-ink-2">{formatNumber(data.total)}</span>
        </h2>
        {parties.length > 0 && (
          <Button className="ms-auto" size="sm" variant="danger" onClick={() => setAsking(true)}>
            {m.imports_missing_cancel({ count: parties.length })}
          </Button>
        )}
      </div>
      <p className="border-t border-line px-4 py-2 text-ink-2">
        {m.imports_missing_why()} {(batch.counts?.reject ?? 0) > 0 && m.imports_missing_rejected()}
      </p>
      <ul>
        {data.rows.map((party) => (
          <li
            key={party.bookingId}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2"
          >
            {mayCancel && party.isWhole && (
              <Checkbox
                label=""
                aria-label={m.imports_missing_choose({ ref: party.bookingRef })}
                checked={chosen.has(party.bookingId)}
                onChange={(event) => choose(party.bookingId, event.target.checked)}
              />
            )}
            <PartyLine party={party} />
            {mayCancel && !party.isWhole && (
              <Button size="sm" onClick={() => setOpened(party)}>
                {m.imports_missing_guests({ count: party.travelerIds.length })}
              </Button>
            )}
          </li>
        ))}
        {data.total > data.rows.length && (
          <li className="border-t border-line px-4 py-2 text-ink-2">
            {m.imports_and_more({ count: formatNumber(data.total - data.rows.length) })}
          </li>
        )}
      </ul>
      {opened && <CancelMissingGuests party={opened} onClose={() => setOpened(null)} />}
      {isAsking && (
        <CancelMissingDialog
          parties={parties}
          onCancelled={(ids) => setChosen(new Set([...chosen].filter((id) => !ids.includes(id))))}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function PartyLine({ party }: { party: MissingParty }) {
  const { bookingId, bookingRef, departureCode, channel, sellerName, guests, isWhole } = party
  return (
    <>
      <span className="min-w-0 flex-1 basis-56 text-ink-strong">
        <bdi>{formatList([...guests])}</bdi>
        {!isWhole && <span className="block text-xs text-ink-2">{m.imports_missing_some()}</span>}
      </span>
      <span className="num text-ink-2">{departureCode}</span>
      <span className="text-ink-2">{[saleChannelLabel(channel), sellerName].filter(Boolean).join(' · ')}</span>
      <BookingLink id={bookingId} className="link num">
        {bookingRef}
      </BookingLink>
    </>
  )
}
