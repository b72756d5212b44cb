import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { buttonClass } from '../../ui/button.tsx'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { Roster } from './roster.tsx'

const Planner = loadLater(async () => (await import('./planner.tsx')).Planner, <SkeletonRows rows={12} />)

/** "Who is there, and who does what when?" See docs/screens.md, "Field staff". */
export function FieldStaffListPage() {
  const [{ show = 'roster' }, setAddress] = useUrlState('/_dashboard/field-staff/list')
  const { can } = useAccess()
  return (
    <Page
      fill
      title={m.app_title_staff_list()}
      context={
        <Segments
          label={m.field_staff_view()}
          items={[
            { key: 'roster', label: m.field_staff_roster() },
            { key: 'planner', label: m.field_staff_planner(), intent: onIntent(Planner) },
          ]}
          value={show}
          onChange={(next) => setAddress({ show: next }, { push: true })}
        />
      }
      actions={
        can('staff:manage') && (
          <Link
            to="/field-staff/create"
            className={buttonClass({ variant: show === 'roster' ? 'primary' : 'secondary' })}
          >
            <Plus size={16} aria-hidden />
            {m.field_staff_new()}
          </Link>
        )
      }
    >
      {show === 'roster' ? <Roster /> : <Planner />}
    </Page>
  )
}
