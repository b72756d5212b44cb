import { createContext, use, type ComponentType, type ReactNode } from 'react'

/** Parts of the shell that features bring; `routes/__root.tsx` fills them, so that the shell knows no feature. */
export interface ShellSlots {
  /** The organization's mark and name, with the list to switch; `subtitle` is the small line under the name. */
  OrganizationSwitcher: ComponentType<{ subtitle: ReactNode }>
  /** The person's avatar with the account menu. */
  UserButton: ComponentType
  /** Search over routes and records; mounted when first opened. */
  Palette: ComponentType<{ initialQuery: string; onClose: () => void }>
}

export const ShellSlotsContext = createContext<ShellSlots | undefined>(undefined)

export function useShellSlots(): ShellSlots {
  const slots = use(ShellSlotsContext)
  if (!slots) throw new Error('The shell must be rendered inside ShellSlotsContext')
  return slots
}
