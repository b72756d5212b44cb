import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_dashboard/user-management/')({
  beforeLoad: () => {
    throw redirect({ to: '/user-management/list', replace: true })
  },
})
