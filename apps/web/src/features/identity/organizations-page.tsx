import { serviceWidgets } from '../../identity/service-widgets.ts'
import { OrganizationList } from '../../identity/widgets/organization-list.tsx'

/** The choice of an organization. */
export function OrganizationsPage() {
  const service = serviceWidgets()
  return service ? <service.OrganizationList /> : <OrganizationList />
}
