import { createFileRoute } from '@tanstack/react-router'
import { SettingsNotificationsPage } from '../../../features/settings/settings-notifications-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/settings/notifications')({
  staticData: {
    title: () => m.app_title_settings_notifications(),
    layout: 'dashboard-settings',
    middleware: ['signed-in', 'organization'],
  },
  component: SettingsNotificationsPage,
})
