import { m } from '../../../paraglide/messages.js'
import { formatMoment } from '../../../ui/format.ts'
import { DutyPage } from '../components/page.tsx'
import type { ShownDay } from '../store/shown-day.ts'

const parts = [
  [m.duty_unchecked_seats, m.duty_unchecked_seats_text],
  [m.duty_unchecked_doors, m.duty_unchecked_doors_text],
  [m.duty_unchecked_cancelled, m.duty_unchecked_cancelled_text],
  [m.duty_unchecked_offers, m.duty_unchecked_offers_text],
] as const

/** What a phone without a signal cannot know. */
export const OfflinePage = ({ day }: { day: ShownDay }) => (
  <DutyPage title={m.duty_offline_what()} back="/">
    <div className="grid gap-4 p-4">
      <p>{m.duty_unchecked_intro({ time: formatMoment(day.asOf) })}</p>
      {parts.map(([title, text]) => (
        <section key={title()}>
          <h2>{title()}</h2>
          <p>{text()}</p>
        </section>
      ))}
      <p>{m.duty_unchecked_end()}</p>
    </div>
  </DutyPage>
)
