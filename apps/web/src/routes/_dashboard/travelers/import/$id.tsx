import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { oneOf, search } from '../../../../addresses/search-shape.ts'
import { ImportPage } from '../../../../features/imports/import-wizard.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/travelers/import/$id')({
  staticData: {
    title: () => m.imports_title(),
    layout: 'dashboard-travelers',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'travelers:manage',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({
    step: oneOf('columns', 'check', 'import'),
    show: oneOf('reject', 'duplicates', 'warned', 'change', 'add', 'unchanged'),
  }),
  component: ImportPage,
})
