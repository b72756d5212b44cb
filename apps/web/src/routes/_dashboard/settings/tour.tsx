import { createFileRoute } from '@tanstack/react-router'
import { SettingsTourPage } from '../../../features/settings/settings-tour-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/settings/tour')({
  staticData: {
    title: () => m.app_title_settings_tour(),
    layout: 'dashboard-settings',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'settings:read',
  },
  component: SettingsTourPage,
})
