/** Keys of what the identity service answers; cleared with everything else when the person or the organization changes. */
export const organizationsKey = ['identity-organizations'] as const
export const invitationsKey = ['identity-invitations'] as const
