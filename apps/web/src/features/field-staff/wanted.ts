import type { OpenRole, OpenVehicle } from '@tour-ops/contract/field-staff/staff-planner'

/** What somebody or something is wanted for. */
export type Wanted =
  | { readonly kind: 'role'; readonly of: OpenRole }
  | { readonly kind: 'vehicle'; readonly of: OpenVehicle }

export const wantedKey = ({ kind, of }: Wanted): string => `${of.departureId}.${kind === 'role' ? of.role : kind}`
