import { loadLater } from '../../../ui/load-later.tsx'

/** Seldom needed: its code comes with the press that opens it. */
export const AskAreaDialog = loadLater(() => import('./ask-area-dialog.tsx').then((loaded) => loaded.AskAreaDialog))
