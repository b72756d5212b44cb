import { useUrlState } from '../../addresses/url-state.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { GuestRules } from './guest-rules.tsx'
import { Outbox } from './outbox.tsx'

/** What left, and what leaves on its own. See docs/screens.md, "Notifications". */
export function NotificationsPage() {
  const [{ show = 'log' }, setUrl] = useUrlState('/_dashboard/tools/notifications')
  const mayReadRules = useAccess().can('settings:read')
  const tabs = mayReadRules && (
    <Segments
      label={m.notifications_log_or_rules()}
      value={show}
      onChange={(key) => setUrl({ show: key === 'log' ? undefined : key, email: undefined }, { push: true })}
      items={[
        { key: 'log', label: m.notifications_log() },
        { key: 'rules', label: m.notifications_rules() },
      ]}
    />
  )
  if (show === 'log' || !mayReadRules) return <Outbox tabs={tabs} />
  return (
    <Page title={m.app_title_notifications()} context={tabs}>
      <GuestRules />
    </Page>
  )
}
