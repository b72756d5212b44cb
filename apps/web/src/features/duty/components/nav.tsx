import { CalendarDays, ClipboardList, type LucideIcon, Users } from 'lucide-react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'

type Place = 'day' | 'run-sheet' | 'guests'

/** The three parts of the day. Run sheet and guests are those of one departure; without one there is only My day. */
export function DutyNav({ at, departureId }: { at: Place; departureId: string | undefined }) {
  const entry = (place: Place, href: string, label: string, Icon: LucideIcon) => (
    <Link href={href} aria-current={at === place ? 'page' : undefined}>
      <Icon size={22} aria-hidden />
      {label}
    </Link>
  )
  return (
    <nav className="duty-nav" aria-label={m.duty_nav()}>
      {entry('day', '/', m.duty_my_day(), CalendarDays)}
      {departureId !== undefined && entry('run-sheet', `/tours/${departureId}`, m.duty_run_sheet(), ClipboardList)}
      {departureId !== undefined && entry('guests', `/tours/${departureId}/guests`, m.duty_guests(), Users)}
    </nav>
  )
}
