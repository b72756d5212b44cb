import { loadLater } from '../../../ui/load-later.tsx'

// Not part of what every guest loads.
export const SupplierPage = loadLater(() => import('./supplier-page.tsx').then((module) => module.SupplierPage))
export const ReportLinkPage = loadLater(() => import('./report-link-page.tsx').then((module) => module.ReportLinkPage))
export const LiveMapPage = loadLater(() => import('./live-map-page.tsx').then((module) => module.LiveMapPage))
