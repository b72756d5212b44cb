import { createFileRoute } from '@tanstack/react-router'
import { isEntityId } from '../../../../addresses/entity-id.ts'
import { matching, search } from '../../../../addresses/search-shape.ts'
import { VehiclePage } from '../../../../features/vehicles/vehicle-page.tsx'
import { m } from '../../../../paraglide/messages.js'

export const Route = createFileRoute('/_dashboard/vehicles/details/$id')({
  staticData: {
    title: () => m.vehicles_details(),
    layout: 'dashboard',
    middleware: ['signed-in', 'organization', 'permission'],
    permission: 'staff:read',
    validate: ({ id }) => isEntityId(id),
  },
  validateSearch: search({ month: matching(/^\d{4}-(0[1-9]|1[0-2])$/) }),
  component: VehiclePage,
})
