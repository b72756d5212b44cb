import { loadLater } from '../../ui/load-later.tsx'

/** Loads when somebody points at the menu that opens it. */
export const CombineDialog = loadLater(() => import('./combine-dialog.tsx').then((loaded) => loaded.CombineDialog))

/** Loads when somebody points at the menu that opens it. */
export const EditDepartureDialog = loadLater(() =>
  import('./edit-departure-dialog.tsx').then((loaded) => loaded.EditDepartureDialog),
)

/** On a departure that was combined with another one. */
export const SeparateBanner = loadLater(() => import('./separate-banner.tsx').then((loaded) => loaded.SeparateBanner))
