import { OrganizationList } from '../../identity/widgets/organization-list.tsx'

/** The choice of an organization. */
export const OrganizationsPage = () => <OrganizationList />
