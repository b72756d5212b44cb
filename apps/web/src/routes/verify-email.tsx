import { createFileRoute } from '@tanstack/react-router'
import { search, text } from '../addresses/search-shape.ts'
import { VerifyEmailPage } from '../features/identity/verify-email-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/verify-email')({
  staticData: { title: () => m.app_title_verify_email(), layout: 'bare', middleware: [], isPublic: true },
  validateSearch: search({ token: text }),
  component: VerifyEmailPage,
})
