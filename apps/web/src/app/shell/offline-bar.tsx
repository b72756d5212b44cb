import { CloudOff } from 'lucide-react'
import { useEffect } from 'react'
import { useLiveState } from '../../backend/live.ts'
import { m } from '../../paraglide/messages.js'
import { formatTimeThere, viewerZone } from '../../ui/format.ts'

/** Shows the age of the data while the server is not reachable; 45 high, below the app bar. */
export function OfflineBar() {
  const { connection, lastEventAt } = useLiveState()
  const isOffline = connection === 'offline'
  useEffect(() => {
    document.documentElement.toggleAttribute('data-offline', isOffline)
    return () => document.documentElement.removeAttribute('data-offline')
  }, [isOffline])
  if (!isOffline) return null
  return (
    <div
      role="status"
      className="tone-neutral flex min-h-[45px] items-center gap-2.5 border-b border-line bg-[var(--tint)] px-4 py-2 text-[var(--fg)] lg:px-6"
    >
      <CloudOff size={16} className="shrink-0" aria-hidden />
      <span className="min-w-0">
        {lastEventAt !== null && (
          <b className="num text-ink-strong">
            {m.app_offline_data_from({ time: formatTimeThere(lastEventAt, viewerZone()) })}{' '}
          </b>
        )}
        {m.app_offline_text()}
      </span>
      <button
        type="button"
        className="btn btn-secondary btn-sm ms-auto"
        onClick={() => window.dispatchEvent(new Event('online'))}
      >
        {m.app_try_now()}
      </button>
    </div>
  )
}
