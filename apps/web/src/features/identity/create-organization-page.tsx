import { CreateOrganizationForm } from '../../identity/widgets/create-organization-form.tsx'
import { IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { m } from '../../paraglide/messages.js'

export const CreateOrganizationPage = () => (
  <IdentityCard title={m.app_title_create_organization()} lead={m.identity_create_organization_lead()}>
    <CreateOrganizationForm />
  </IdentityCard>
)
