import { loadLater } from '../../ui/load-later.tsx'

/** Its code, and that of the map, comes with the press that opens it. */
export const PickupMapDialog = loadLater(() =>
  import('./pickup-map-dialog.tsx').then((loaded) => loaded.PickupMapDialog),
)
