import { loadLater } from '../../ui/load-later.tsx'
import type { SupplierMessagesProps } from './supplier-messages.tsx'
import type { UntoldSuppliersProps } from './untold-suppliers.tsx'

/** Its code comes with the tab that shows it. */
export const SupplierMessages = loadLater<SupplierMessagesProps>(
  async () => (await import('./supplier-messages.tsx')).SupplierMessages,
)

/** Asked for where a departure has suppliers. */
export const UntoldSuppliers = loadLater<UntoldSuppliersProps>(
  async () => (await import('./untold-suppliers.tsx')).UntoldSuppliers,
)
