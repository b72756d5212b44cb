import type { guestAudience } from '@tour-ops/contract/notifications/guest-messages'
import type { Out } from '@tour-ops/contract/callable'
import { m } from '../../paraglide/messages.js'
import { Ltr } from '../../ui/ltr.tsx'

type Answer = Out<typeof guestAudience>

const reasons: Readonly<Record<Answer['unreached'][number]['reason'], () => string>> = {
  no_address: m.notifications_write_no_address,
  opted_out: m.notifications_write_opted_out,
}

/** Who gets no e-mail, with the phone to call; nothing where everybody gets one. */
export function UnreachedGuests({ unreached, unreachedCount }: Pick<Answer, 'unreached' | 'unreachedCount'>) {
  if (unreachedCount === 0) return null
  const more = unreachedCount - unreached.length
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="cursor-pointer font-medium text-warn">
        {m.notifications_write_unreached({ count: unreachedCount })}
      </summary>
      <ul className="mt-1">
        {unreached.map(({ bookingId, name, phone, bookingRef, reason }) => (
          <li key={bookingId} className="flex min-h-9 items-center gap-3">
            <span className="min-w-0 flex-1">
              <bdi className="block truncate text-ink-strong">{name}</bdi>
              <span className="block text-ink-2">{reasons[reason]()}</span>
            </span>
            {phone === null ? (
              <Ltr className="text-ink-2">{bookingRef}</Ltr>
            ) : (
              <a className="link num" href={`tel:${phone}`}>
                <Ltr>{phone}</Ltr>
              </a>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-ink-2">{m.notifications_write_unreached_more({ count: more })}</p>}
    </details>
  )
}
