import type { SharedAnswer } from '@tour-ops/contract/links/shared-page'
import { Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '../../../paraglide/messages.js'
import { buttonClass } from '../../../ui/button.tsx'
import { formatLocalLongDay, formatLocalTime, formatTime, localDateOf } from '../../../ui/format.ts'
import { Ltr } from '../../../ui/ltr.tsx'

/** A part of the page of a link, with its heading. */
export function Block({ title, flush, children }: { title?: string; flush?: boolean; children: ReactNode }) {
  return (
    <section className="share-block" data-flush={flush || undefined}>
      {title && <h2 className="mb-3 text-[17px] font-semibold text-ink-strong">{title}</h2>}
      {children}
    </section>
  )
}

interface ShareFootProps {
  page: Pick<SharedAnswer, 'organization' | 'expiresAt'>
  timeZone: string
}

/** Until when the page can be opened, and the office's phone at the thumb. */
export function ShareFoot({ page: { organization, expiresAt }, timeZone }: ShareFootProps) {
  return (
    <>
      <p className="px-4 py-6 text-center text-ink-2">
        {m.links_guest_ends({
          time: formatTime(expiresAt, timeZone),
          day: formatLocalLongDay(localDateOf(expiresAt, timeZone)),
        })}
      </p>
      {organization.phone && (
        <footer className="share-foot">
          <a
            className={buttonClass({ size: 'lg', className: 'w-full' })}
            href={`tel:${organization.phone.replaceAll(/[^+\d]/g, '')}`}
          >
            <Phone size={20} aria-hidden />
            <span>
              {m.links_guest_call_us()}{' '}
              <Ltr className="text-ink-2">{`${formatLocalTime(organization.officeHours.from)}–${formatLocalTime(organization.officeHours.to)}`}</Ltr>
            </span>
          </a>
        </footer>
      )}
    </>
  )
}
