import { Ban, CloudOff, Download, Info, KeyRound, TriangleAlert } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { formatTime } from '../../../ui/format.ts'
import { usePhone, useWaiting } from '../store/phone.ts'
import { Bar } from './bar.tsx'
import { isUrgent } from '../rules/help-call.ts'
import { signInPath } from './sign-in-path.ts'

// what is missing where its code does not come is on the page of the call as well
const HelpBar = lazy(() =>
  import('../screens/help-bar.tsx')
    .then(({ HelpBar: Loaded }) => ({ default: Loaded }))
    .catch(() => ({ default: () => null })),
)

/** Bars under the head: no signal, a session that has expired, refused marks, nothing stored, an update. Work continues with all of them. */
export function Notices() {
  const person = usePhone((state) => state.person)
  const isKept = usePhone((state) => state.isKept)
  const [path] = useLocation()
  const hasUpdate = usePhone((state) => state.hasUpdate)
  const refused = usePhone(({ kept }) => kept.filter(({ outcome }) => outcome?.outcome === 'refused').length)
  const hasCalled = usePhone(({ day, kept }) => Boolean(day?.help) || kept.some(({ event }) => isUrgent(event)))
  return (
    <>
      {hasCalled && !path.endsWith('/help') && (
        <Suspense>
          <HelpBar />
        </Suspense>
      )}
      <OfflineBar />
      {person === 'expired' && (
        <Bar
          icon={KeyRound}
          tone="warn"
          text={m.duty_expired()}
          action={
            <a href={signInPath} className="duty-link px-2 underline">
              {m.duty_sign_in_again()}
            </a>
          }
        />
      )}
      {refused > 0 && path !== '/refused' && (
        <Bar
          icon={Ban}
          tone="bad"
          text={m.duty_refused_bar({ count: refused })}
          action={
            <Link href="/refused" className="duty-link px-2 underline">
              {m.duty_look()}
            </Link>
          }
        />
      )}
      {!isKept && <Bar icon={TriangleAlert} tone="warn" text={m.duty_nothing_kept()} />}
      {hasUpdate && <Bar icon={Download} tone="info" text={m.duty_update()} />}
    </>
  )
}

function OfflineBar() {
  const since = usePhone((state) => state.offlineSince)
  const waiting = useWaiting()
  const [path] = useLocation()
  if (since === null) return null
  return (
    <Bar
      icon={CloudOff}
      title={m.duty_offline_since({ time: formatTime(since) })}
      text={waiting === 0 ? m.duty_offline_go_on() : m.duty_offline_waiting({ count: waiting })}
      action={
        path !== '/offline' && (
          <Link href="/offline" className="duty-icon" aria-label={m.duty_offline_what()}>
            <Info size={22} aria-hidden />
          </Link>
        )
      }
    />
  )
}
