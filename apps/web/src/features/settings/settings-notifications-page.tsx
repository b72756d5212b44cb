import {
  defaultNotificationSettings,
  getNotificationSettings,
  updateNotificationSettings,
} from '@tour-ops/contract/settings/settings'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Page } from '../../ui/page.tsx'
import { DigestPreview } from './digest-preview-later.ts'
import { notificationSections } from './notification-sections.ts'
import { OwnPreferences } from './own-preferences.tsx'
import { PhoneChannels } from './phone-channels-later.ts'
import { type OwnSection, SettingsEditor } from './settings-editor.tsx'

const phoneSection = (): OwnSection => ({
  key: 'phone',
  title: m.settings_mobile(),
  fields: { key: 'phone', title: m.settings_mobile, fields: [] },
  render: (onUnsaved) => <PhoneChannels onUnsaved={onUnsaved} />,
})

/** Sender of the organization for those who may see it, and everybody's own preferences. See docs/screens.md, "Settings". */
export function SettingsNotificationsPage() {
  const { can } = useAccess()
  if (!can('settings:read')) {
    return (
      <Page title={m.settings_mine()}>
        <div className="max-w-[640px]">
          <OwnPreferences />
        </div>
      </Page>
    )
  }
  return (
    <SettingsEditor
      title={m.settings_notifications_title()}
      callables={{ get: getNotificationSettings, update: updateNotificationSettings }}
      sections={notificationSections}
      defaults={defaultNotificationSettings}
      extras={can('departures:dispatch') ? { digest: () => <DigestPreview /> } : undefined}
      after={can('members:manage') ? phoneSection() : undefined}
    >
      <OwnPreferences />
    </SettingsEditor>
  )
}
