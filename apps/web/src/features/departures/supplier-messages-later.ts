import { loadLater } from '../../ui/load-later.tsx'
import type { SupplierMessagesProps } from './supplier-messages.tsx'

/** Its code comes with the tab that shows it. */
export const SupplierMessages = loadLater<SupplierMessagesProps>(
  async () => (await import('./supplier-messages.tsx')).SupplierMessages,
)
