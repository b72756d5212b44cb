import { createFileRoute } from '@tanstack/react-router'
import { SettingsGeneralPage } from '../../../features/settings/settings-general-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/settings/general')({
  staticData: {
    title: () => m.app_title_settings_general(),
    layout: 'dashboard-settings',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'settings:read',
  },
  component: SettingsGeneralPage,
})
