import { Link } from '@tanstack/react-router'
import { ArrowRight, RotateCw, Search } from 'lucide-react'
import { Fragment, useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { useAuthStore } from '../../identity/auth-store.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/error-panel.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { PageNotFound, requestIdOf, statusOf } from '../page-error.ts'
import { paths } from '../../addresses/paths.ts'
import { formatToTheSecond } from '../../ui/clock.ts'
import { openPalette } from '../shell/palette-state.tsx'
import { nearbyEntries } from './nearby.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { RouteArt } from './route-art.tsx'

export interface ErrorPageProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

/**
 * The error page of the spec, section 2: status code, status message, description. Status 404 gives 'Page Not Found', any other error
 * 'Internal Server Error', and what carries no status is a 500.
 */
export function ErrorPage({ error, onRetry }: ErrorPageProps) {
  return statusOf(error) === 404 ? (
    <NotFound path={error instanceof PageNotFound ? error.path : location.pathname} />
  ) : (
    <Failure error={error} onRetry={onRetry} />
  )
}

function Frame({
  kind,
  status,
  message,
  path,
  children,
}: {
  kind: 'lost' | 'broken'
  status: number
  message: string
  /** Follows the message, as in the spec's 'Page Not Found: {path}' (section 8). */
  path?: string
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${message} · ${m.app_product_name()}`
  }, [message])
  return (
    <div className="w-full max-w-[500px]" data-error-status={status}>
      <RouteArt kind={kind} />
      <p className="num mt-5 text-sm font-medium text-ink-2">{status}</p>
      <h1 className="text-2xl font-semibold tracking-tight">
        {message}
        {path && (
          <>
            : <Address path={path} />
          </>
        )}
      </h1>
      {children}
    </div>
  )
}

/** Breaks behind its strokes, and inside of a part only where that is longer than a line. */
const Address = ({ path }: { path: string }) => (
  <Ltr className="text-xl font-medium tracking-normal wrap-anywhere">
    {path.split(/(?<=[/-])/).map((part, at) => (
      // eslint-disable-next-line react/no-array-index-key -- parts have no other name, and never move
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </Ltr>
)

function NotFound({ path }: { path: string }) {
  const isMember = useAuthStore((state) => state.organization !== null)
  return (
    <Frame kind="lost" status={404} message={m.errors_page_not_found()} path={path}>
      <p className="mt-1 text-base text-ink">{m.errors_page_not_found_text()}</p>
      {isMember && <Ways path={path} />}
      <div className="mt-5 flex flex-wrap gap-2">
        <Link to={isMember ? paths.overview() : paths.home()} className={buttonClass({ variant: 'primary' })}>
          {isMember ? m.errors_go_to_overview() : m.errors_go_to_start()}
          <ArrowRight size={16} aria-hidden />
        </Link>
        {history.length > 1 && <Button onClick={() => history.back()}>{m.app_back()}</Button>}
      </div>
    </Frame>
  )
}

/** Ways on for people who may look around: a search, and the pages whose address is nearest. */
function Ways({ path }: { path: string }) {
  const [query, setQuery] = useState('')
  const search = (event: FormEvent) => {
    event.preventDefault()
    openPalette(query)
  }
  const nearby = nearbyEntries(path)
  return (
    <>
      <form role="search" className="relative mt-5" onSubmit={search}>
        <Search size={16} className="absolute start-3 top-1/2 -translate-y-1/2 text-ink-2" aria-hidden />
        <input
          type="search"
          className="inp ps-9"
          aria-label={m.app_search()}
          placeholder={m.errors_search_placeholder()}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </form>
      <p className="mt-3 text-ink-2">
        {m.errors_close_to_it()}{' '}
        {nearby.map((entry, index) => (
          <span key={entry.path}>
            {index > 0 && ', '}
            <Link to={entry.path} className="link">
              {entry.label()}
            </Link>
          </span>
        ))}
      </p>
    </>
  )
}

function Failure({ error, onRetry }: ErrorPageProps) {
  const [failedAt] = useState(() => Date.now())
  const requestId = requestIdOf(error)
  return (
    <Frame kind="broken" status={statusOf(error)} message={m.errors_internal_server_error()}>
      <p className="mt-1 text-base text-ink">{refusalText(error)}</p>
      <dl className="card mt-5">
        {requestId && (
          <div className="flex min-h-10 items-center gap-3 border-b border-line px-4 py-1">
            <dt className="w-20 shrink-0 text-ink-2">{m.errors_request()}</dt>
            <dd className="flex min-w-0 flex-1 items-center text-ink-strong">
              <Ltr className="num truncate">{requestId}</Ltr>
              <span className="ms-auto">
                <CopyButton text={requestId} label={m.errors_copy_request()} />
              </span>
            </dd>
          </div>
        )}
        <div className="flex min-h-10 items-center gap-3 px-4 py-2">
          <dt className="w-20 shrink-0 text-ink-2">{m.errors_time()}</dt>
          <dd className="num text-ink-strong">{formatToTheSecond(failedAt)}</dd>
        </div>
      </dl>
      <div className="mt-5 flex flex-wrap gap-2">
        {onRetry && (
          <Button variant="primary" icon={RotateCw} onClick={onRetry}>
            {m.app_try_again()}
          </Button>
        )}
        <a href={paths.home()} className={buttonClass({ variant: onRetry ? 'secondary' : 'primary' })}>
          {m.errors_go_to_start()}
        </a>
      </div>
    </Frame>
  )
}
