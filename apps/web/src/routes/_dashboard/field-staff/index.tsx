import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_dashboard/field-staff/')({
  beforeLoad: () => {
    throw redirect({ to: '/field-staff/list', replace: true })
  },
})
