import type { SharedPage } from '@tour-ops/contract/links/shared-page'
import { m } from '../../../paraglide/messages.js'
import { formatDayTime } from '../../../ui/format.ts'

interface GuestNewsProps {
  news: SharedPage['news']
  organization: string
  /** Of the tour. */
  timeZone: string
}

/** What the office has written to the party, alone or with all of its departure. */
export const GuestNews = ({ news, organization, timeZone }: GuestNewsProps) => (
  <section className="share-block" aria-labelledby="guest-news">
    <h2 id="guest-news" className="mb-3 text-[17px] font-semibold text-ink-strong">
      {m.links_news_title({ organization })}
    </h2>
    <ul className="grid gap-4">
      {news.map(({ id, subject, body, at }) => (
        <li key={id}>
          <p className="text-ink-2">{formatDayTime(at, timeZone)}</p>
          <b className="block font-semibold break-words text-ink-strong">
            <bdi>{subject}</bdi>
          </b>
          <p className="break-words whitespace-pre-line">
            <bdi>{body}</bdi>
          </p>
        </li>
      ))}
    </ul>
  </section>
)
