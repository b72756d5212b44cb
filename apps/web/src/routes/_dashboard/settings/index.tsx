import { createFileRoute } from '@tanstack/react-router'
import { search, text } from '../../../addresses/search-shape.ts'
import { SettingsPage } from '../../../features/settings/settings-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/settings/')({
  staticData: {
    title: () => m.app_title_settings(),
    layout: 'dashboard-settings',
    middleware: ['signed-in', 'organization'],
  },
  validateSearch: search({ q: text }),
  component: SettingsPage,
})
