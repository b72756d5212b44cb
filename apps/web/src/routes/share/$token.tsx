import { createFileRoute } from '@tanstack/react-router'
import { SharePage } from '../../features/links/guest/share-page.tsx'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/share/$token')({
  staticData: { title: () => m.app_title_share(), layout: 'own', middleware: [], isPublic: true },
  component: SharePage,
})
