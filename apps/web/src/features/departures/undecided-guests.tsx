import { markNoShow } from '@tour-ops/contract/bookings/manifest'
import { UserX } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { useManifest } from './use-manifest.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useDepartureWrite } from './use-departure-write.ts'

/** Guests listed by name before a start; the rest is on the manifest. */
const listed = 8

/** Who would be left behind by a start, and a way to say that they did not come. */
export function UndecidedGuests({ departureId }: { departureId: string }) {
  const { data } = useManifest(departureId)
  const write = useDepartureWrite(markNoShow)
  const waiting = (data?.groups ?? [])
    .flatMap(({ parties }) => parties.flatMap(({ entries }) => entries))
    .filter(({ status }) => status === 'expected')
  if (waiting.length === 0) return null
  const mark = (entryIds: string[]) => write.mutate({ departureId, entryIds })
  return (
    <section className="grid gap-1.5" aria-label={m.departures_not_aboard({ count: waiting.length })}>
      <h3 className="font-medium text-ink-strong">{m.departures_not_aboard({ count: waiting.length })}</h3>
      <ul className="grid gap-1">
        {waiting.slice(0, listed).map(({ id, name }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <Button
              size="sm"
              icon={UserX}
              pending={write.isPending}
              aria-label={m.departures_no_show_of({ name })}
              onClick={() => mark([id])}
            >
              {m.departures_no_show()}
            </Button>
          </li>
        ))}
      </ul>
      {waiting.length > listed && (
        <p className="text-ink-2">{m.departures_more_not_aboard({ count: waiting.length - listed })}</p>
      )}
      {write.error && (
        <p role="alert" className="text-bad">
          {refusalText(write.error)}
        </p>
      )}
    </section>
  )
}
