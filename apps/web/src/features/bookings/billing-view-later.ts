import { loadLater } from '../../ui/load-later.tsx'
import type { BillingViewProps } from './billing-view.tsx'

/** On the page of a guest its code comes when a document is opened. */
export const BillingView = loadLater<BillingViewProps>(async () => (await import('./billing-view.tsx')).BillingView)
