import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_dashboard/travelers/')({
  beforeLoad: () => {
    throw redirect({ to: '/travelers/list', replace: true })
  },
})
