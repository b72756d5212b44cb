import { createFileRoute } from '@tanstack/react-router'
import { entity, listSearch, oneOf, text } from '../../../addresses/search-shape.ts'
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
    // one of `creatableLinkKinds`, which the page knows: named here they would be in the first load of every page
    kind: text,
    for: entity,
    supplier: entity,
    // as `reportInAddress` writes it
    report: text,
  }),
  component: SharedLinksPage,
})
