import { loadLater } from '../../ui/load-later.tsx'

/** Seldom needed: its code comes when somebody chooses to move only some of a party. */
export const MoveSome = loadLater(() => import('./move-some.tsx').then((loaded) => loaded.MoveSome))
