import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_dashboard/tours/')({
  beforeLoad: () => {
    throw redirect({ to: '/tours/all', replace: true })
  },
})
