import { Phone } from 'lucide-react'
import { m } from '../../paraglide/messages.js'
import { Ltr } from '../../ui/ltr.tsx'

/** The number to call somebody on; on a phone the sign alone, as large as a finger. */
export const PhoneLink = ({ name, phone }: { name: string; phone: string }) => (
  <a
    href={`tel:${phone}`}
    aria-label={m.departures_call({ name })}
    title={phone}
    className="inline-flex shrink-0 items-center gap-1 text-ink-2 hover:underline coarse:min-h-11 coarse:min-w-11 coarse:justify-center"
  >
    <Phone size={15} aria-hidden />
    <Ltr className="max-sm:hidden">{phone}</Ltr>
  </a>
)
