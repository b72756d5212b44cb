import { Link, useNavigate } from '@tanstack/react-router'
import { CalendarDays, CalendarPlus, Plus, Rows3, StretchHorizontal } from 'lucide-react'
import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Segments, Tabs } from '../../ui/tabs.tsx'
import { ToursTable } from './tours-table.tsx'

const waiting = <SkeletonRows rows={12} />
const DeparturesTable = loadLater(async () => (await import('./departures-table.tsx')).DeparturesTable, waiting)
const DeparturesCalendar = loadLater(
  async () => (await import('./departures-calendar.tsx')).DeparturesCalendar,
  waiting,
)
const ScheduleDialog = loadLater(async () => (await import('./schedule/schedule-dialog.tsx')).ScheduleDialog)
const calendar = onIntent(DeparturesCalendar)

/** "What do we sell, and when does it run?" See docs/screens.md, "Tours". */
export function ToursPage() {
  const [{ show = 'tours', as = 'table', on, schedule }, setUrl] = useUrlState('/_dashboard/tours/all')
  const navigate = useNavigate()
  const { can } = useAccess()
  const isCalendar = show === 'departures' && as !== 'table'
  // The two lists share the names of their parameters; each starts again.
  const showTab = (tab: 'tours' | 'departures') =>
    void navigate({ to: '/tours/all', search: tab === 'tours' ? {} : { show: tab } })
  return (
    <Page
      fill={!isCalendar}
      title={m.app_title_tours()}
      actions={<Actions show={show} onSchedule={() => setUrl({ schedule: 'open' })} />}
    >
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Tabs
          label={m.app_title_tours()}
          value={show}
          onChange={showTab}
          items={[
            { key: 'tours', label: m.tours_tab_tours() },
            { key: 'departures', label: m.tours_tab_departures(), intent: onIntent(DeparturesTable) },
          ]}
        />
        {show === 'departures' && (
          <Segments
            label={m.tours_view_as()}
            value={as}
            onChange={(next) => setUrl({ as: next === 'table' ? undefined : next })}
            items={[
              { key: 'table', label: m.tours_view_table(), icon: Rows3 },
              { key: 'week', label: m.tours_view_week(), icon: StretchHorizontal, intent: calendar },
              { key: 'month', label: m.tours_view_month(), icon: CalendarDays, intent: calendar },
            ]}
          />
        )}
      </div>
      <div className={classNames('flex min-w-0 flex-col', !isCalendar && 'lg:min-h-0 lg:flex-1')}>
        {show === 'tours' ? (
          <ToursTable onSchedule={(tourId) => setUrl({ schedule: tourId })} />
        ) : isCalendar ? (
          <DeparturesCalendar
            as={as}
            on={on}
            onChange={(change) => setUrl(change, { push: change.as !== undefined })}
          />
        ) : (
          <DeparturesTable />
        )}
      </div>
      {schedule !== undefined && can('departures:manage') && (
        <ScheduleDialog
          tourId={schedule === 'open' ? null : schedule}
          onClose={() => setUrl({ schedule: undefined })}
        />
      )}
    </Page>
  )
}

function Actions({ show, onSchedule }: { show: 'tours' | 'departures'; onSchedule: () => void }) {
  const { can } = useAccess()
  return (
    <>
      {can('departures:manage') && (
        <Button
          icon={CalendarPlus}
          variant={show === 'departures' ? 'primary' : 'secondary'}
          onClick={onSchedule}
          {...onIntent(ScheduleDialog)}
        >
          {m.tours_schedule_departures()}
        </Button>
      )}
      {can('tours:manage') && (
        <Link to="/tours/constructor" className={buttonClass({ variant: show === 'tours' ? 'primary' : 'secondary' })}>
          <Plus size={16} aria-hidden />
          {m.tours_new_tour()}
        </Link>
      )}
    </>
  )
}
