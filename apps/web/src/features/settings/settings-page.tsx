import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getGeneralSettings, getNotificationSettings, getTourSettings } from '@tour-ops/contract/settings/settings'
import { BellRing, Building2, type LucideIcon, Route, Send, Webhook } from 'lucide-react'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { NoMatch } from '../../ui/empty.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { formatWeekday, formatZone } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { generalSections } from './general-sections.ts'
import { notificationSections } from './notification-sections.ts'
import { secondFactorFields } from './second-factor-fields.ts'
import { useSecondFactorRule } from './second-factor-rule.tsx'
import { idOf } from './setting-control.tsx'
import type { SettingField, SettingSection } from './settings-model.ts'
import { tourSections } from './tour-sections.ts'

type SettingsPath = '/settings/general' | '/settings/tour' | '/settings/notifications'

interface Found {
  path: SettingsPath
  page: string
  section: SettingSection
  field: SettingField
}

const pages: readonly { path: SettingsPath; title: () => string; sections: readonly SettingSection[] }[] = [
  { path: '/settings/general', title: m.settings_general_title, sections: generalSections },
  { path: '/settings/tour', title: m.settings_tour_title, sections: tourSections },
  { path: '/settings/notifications', title: m.settings_notifications_title, sections: notificationSections },
]

function find(q: string, hasFactorRule: boolean): Found[] {
  const wanted = q.toLowerCase()
  return pages.flatMap(({ path, title, sections }) =>
    [...sections, ...(hasFactorRule && path === '/settings/general' ? [secondFactorFields] : [])].flatMap((section) =>
      section.fields
        .filter((field) =>
          [field.label(), field.hint?.() ?? '', section.title()].join(' ').toLowerCase().includes(wanted),
        )
        .map((field) => ({ path, page: title(), section, field })),
    ),
  )
}

/** What can be set, each with one line of how it is now, and a search over every field. See docs/screens.md, "Settings". */
export function SettingsPage() {
  const [{ q = '' }, setUrl] = useUrlState('/_dashboard/settings/')
  const { can } = useAccess()
  const mayRead = can('settings:read')
  return (
    <Page
      title={m.app_title_settings()}
      actions={
        mayRead && (
          <SearchInput
            className="w-[280px] max-w-full"
            label={m.settings_find()}
            placeholder={m.settings_find()}
            value={q}
            onChange={(next) => setUrl({ q: next })}
          />
        )
      }
    >
      {q.trim() !== '' && mayRead ? (
        <Results q={q.trim()} onClear={() => setUrl({ q: '' })} />
      ) : (
        <Cards mayRead={mayRead} mayManage={can('settings:manage')} />
      )}
    </Page>
  )
}

function Cards({ mayRead, mayManage }: { mayRead: boolean; mayManage: boolean }) {
  const general = useQuery({ ...callQuery(getGeneralSettings, {}), enabled: mayRead }).data?.settings
  const tour = useQuery({ ...callQuery(getTourSettings, {}), enabled: mayRead }).data?.settings
  const emails = useQuery({ ...callQuery(getNotificationSettings, {}), enabled: mayRead }).data?.settings
  return (
    <ul className="grid max-w-[1040px] gap-4 sm:grid-cols-2">
      {mayRead && (
        <>
          <Entry
            to="/settings/general"
            icon={Building2}
            title={m.settings_general_title()}
            about={m.settings_general_about()}
          >
            {general &&
              m.settings_general_state({
                zone: formatZone(general.timeZone),
                currency: general.currency,
                day: formatWeekday(general.weekStart === 0 ? 7 : general.weekStart),
              })}
          </Entry>
          <Entry to="/settings/tour" icon={Route} title={m.settings_tour_title()} about={m.settings_tour_about()}>
            {tour && m.settings_tour_state({ late: tour.runningLateMin, critical: tour.atRiskMin })}
          </Entry>
          <Entry
            to="/settings/notifications"
            icon={Send}
            title={m.settings_notifications_title()}
            about={m.settings_notifications_about()}
          >
            {emails &&
              (emails.senderName
                ? m.settings_notifications_state({ name: emails.senderName })
                : m.settings_notifications_state_none())}
          </Entry>
        </>
      )}
      {mayManage && (
        <Entry
          to="/settings/webhooks"
          icon={Webhook}
          title={m.app_title_settings_webhooks()}
          about={m.webhooks_about_short()}
        >
          {m.webhooks_state()}
        </Entry>
      )}
      <Entry
        to="/settings/notifications"
        hash="mine"
        icon={BellRing}
        title={m.settings_mine()}
        about={m.settings_mine_about()}
      >
        {m.settings_mine_state()}
      </Entry>
    </ul>
  )
}

interface EntryProps {
  to: SettingsPath | '/settings/webhooks'
  hash?: string
  icon: LucideIcon
  title: string
  about: string
  /** How it is now, in one line. */
  children: string | undefined
}

function Entry({ to, hash, icon: Icon, title, about, children }: EntryProps) {
  return (
    <li>
      <Link to={to} {...(hash && { hash })} className="card flex h-full gap-3 p-4 hover:bg-surface-2">
        <Icon size={20} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-2" aria-hidden />
        <span className="min-w-0">
          <span className="block text-base font-semibold text-ink-strong">{title}</span>
          <span className="block text-ink-2">{about}</span>
          <span className="num mt-2 block min-h-5 font-medium text-ink-strong">{children}</span>
        </span>
      </Link>
    </li>
  )
}

function Results({ q, onClear }: { q: string; onClear: () => void }) {
  const found = find(q, useSecondFactorRule())
  if (found.length === 0) return <NoMatch onClear={onClear} />
  return (
    <ul className="card max-w-[720px] divide-y divide-line" aria-label={m.settings_found()}>
      {found.map(({ path, page, section, field }) => (
        <li key={`${path} ${field.path}`}>
          <Link to={path} hash={idOf(field)} className="block px-4 py-2.5 hover:bg-surface-2">
            <span className="block font-medium text-ink-strong">{field.label()}</span>
            <span className="block text-xs text-ink-2">
              {page} · {section.title()}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
