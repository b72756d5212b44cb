import { createFileRoute } from '@tanstack/react-router'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/sign-in/$')({
  staticData: { title: () => m.app_title_sign_in(), layout: 'bare', middleware: ['signed-out'], isPublic: true },
})
