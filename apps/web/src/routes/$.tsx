import { createFileRoute } from '@tanstack/react-router'

/** Whatever no other route takes: 'Page Not Found: {path}', signed out too. */
export const Route = createFileRoute('/$')({
  staticData: { layout: 'bare', isPublic: true, validate: () => false },
})
