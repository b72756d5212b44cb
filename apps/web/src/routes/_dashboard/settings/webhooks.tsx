import { createFileRoute } from '@tanstack/react-router'
import { listSearch, text } from '../../../addresses/search-shape.ts'
import { WebhooksPage } from '../../../features/webhooks/webhooks-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/settings/webhooks')({
  staticData: {
    title: () => m.app_title_settings_webhooks(),
    layout: 'dashboard-settings',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'settings:manage',
  },
  validateSearch: listSearch({ delivery: text }),
  component: WebhooksPage,
})
