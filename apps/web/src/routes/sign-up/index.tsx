import { createFileRoute } from '@tanstack/react-router'
import { m } from '../../paraglide/messages.js'

export const Route = createFileRoute('/sign-up/')({
  staticData: { title: () => m.app_title_sign_up(), layout: 'bare', middleware: ['signed-out'], isPublic: true },
})
