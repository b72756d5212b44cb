import { createFileRoute } from '@tanstack/react-router'
import { entity, listSearch, oneOf } from '../../../addresses/search-shape.ts'
import { creatableLinkKinds } from '@tour-ops/contract/links/links'
import { SharedLinksPage } from '../../../features/links/shared-links-page.tsx'
import { m } from '../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/tools/shared-links')({
  staticData: {
    title: () => m.app_title_shared_links(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'links:read',
  },
  validateSearch: listSearch({
    create: oneOf('open'),
    kind: oneOf(...creatableLinkKinds),
    for: entity,
    supplier: entity,
  }),
  component: SharedLinksPage,
})
