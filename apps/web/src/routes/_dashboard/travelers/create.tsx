import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_dashboard/travelers/create')({
  beforeLoad: () => {
    throw redirect({ to: '/travelers/edit/$id', params: { id: 'create' }, replace: true })
  },
})
