import { createFileRoute } from '@tanstack/react-router'
import { PairPage } from '../features/tracking/pair-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/pair')({
  staticData: { title: () => m.app_title_pair(), layout: 'bare', middleware: [], isPublic: true },
  component: PairPage,
})
