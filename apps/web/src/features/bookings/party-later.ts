import { loadLater } from '../../ui/load-later.tsx'

/** A dialog of another screen: its code comes with the press that opens it. */
export const PartyDialog = loadLater(() => import('./party-dialog.tsx').then((loaded) => loaded.PartyDialog))
