import { loadLater } from '../../ui/load-later.tsx'

/** Loads when a departure is cancelled, or somebody points at what opens it. */
export const ProposalsDialog = loadLater(() =>
  import('./proposals-dialog.tsx').then((loaded) => loaded.ProposalsDialog),
)
