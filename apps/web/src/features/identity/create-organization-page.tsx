import { serviceWidgets } from '../../identity/service-widgets.ts'
import { CreateOrganizationForm } from '../../identity/widgets/create-organization-form.tsx'
import { IdentityCard } from '../../identity/widgets/identity-card.tsx'
import { m } from '../../paraglide/messages.js'

/** A new organization, which becomes the active one. */
export function CreateOrganizationPage() {
  const service = serviceWidgets()
  if (service) return <service.CreateOrganization />
  return (
    <IdentityCard title={m.app_title_create_organization()} lead={m.identity_create_organization_lead()}>
      <CreateOrganizationForm />
    </IdentityCard>
  )
}
