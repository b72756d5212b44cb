import { createFileRoute } from '@tanstack/react-router'
import { NewImportPage } from '../../../../features/imports/import-wizard.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/import/')({
  staticData: {
    title: () => m.imports_title(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:manage',
  },
  component: NewImportPage,
})
