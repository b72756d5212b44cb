import { createFileRoute } from '@tanstack/react-router'
import { search, text } from '../addresses/search-shape.ts'
import { ResetPasswordPage } from '../features/identity/reset-password-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/reset-password')({
  staticData: { title: () => m.app_title_reset_password(), layout: 'bare', middleware: [], isPublic: true },
  validateSearch: search({ token: text, email: text }),
  component: ResetPasswordPage,
})
