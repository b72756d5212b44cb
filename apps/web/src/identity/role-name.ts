import type { Role } from '@tour-ops/contract/identity/access'
import { m } from '../paraglide/messages.js'

const names: Readonly<Record<Role, () => string>> = {
  admin: () => m.app_role_admin(),
  operations_manager: () => m.app_role_operations_manager(),
  dispatcher: () => m.app_role_dispatcher(),
  tour_designer: () => m.app_role_tour_designer(),
  guide: () => m.app_role_guide(),
  viewer: () => m.app_role_viewer(),
}

/** A role in the person's language. */
export const roleName = (role: Role): string => names[role]()
