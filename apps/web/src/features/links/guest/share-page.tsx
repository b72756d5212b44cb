import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AppError } from '@tour-ops/contract/errors'
import { getSharedPage, type SharedAnswer } from '@tour-ops/contract/links/shared-page'
import { Link2Off } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { currentLocale, locales, switchLocale } from '../../../ui/locale.ts'
import { LanguageMenu } from '../../../app/shell/language-menu.tsx'
import { useNow } from '../../../ui/clock.ts'
import { mayRepeat } from '../../../backend/queries.ts'
import { currentBackend } from '../../../backend/port.ts'
import { m } from '../../../paraglide/messages.js'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatDayTime, formatTime, setFormatRegion } from '../../../ui/format.ts'
import { Mark } from '../../../ui/mark.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { GuestPage } from './guest-page.tsx'
import { GuestRollCall } from './guest-roll-call.tsx'
import { LiveMapPage, ReportLinkPage, SupplierPage } from './other-pages-later.ts'
import { keyOfLink } from './link-key-here.ts'
import { markAnswered, visitOf } from './visit.ts'
import './share.css'

/** An open page asks this often, so that a revoked link closes within 5 s. See docs/domain.md, "Shared links". */
const refetchMs = 4_000
/** Minutes to go are repainted this often. */
const clockMs = 10_000

/** A page for people without an account, at `/share/{token}`. No script, picture or font of anybody else. */
export function SharePage() {
  const { token } = useParams({ from: '/share/$token' })
  useNoIndex()
  const key = keyOfLink(token)
  const { data, error, dataUpdatedAt, refetch } = useSharedPage(token, key)
  const clock = useNow(clockMs)
  useLanguageOfLink(data?.language ?? null)
  usePasscode(error)
  // Ended counts at once, also over a page that was open.
  if (error?.code === 'not-found' || error?.code === 'invalid-argument') return <Closed opensAt={opensAtOf(error)} />
  if (!data) {
    return (
      <Frame title={m.app_product_name()}>
        {error ? (
          <div className="p-4">
            <Banner
              tone="warn"
              role="alert"
              title={m.links_guest_no_answer()}
              actions={<Button onClick={() => void refetch()}>{m.ui_retry()}</Button>}
            >
              {m.links_guest_no_answer_text()}
            </Banner>
          </div>
        ) : (
          <SkeletonRows rows={8} label={m.links_guest_loading()} />
        )}
      </Frame>
    )
  }
  const now = Date.parse(data.now) + Math.max(0, clock - dataUpdatedAt)
  return (
    <Frame
      isWide={data.kind === 'live_map' || data.kind === 'report'}
      title={'party' in data && data.state === 'during' ? data.departure.tourName : data.organization.name}
    >
      {error && (
        <div className="px-4 pt-3">
          <Banner tone="warn" role="status">
            {m.links_guest_as_of({
              time: formatTime(dataUpdatedAt, 'departure' in data ? data.departure.timeZone : data.timeZone),
            })}
          </Banner>
        </div>
      )}
      {data.isPreview && (
        <div className="px-4 py-3">
          <PreviewNote isGuest={'party' in data} />
        </div>
      )}
      <PageOf page={data} now={now} token={key} />
    </Frame>
  )
}

interface PageOfProps {
  page: SharedAnswer
  now: number
  token: string
}

/** The page of the link, by its kind. */
function PageOf({ page, now, token }: PageOfProps) {
  if (page.kind === 'supplier_manifest') return <SupplierPage page={page} now={now} />
  if (page.kind === 'live_map') return <LiveMapPage page={page} />
  if (page.kind === 'report') return <ReportLinkPage page={page} />
  return (
    <>
      {page.rollCall && <GuestRollCall token={token} page={page} rollCall={page.rollCall} />}
      <GuestPage page={page} now={now} token={token} />
    </>
  )
}

const PreviewNote = ({ isGuest }: { isGuest: boolean }) => (
  <Banner tone="info" role="status" title={isGuest ? m.links_guest_preview() : m.links_board_preview()}>
    {isGuest ? m.links_guest_preview_text() : m.links_board_preview_text()}
  </Banner>
)

/** Guests have no office: the clock is the tour's, the calendar their language's. */
const guestRegion = { firstWeekday: null, units: 'metric', timeZone: null } as const

/** Asks again and again while the page is seen. Only the first answer of a tab is a visit, however often it is asked for. @param key What the page calls with. */
function useSharedPage(token: string, key: string) {
  return useQuery<SharedAnswer>({
    queryKey: [getSharedPage.name, key],
    queryFn: async ({ signal }) => {
      const page = await currentBackend().call(getSharedPage, { token: key, visit: visitOf(token) }, { signal })
      markAnswered(token)
      setFormatRegion({ ...guestRegion, timeFormat: page.organization.timeFormat })
      return page
    },
    staleTime: 0,
    retry: (failures, error) => mayRepeat(getSharedPage, failures, error),
    refetchInterval: ({ state: { error } }) =>
      error?.code === 'not-found' || needsPasscode(error) ? false : refetchMs,
  })
}

/** The language that the sender chose, unless the guest has chosen one. Asked for once per tab: a switch loads the page again. */
function useLanguageOfLink(language: string | null): void {
  useEffect(() => {
    const wanted = locales.find((locale) => locale === language?.split('-')[0])
    if (!wanted || wanted === currentLocale()) return
    try {
      if (sessionStorage.getItem('share-language') !== null) return
      sessionStorage.setItem('share-language', wanted)
    } catch {
      // Without storage the page would load itself again and again.
      return
    }
    void switchLocale(wanted)
  }, [language])
}

const needsPasscode = (error: AppError | null): boolean => error?.details.reason === 'link_passcode_needed'

/** The passcode was set or changed while the page was open: loaded again, the server asks for it. */
function usePasscode(error: AppError | null): void {
  const isAsked = needsPasscode(error)
  useEffect(() => {
    if (isAsked) location.reload()
  }, [isAsked])
}

/** The address is the secret: no search engine keeps it. The server says the same in a header. */
function useNoIndex(): void {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex, nofollow'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}

function Frame({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className="share" data-wide={isWide || undefined}>
      <header className="share-head">
        <Mark size={24} />
        <b className="min-w-0 truncate text-[17px] font-semibold text-ink-strong">{title}</b>
        <span className="ms-auto">
          <LanguageMenu />
        </span>
      </header>
      {children}
    </div>
  )
}

/** When a link opens that is not open yet. */
function opensAtOf({ details }: AppError): string | null {
  const opensAt = details.reason === 'shared_link_early' ? details['opensAt'] : null
  return typeof opensAt === 'string' ? opensAt : null
}

/** One page for expired, revoked, paused and unknown links, so that it reveals nothing; for one that is not open yet it says when it is. */
function Closed({ opensAt }: { opensAt: string | null }) {
  return (
    <Frame title={m.app_product_name()}>
      <div className="flex flex-1 flex-col items-center justify-center px-6 py-16 text-center">
        <span className="grid size-20 place-items-center rounded-2xl border border-line bg-surface text-ink-2">
          <Link2Off size={36} strokeWidth={1.75} aria-hidden />
        </span>
        <h1 className="mt-7 text-[26px] leading-8 font-semibold tracking-tight text-ink-strong">
          {opensAt === null ? m.links_guest_ended() : m.links_guest_early()}
        </h1>
        <p className="mt-2 max-w-[360px] text-lg">
          {opensAt === null ? m.links_guest_ended_text() : m.links_guest_early_text({ time: formatDayTime(opensAt) })}
        </p>
      </div>
      <p className="px-4 pb-6 text-center text-base text-ink-2">{m.links_guest_emergency()}</p>
    </Frame>
  )
}
