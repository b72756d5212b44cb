import { Bell as BellIcon } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { useInbox } from './inbox.ts'

const InboxPanel = lazy(() => import('./inbox-panel.tsx').then((loaded) => ({ default: loaded.InboxPanel })))

/** Notices for the person at the screen; the dot says that some are unread, the name says how many. */
export function Bell() {
  const { messages, unread } = useInbox()
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  const label = unread.length > 0 ? m.app_notices_unread({ count: unread.length }) : m.app_notices()
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="icon-btn relative"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <BellIcon size={18} aria-hidden />
        {unread.length > 0 && (
          <i className="absolute end-2 top-2 size-2 rounded-full bg-brand ring-2 ring-[var(--surface)]" aria-hidden />
        )}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <InboxPanel messages={messages} unread={unread} anchor={anchor} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
