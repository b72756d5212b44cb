import { loadLater } from '../../ui/load-later.tsx'

/** Dialogs that are seldom needed: their code comes with the press that opens them. */
export const SplitDialog = loadLater(() => import('./split-dialog.tsx').then((loaded) => loaded.SplitDialog))
export const JoinDialog = loadLater(() => import('./join-dialog.tsx').then((loaded) => loaded.JoinDialog))
