import { loadLater } from '../../ui/load-later.tsx'

/** Loads when somebody points at the menu that opens it. */
export const CombineDialog = loadLater(() => import('./combine-dialog.tsx').then((loaded) => loaded.CombineDialog))
