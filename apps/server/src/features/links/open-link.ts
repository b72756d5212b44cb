import type { LinkScopes, SharedPage } from '@tour-ops/contract/links/links'

/** An open link, as the guest's page needs it. */
export interface OpenLink {
  readonly orgId: string
  readonly id: string
  readonly kind: SharedPage['kind']
  readonly subjectId: string
  readonly departureId: string
  readonly scopes: LinkScopes
  readonly language: string | null
  readonly expiresAt: Date
}
