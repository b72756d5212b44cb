import { useEffect, useRef, type RefObject } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { formatDayTimeThere, viewerZone } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'
import { navigateTo } from '../../addresses/navigate-to.ts'

import { markRead, type InboxMessage } from './inbox.ts'

export interface InboxPanelProps {
  messages: readonly InboxMessage[]
  unread: readonly InboxMessage[]
  anchor: RefObject<HTMLButtonElement | null>
  onClose: () => void
}

const read = (messages: readonly InboxMessage[]) => {
  markRead(messages).catch(() => toast(m.app_notices_not_marked()))
}

/** The list under the bell. Escape and a press outside close it; focus returns to the bell. */
export function InboxPanel({ messages, unread, anchor, onClose }: InboxPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const bell = anchor.current
    panel.current?.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target) && !bell?.contains(target)) onClose()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onPress)
      bell?.focus({ preventScroll: true })
    }
  }, [anchor, onClose])
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={m.app_notices()}
      tabIndex={-1}
      className="pop fixed end-2 top-[60px] z-40 flex max-h-[70dvh] w-[min(380px,calc(100vw-16px))] flex-col p-0"
    >
      <div className="flex h-12 shrink-0 items-center border-b border-line px-4">
        <h2 className="text-base font-semibold">{m.app_notices()}</h2>
        {unread.length > 0 && (
          <Button variant="ghost" size="sm" className="ms-auto" onClick={() => read(unread)}>
            {m.app_mark_all_read()}
          </Button>
        )}
      </div>
      {messages.length === 0 ? (
        <p className="px-4 py-6 text-ink-2">{m.app_no_notices()}</p>
      ) : (
        <ul className="min-h-0 overflow-y-auto">
          {messages.map((message) => (
            <li key={message.path} className="border-b border-line last:border-0">
              <InboxRow message={message} onClose={onClose} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function InboxRow({ message, onClose }: { message: InboxMessage; onClose: () => void }) {
  const open = () => {
    if (!message.readAt) read([message])
    if (!message.link) return
    onClose()
    navigateTo(message.link)
  }
  return (
    <button type="button" className="flex w-full gap-2.5 px-4 py-3 hover:bg-surface-2" onClick={open}>
      <i className={message.readAt ? 'size-2 shrink-0' : 'mt-1.5 size-2 shrink-0 rounded-full bg-brand'} aria-hidden />
      <span className="min-w-0">
        <b className="block font-semibold text-ink-strong">
          {!message.readAt && <span className="sr-only">{m.app_unread()} </span>}
          {message.title}
        </b>
        <span className="block whitespace-pre-line">{message.body}</span>
        {message.createdAt && (
          <span className="num block text-xs text-ink-2">{formatDayTimeThere(message.createdAt, viewerZone())}</span>
        )}
      </span>
    </button>
  )
}
