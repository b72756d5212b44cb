import { isRunning } from '@tour-ops/contract/state-machines'
import { CloudOff, Ellipsis, type LucideIcon, ScanLine, Settings, Siren, Users } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { m } from '../../../paraglide/messages.js'
import { Sheet } from '../components/sheet.tsx'
import { isOffered } from '../rules/my-day.ts'
import { countableStop } from '../rules/way.ts'
import type { ShownDay, ShownDeparture } from '../store/shown-day.ts'
import { AccountSheet } from './account-sheet.tsx'

/** What else there is to do on a run sheet, from wherever it was scrolled to. */
export function RunSheetMenu({ day, shown }: { day: ShownDay; shown: ShownDeparture }) {
  const [open, setOpen] = useState<'menu' | 'account' | null>(null)
  const close = () => setOpen(null)
  const tour = `/tours/${shown.id}`
  const stop = countableStop(shown)
  const mayMark = isRunning(shown.departure) && shown.can.mark
  return (
    <>
      <button type="button" className="duty-icon" aria-label={m.duty_more()} onClick={() => setOpen('menu')}>
        <Ellipsis size={22} aria-hidden />
      </button>
      {open === 'menu' && (
        <Sheet title={m.duty_more()} onClose={close}>
          <div className="duty-card duty-rows overflow-hidden">
            {!isOffered(shown) && <MenuLink href={`${tour}/incident`} icon={Siren} label={m.duty_incident()} />}
            {mayMark && <MenuLink href={`${tour}/scan`} icon={ScanLine} label={m.duty_scan()} />}
            {mayMark && stop && (
              <MenuLink
                href={`${tour}/count/${stop.id}`}
                icon={Users}
                label={m.duty_count_at({ place: stop.placeName })}
              />
            )}
            <MenuLink href="/offline" icon={CloudOff} label={m.duty_offline_what()} />
            <button type="button" className="duty-row text-ink-strong" onClick={() => setOpen('account')}>
              <Settings size={20} className="shrink-0 text-ink-2" aria-hidden />
              {m.duty_account({ name: day.person.name })}
            </button>
          </div>
        </Sheet>
      )}
      {open === 'account' && <AccountSheet day={day} onClose={close} />}
    </>
  )
}

const MenuLink = ({ href, icon: Icon, label }: { href: string; icon: LucideIcon; label: string }) => (
  <Link href={href} className="duty-row text-ink-strong">
    <Icon size={20} className="shrink-0 text-ink-2" aria-hidden />
    {label}
  </Link>
)
