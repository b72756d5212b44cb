import { createFileRoute } from '@tanstack/react-router'
import { loadPagePayload } from '../app/page-payload.ts'
import { search, text } from '../addresses/search-shape.ts'
import { WaitlistPage } from '../features/identity/waitlist-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/waitlist')({
  staticData: { title: () => m.app_title_waitlist(), layout: 'bare', middleware: [], isPublic: true },
  loader: () => loadPagePayload('/waitlist'),
  validateSearch: search({ email: text }),
  component: WaitlistPage,
})
