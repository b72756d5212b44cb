import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '../features/identity/reset-password-page.tsx'
import { m } from '../paraglide/messages.js'

export const Route = createFileRoute('/reset-password')({
  staticData: { title: () => m.app_title_reset_password(), layout: 'bare', middleware: [], isPublic: true },
  component: ResetPasswordPage,
})
