import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { GuestRules } from './guest-rules.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { useMayWrite } from './message-guests.tsx'
import { Outbox } from './outbox.tsx'

const MessageTemplates = loadLater(async () => (await import('./message-templates.tsx')).MessageTemplates)

/** What left, and what leaves on its own. See docs/screens.md, "Notifications". */
export function NotificationsPage() {
  const [{ show = 'log' }, setUrl] = useUrlState('/_dashboard/tools/notifications')
  const mayReadRules = useAccess().can('settings:read')
  const mayChange = useAccess().can('notifications:manage')
  const mayWrite = useMayWrite() || mayChange
  const items = [
    { key: 'log', label: m.notifications_log() },
    ...(mayReadRules ? [{ key: 'rules', label: m.notifications_rules() } as const] : []),
    ...(mayWrite ? [{ key: 'templates', label: m.notifications_templates() } as const] : []),
  ] as const
  const tabs = items.length > 1 && (
    <Segments
      label={m.notifications_log_or_rules()}
      value={show}
      onChange={(key) => setUrl({ show: key === 'log' ? undefined : key, email: undefined }, { push: true })}
      items={items}
    />
  )
  if (!items.some(({ key }) => key === show) || show === 'log') return <Outbox tabs={tabs} />
  return (
    <Page title={m.app_title_notifications()} context={tabs}>
      {show === 'rules' ? <GuestRules /> : <MessageTemplates />}
    </Page>
  )
}
